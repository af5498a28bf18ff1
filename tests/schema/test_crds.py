"""The CRDs of a user's clusters: what they become, and what is said about unusable ones."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from renderer import load, render
from renderer.schema.bundle import Schema
from renderer.schema.crds import Crd, collect, convert_schema
from renderer.schema.validation import check
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.model import Document
from renderer.values.tree import uniform_tree
from tests.support.places import ROOT
from tests.support.rows import each

TEXT = {"type": "string"}
OBJECT = {"type": "object"}
OPEN = {"x-kubernetes-preserve-unknown-fields": True}
EMBEDDED = {"type": "object", "x-kubernetes-embedded-resource": True}
INT_OR_STRING = {"x-kubernetes-int-or-string": True}
EITHER = {
    **INT_OR_STRING,
    "anyOf": [{"type": "integer"}, {"type": "string"}],
    "pattern": "^[0-9]+%$",
}


def definition(schema: Any, /, kind: str = "Thing", **version: Any) -> dict[str, Any]:
    versions = [{"name": "v1", "schema": {"openAPIV3Schema": schema}, **version}]
    spec = {"group": "example.com", "names": {"kind": kind}, "versions": versions}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": spec,
    }


def document(*objects: Any) -> Document:
    text = "".join(f"---\n{json.dumps(item, indent=1)}\n" for item in objects)
    return read(text.encode(), "schemas/crds/thing.yaml", several=True).document


def collected(*objects: Any) -> tuple[dict[tuple[str, str], Crd], list[Diagnostic]]:
    return collect([document(*objects)])


def messages(schema: Schema, value: Any) -> list[str]:
    """What is wrong with a value of the field `spec`, which has this schema."""
    crds, found = collected(definition({"type": "object", "properties": {"spec": schema}}))
    assert found == []
    thing = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}}
    tree = uniform_tree({**thing, "spec": value}, Origin("x"))
    return [item.message for item in check(tree, crds["example.com", "Thing"].versions["v1"])]


def fields(**properties: Any) -> Schema:
    return {"type": "object", "properties": properties}


# fmt: off
FITS: dict[str, tuple[Schema, Any]] = {
    "known-field": (fields(a=TEXT), {"a": "x"}),
    "map": ({**OBJECT, "additionalProperties": TEXT}, {"any": "x"}),
    "open-map": ({**OBJECT, "additionalProperties": True}, {"any": 1}),
    "map-of-anything": ({**OBJECT, "additionalProperties": {}}, {"any": {"b": 1}}),
    "preserve": ({**fields(a=TEXT), **OPEN}, {"a": "x", "more": {"b": 1}}),
    "preserve-without-type": (OPEN, {"more": 1}),
    "int-or-string-int": (EITHER, 5),
    "int-or-string-text": (EITHER, "5%"),
    "int-or-string-null": ({**EITHER, "nullable": True}, None),
    "nullable": ({**TEXT, "nullable": True}, None),
    "nullable-enum": ({**TEXT, "enum": ["a"], "nullable": True}, None),
    "nullable-object": ({**fields(a=TEXT), "nullable": True}, None),
    "embedded": ({**EMBEDDED, **fields(spec=OBJECT)},
                 {"apiVersion": "v1", "kind": "P", "metadata": {"name": "p"}, "spec": {}}),
    "embedded-metadata": ({**EMBEDDED, **fields(metadata=OBJECT)}, {"metadata": {"labels": {}}}),
    "int32": ({"type": "integer", "format": "int32"}, 2**31 - 1),
    "int64": ({"type": "integer", "format": "int64"}, -(2**63)),
    "unknown-format": ({**TEXT, "format": "date-time"}, "whenever"),
    "exclusive-false": ({"type": "number", "minimum": 1, "exclusiveMinimum": False}, 1),
    "any-of": ({**fields(a=TEXT, b=TEXT), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
               {"b": "x"}),
    "condition-is-not-strict": ({**fields(a=TEXT, b=TEXT), "allOf": [fields(a={"minLength": 1})]},
                                {"a": "x", "b": "y"}),
    "condition-on-items": ({"type": "array", "items": fields(a=TEXT, b=TEXT),
                            "anyOf": [{"items": fields(a={"minLength": 1})}]}, [{"b": "y"}]),
    "not": ({**fields(a=TEXT), "not": {"required": ["a"]}}, {}),
    "schema-of-the-word-pattern": (fields(pattern=TEXT, required=TEXT), {"pattern": "("}),
}
SHAPE_ERRORS: dict[str, tuple[Schema, Any, str]] = {
    "unknown-field": (fields(a=TEXT), {"b": "x"}, 'unknown key "b" in spec'),
    "unknown-in-items": ({"type": "array", "items": fields(a=TEXT)}, [{"b": 1}],
                         'unknown key "b" in spec[0]'),
    "unknown-in-map": ({**OBJECT, "additionalProperties": fields(a=TEXT)}, {"k": {"b": 1}},
                       'unknown key "b" in spec.k'),
    "no-fields-at-all": (OBJECT, {"b": 1}, 'unknown key "b" in spec'),
    "map-value": ({**OBJECT, "additionalProperties": TEXT}, {"any": [1]}, "spec.any is a list"),
    "below-preserve": ({**fields(a=fields(x=TEXT)), **OPEN}, {"a": {"y": 1}},
                       'unknown key "y" in spec.a'),
    "int-or-string-list": (INT_OR_STRING, [1], "spec is a list, not a whole number or text"),
    "int-or-string-pattern": (EITHER, "5", 'spec is "5", not of the form'),
    "int-or-string-minimum": ({**INT_OR_STRING, "minimum": 1}, 0, "spec is 0, less than 1"),
    "not-nullable": (TEXT, None, "spec is empty, not text"),
    "nullable-enum": ({**TEXT, "enum": ["a"], "nullable": True}, "b", 'spec is "b", not a'),
    "embedded": ({**EMBEDDED, **fields(spec=OBJECT)}, {"status": {}}, 'unknown key "status"'),
    "int32": ({"type": "integer", "format": "int32"}, 2**31, "spec is 2147483648, more than"),
    "int64": ({"type": "integer", "format": "int64"}, 2**63, "spec is 9223372036854775808, more"),
    "narrower-than-format": ({"type": "integer", "format": "int32", "maximum": 5}, 6,
                             "spec is 6, more than 5"),
    "exclusive": ({"type": "number", "minimum": 1, "exclusiveMinimum": True}, 1,
                  "spec is 1, not more than 1"),
    "any-of": ({**fields(a=TEXT, b=TEXT), "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
               {}, "'a' is missing in spec"),
    "one-of-both": ({**fields(a=TEXT, b=TEXT), "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
                    {"a": "x", "b": "y"}, "spec fits several alternatives"),
    "not": ({**fields(a=TEXT), "not": {"required": ["a"]}}, {"a": "x"}, "spec is a mapping, not"),
    "multiple-of": ({"type": "integer", "multipleOf": 3}, 5, "spec is 5, not a multiple of 3"),
    "min-length": ({**TEXT, "minLength": 3}, "x", "spec is shorter than 3 characters"),
    "min-items": ({"type": "array", "minItems": 2}, [1], "spec is a list of fewer than 2"),
    "max-items": ({"type": "array", "maxItems": 1}, [1, 2], "spec is a list of more than 1"),
    "min-keys": ({**OBJECT, **OPEN, "minProperties": 1}, {}, "spec is empty"),
    "unique": ({"type": "array", "uniqueItems": True}, [{"x": 1}] * 2, 'spec has {"x": 1} twice'),
    "numbers": ({"enum": [1, True], "nullable": True}, 2, "spec is 2, not one of 1 and true"),
    "control-character": ({**TEXT, "enum": ["\x1b"]}, "b", 'spec is "b", not \\u001b'),
    "named-like-a-keyword": (fields(propertyNames=TEXT), {"propertyNames": 1},
                             "spec.propertyNames is written 1, which is read as a number"),
    "required": ({**fields(a=TEXT), "required": ["a"]}, {}, "'a' is missing in spec"),
}
# fmt: on


@each("schema value", FITS)
def test_what_the_api_server_keeps_fits(schema: Schema, value: Any):
    assert messages(schema, value) == []


@each("schema value message", SHAPE_ERRORS)
def test_what_it_drops_or_refuses_does_not(schema: Schema, value: Any, message: str):
    assert [text[: len(message)] for text in messages(schema, value)] == [message]


def test_identity_is_implicit_and_metadata_is_the_api_servers():
    crds, _ = collected(definition(fields(metadata=OBJECT)))
    schema = crds["example.com", "Thing"].versions["v1"]
    thing = {"apiVersion": "a/v1", "kind": "Thing", "metadata": {"labels": {"a": "b"}}}
    assert list(check(uniform_tree(thing, Origin("x")), schema)) == []
    assert [i.code for i in check(uniform_tree({"status": 1}, Origin("x")), schema)] == ["SPC010"]


def test_the_root_may_preserve_unknown_fields():
    crds, _ = collected(definition({**OBJECT, **OPEN}))
    schema = crds["example.com", "Thing"].versions["v1"]
    assert list(check(uniform_tree({"anything": 1}, Origin("x")), schema)) == []


@pytest.mark.parametrize("target", ["file:///etc/passwd", "https://example.com/s.json", "#/no"])
@pytest.mark.parametrize("key", ["items", "additionalProperties", "not"])
def test_references_are_never_followed(target: str, key: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("urllib.request.urlopen", lambda *_: pytest.fail("the network is asked"))
    reference = {"$ref": target, "$id": target}
    schema = convert_schema({**OBJECT, **reference, "allOf": [reference], key: reference})
    assert "$ref" not in json.dumps(schema)
    list(check(uniform_tree({"a": 1}, Origin("x")), schema))


def test_several_documents_and_lists_of_them():
    one, two, three = (definition(OBJECT, kind) for kind in ("One", "Two", "Three"))
    listing = {"apiVersion": "v1", "kind": "List", "items": [two, three]}
    crds, found = collected(one, None, listing)
    assert found == []
    assert [kind for _, kind in crds] == ["One", "Two", "Three"]


def test_only_served_versions_count():
    both = definition(OBJECT, served=False)
    both["spec"]["versions"].append({**both["spec"]["versions"][0], "name": "v2", "served": True})
    crds, found = collected(both)
    assert found == []
    assert list(crds["example.com", "Thing"].versions) == ["v2"]


NOT_CRDS: dict[str, Any] = {
    "text": "hello",
    "list": [1],
    "another-kind": {"apiVersion": "v1", "kind": "ConfigMap", "data": {}},
    "v1beta1": {"kind": "CustomResourceDefinition", "spec": {"group": "g", "version": "v1"}},
    "without-schema": definition(OBJECT, schema=None),
    "schema-is-text": definition("object"),
    "properties-are-a-list": definition({"type": "object", "properties": ["abc"]}),
    "unknown-type": definition({"type": "text"}),
    "type-is-a-list": definition({"type": ["string", "null"]}),
    "enum-is-a-number": definition(fields(a={"enum": 5})),
    "minimum-is-text": definition(fields(a={"minimum": "5"})),
    "all-of-is-a-mapping": definition(fields(a={"allOf": {"type": "string"}})),
}


@pytest.mark.parametrize("thing", NOT_CRDS.values(), ids=NOT_CRDS.keys())
def test_what_is_no_crd_is_a_finding_at_its_line(thing: Any):
    crds, (found,) = collected(definition(OBJECT), thing)
    assert list(crds) == [("example.com", "Thing")]
    assert (found.code, found.file) == ("MAN005", "schemas/crds/thing.yaml")
    first = json.dumps(definition(OBJECT), indent=1).count("\n") + 2
    assert found.line == first + 2
    assert found.message == "this is not a CustomResourceDefinition with a schema"
    assert found.fix


REFUSED = "the API server refuses this pattern: "
NOT_USED = "this pattern is not used: "
UNUSABLE = {
    "(": REFUSED,
    "a**": REFUSED,
    "x{1001}": REFUSED,
    "(a{40}){40}": REFUSED,
    "^(?=a)": REFUSED,
    r"(a)\1": REFUSED,
    r"[\pL]{1000}": NOT_USED,
}


@pytest.mark.parametrize(("pattern", "says"), UNUSABLE.items())
def test_a_pattern_that_cannot_be_used_is_a_finding(pattern: str, says: str):
    """The rest of the CRD is still used."""
    thing = definition(fields(a={**TEXT, "pattern": pattern, "maxLength": 2}))
    crds, (found,) = collected(thing)
    line = json.dumps(thing, indent=1).split('"pattern"')[0].count("\n") + 2
    assert (found.code, str(found.severity), found.line) == ("MAN010", "warning", line)
    assert found.message.startswith(says)
    assert found.fix
    schema = crds["example.com", "Thing"].versions["v1"]
    assert [i.code for i in check(uniform_tree({"a": "abc"}, Origin("x")), schema)] == ["SPC016"]


@pytest.mark.parametrize("pattern", [r"^\pL$", r"^[\p{Latin}]$", "^[[:alpha:]]$", "^a|(b+)+$"])
def test_a_pattern_is_read_as_go_reads_it(pattern: str):
    crds, found = collected(definition(fields(a={**TEXT, "pattern": pattern})))
    assert not found
    schema = crds["example.com", "Thing"].versions["v1"]
    assert not list(check(uniform_tree({"a": "a"}, Origin("x")), schema))
    (error,) = check(uniform_tree({"a": "1"}, Origin("x")), schema)
    assert (error.code, error.message) == ("SPC015", f'a is "1", not of the form {pattern}')


# From a repository to findings.


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copy(ROOT / "servingctl.yaml", tmp_path)
    (tmp_path / "schemas" / "crds").mkdir(parents=True)
    return tmp_path


def kuscia_crd(kind: str, spec: Schema, version: str = "v1alpha1") -> str:
    schema = fields(spec=spec)
    thing = definition(schema, kind)
    thing["spec"]["group"] = "kuscia.secretflow"
    thing["spec"]["versions"][0]["name"] = version
    return json.dumps(thing)


def found_in(repository: Path, name: str, text: str) -> list[Diagnostic]:
    (repository / "schemas" / "crds" / name).write_text(text)
    found = render(load(repository), ["prod"]).diagnostics
    return [item for item in found if item.code.startswith(("MAN", "YML"))]


def test_a_field_that_the_cluster_lacks_points_at_the_line_that_set_it(repository: Path):
    image = fields(name=TEXT)
    spec = fields(image=image, configTemplates=OPEN, deployTemplates={"type": "array"})
    found = found_in(repository, "appimages.yaml", kuscia_crd("AppImage", spec))
    assert found
    for item in found:
        assert (item.code, item.environments) == ("MAN004", ("prod",))
        lines = (repository / item.file).read_text().splitlines()
        assert lines[item.line - 1].strip().startswith("tag: ")
        assert 'unknown key "tag" in spec.image' in item.message
        assert "schemas/crds/appimages.yaml" in item.message


def test_a_crd_that_fits_is_silent(repository: Path):
    assert found_in(repository, "any.yml", kuscia_crd("AppImage", OPEN)) == []


def test_a_version_that_the_cluster_does_not_serve(repository: Path):
    found = found_in(repository, "old.yaml", kuscia_crd("AppImage", OPEN, "v1"))
    assert {item.code for item in found} == {"MAN004"}
    assert "old.yaml serves no version 'v1alpha1' of AppImage" in found[0].message


def test_a_file_that_is_no_yaml(repository: Path):
    (found,) = found_in(repository, "broken.yaml", "kind: [\n")
    assert (found.code[:3], found.file) == ("YML", "schemas/crds/broken.yaml")
