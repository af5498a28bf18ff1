"""The quick answer about a schema and the validator that explains always agree."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import strategies as st

from renderer.assets import SCHEMAS
from renderer.backends.kind_schemas import authoring_schema, name_schema, strict_schema
from renderer.backends.kinds import KINDS
from renderer.schema.bundle import bundled_schema
from renderer.schema.validation import fits
from renderer.schema.validation import jsonschema_errors as errors
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, uniform_tree
from tests.support.places import ROOT
from tests.support.samples import tried

MANIFESTS = sorted(
    path.relative_to(SCHEMAS).as_posix() for path in (Path(SCHEMAS) / "manifests").rglob("*.json")
)
SHIPPED = {
    **{f"strict {kind}": strict_schema(kind) for kind in KINDS},
    **{f"authoring {kind}": authoring_schema(kind) for kind in KINDS},
    **{name: bundled_schema(name) for name in (*MANIFESTS, "settings.json")},
    "name of a Serving": name_schema("Serving"),
}
DOCUMENTS = [
    read(path.read_bytes(), path.name).document.tree.plain()
    for folder in ("environments", "rendered", "tests/golden")
    for path in sorted((ROOT / folder).rglob("*.yaml"))
    if path.name != "kustomization.yaml" and path.parent.name != "gitops"
]
ODD = st.sampled_from([
    None, True, False, 0, 1, -1, 1.0, 1.5, "", "x", "1", "a\n", "500m", "${vars.x}", "x" * 300, [],
    {}, [1, True], [1, 1], [{}, {}], {"": 1}, {"$remove": True}, {"x": None}, 2**40,
])  # fmt: skip


def agree(data, schema):
    tree = uniform_tree(data, Origin("f"))
    assert fits(tree, schema) == (not list(errors(data, schema)))


def places(data, path=()):
    yield path
    if isinstance(data, dict | list):
        members = data.items() if isinstance(data, dict) else enumerate(data)
        for key, child in members:
            yield from places(child, (*path, key))


def changed(data, path, value, *, delete, key):
    """A copy with something else at a path, or without it, or with a key more."""
    if not path:
        return value
    result = copy.deepcopy(data)
    parent = result
    for step in path[:-1]:
        parent = parent[step]
    if delete:
        del parent[path[-1]]
    elif key is not None and isinstance(parent, dict):
        parent[key] = value
    else:
        parent[path[-1]] = value
    return result


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_whole_documents(name):
    for document in DOCUMENTS:
        agree(document, SHIPPED[name])


@tried(st.data(), few=2, many=60)
def test_changed_documents(data):
    """Documents of ours with one or two places changed, by every schema."""
    document = data.draw(st.sampled_from(DOCUMENTS))
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(places(document))))
        key = data.draw(st.sampled_from([None, None, "x", "name", "x.io/y", "role", ""]))
        document = changed(document, path, data.draw(ODD), delete=data.draw(st.booleans()), key=key)
    for schema in SHIPPED.values():
        agree(document, schema)


VALUES = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner),
)
SCALARS = st.sampled_from([None, True, False, 0, 1, 1.0, "", "a", "1"])
PARTS = st.deferred(lambda: SCHEMA)
SCHEMA = st.booleans() | st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            [
                "object",
                "array",
                "string",
                "integer",
                "number",
                "boolean",
                "null",
                ["null", "integer"],
            ]
        ),
        "enum": st.lists(SCALARS, min_size=1),
        "const": SCALARS,
        "pattern": st.sampled_from(["^a$", "a", r"^\d+$", "^$"]),
        "required": st.lists(st.text("ab", min_size=1, max_size=1), unique=True),
        "properties": st.dictionaries(st.text("ab", max_size=2), PARTS, max_size=2),
        "additionalProperties": PARTS,
        "propertyNames": PARTS,
        "items": PARTS,
        "uniqueItems": st.booleans(),
        "anyOf": st.lists(PARTS, min_size=1, max_size=2),
        "allOf": st.lists(PARTS, min_size=1, max_size=2),
        "oneOf": st.lists(PARTS, min_size=1, max_size=2),
        "not": PARTS,
        "minimum": st.integers(-1, 2),
        "maximum": st.integers(-1, 2),
        "exclusiveMinimum": st.integers(-1, 2),
        "exclusiveMaximum": st.integers(-1, 2),
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 2),
        "minItems": st.integers(0, 2),
        "maxItems": st.integers(0, 2),
        "minProperties": st.integers(0, 2),
        "maxProperties": st.integers(0, 2),
    },
)


OBJECT = SCHEMA.filter(lambda schema: isinstance(schema, dict))


@tried(OBJECT, st.lists(VALUES, min_size=1, max_size=3), few=5, many=120)
def test_any_schema(schema, values):
    """Also those that CRDs of users lead to; what one value made ready, the next one uses."""
    for value in values:
        agree(value, schema)


@tried(OBJECT, SCHEMA, VALUES, few=5, many=60)
def test_any_schema_with_references(schema, named, value):
    """To another part, and from that part to itself."""
    here = {"properties": {"a": {"$ref": "#/definitions/n"}}, "items": {"$ref": "#/definitions/n"}}
    definitions = {"n": {"anyOf": [named, here]}}
    agree(value, {**schema, **here, "definitions": definitions})


@pytest.mark.parametrize(
    "schema",
    [
        {"if": {"type": "string"}, "then": False},
        {"not": {"contains": {"const": 1}}},
        {"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]},
        {"enum": [[1]]},
        {"items": {"type": ["integer", "date"]}},
        {"items": [{"const": 2}]},
        {"items": {"$ref": "#/definitions/nowhere"}},
        {"$ref": "#/nowhere"},
    ],
    ids=json.dumps,
)
def test_what_is_not_known_is_left_to_the_validator(schema):
    assert not fits(uniform_tree([2], Origin("f")), schema)


def test_a_pattern_of_keys_is_left_to_the_validator():
    assert not fits(uniform_tree({"a": 1}, Origin("f")), {"patternProperties": {"^a": True}})


def test_a_value_of_no_known_type_is_left_to_the_validator():
    class Odd(str):
        __slots__ = ()

    assert not fits(Node(Odd("x"), Origin("f")), {"type": "string"})


def test_many_alternatives_are_not_nested():
    choices = [{"const": number} for number in range(5000)]
    assert fits(uniform_tree(4999, Origin("f")), {"anyOf": choices})
    assert fits(uniform_tree(1, Origin("f")), {"allOf": [{"minimum": 0} for _ in choices]})


@pytest.mark.process
def test_a_document_that_fits_needs_no_validator(tmp_path):
    import subprocess
    import sys

    code = (
        "import sys; from renderer import load, render\n"
        f"assert render(load({str(ROOT)!r})).is_sound\n"
        "assert 'jsonschema' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
