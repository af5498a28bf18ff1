"""What editors get accepts the same files, and a plain validator's errors are at the field."""

import copy
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from renderer.backends.editor_schemas import schema_for_editors
from renderer.backends.kind_schemas import authoring_schema
from renderer.backends.kinds import KINDS
from renderer.schema.editor_schemas import editor_schema
from tests.support.places import ROOT
from tests.support.samples import sample

VALUES = (None, "${vars.name}", "text", 7, True, [], ["a"], {}, {"no": {"such": "field"}})


@cache
def validators(kind: str) -> tuple[Draft7Validator, Draft7Validator]:
    schema = authoring_schema(kind)
    return Draft7Validator(schema), Draft7Validator(editor_schema(schema))


@cache
def written(kind: str) -> Draft7Validator:
    """What `servingctl schema` writes; environments have defaults for companions there."""
    return Draft7Validator(schema_for_editors(kind))


@cache
def specs() -> dict[str, list[Any]]:
    """The specs of the examples and golden repositories, by their kinds."""
    found: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    for folder in (ROOT / "environments", *sorted((ROOT / "tests/golden").glob("*/*"))):
        for path in sorted(folder.rglob("*.yaml")):
            spec = next(yaml.safe_load_all(path.read_text("utf-8")), None)
            if isinstance(spec, dict) and spec.get("apiVersion") == "serving.gitops/v1":
                found[spec["kind"]].append(spec)
    return found


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a file."""
    named = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in named:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from paths(item, (*path, key))


def replaced(spec: Any, path: tuple[Any, ...], value: Any) -> Any:
    spec = copy.deepcopy(spec)
    owner = spec
    for key in path[:-1]:
        owner = owner[key]
    owner[path[-1]] = value
    return spec


def mutations(kind: str, count: int) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Specs with another value at one place."""
    chosen = [(spec, path) for spec in specs()[kind] for path in paths(spec)]
    chance = random.Random(kind)
    for spec, path in chance.sample(chosen, min(count, len(chosen))):
        yield replaced(spec, path, chance.choice(VALUES)), path


@pytest.mark.parametrize("count", sample((25, 1500), 25))
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_files_fit(kind: str, count: int):
    of_findings, of_editors = validators(kind)
    for spec, path in [*((one, ()) for one in specs()[kind][:3]), *mutations(kind, count)]:
        assert of_findings.is_valid(spec) == of_editors.is_valid(spec), (path, spec)


@pytest.mark.parametrize("count", sample((25, 1500), 25))
@pytest.mark.parametrize("kind", KINDS)
def test_an_error_is_at_the_field(kind: str, count: int):
    """At the value, or at the mapping that takes no such key."""
    of_editors = written(kind)
    for spec, path in mutations(kind, count):
        for error in of_editors.iter_errors(spec):
            found = tuple(error.absolute_path)
            if found != (*path, "no"):
                assert found[: len(path)] == path, (path, found, error.message)


@pytest.mark.parametrize("kind", KINDS)
def test_examples_fit(kind: str):
    for spec in specs()[kind]:
        assert [error.message for error in written(kind).iter_errors(spec)] == []


def test_a_bad_value_is_named_with_what_is_expected():
    spec = {"predictor": {"minReplicas": "many", "model": {"env": [{"name": "A", "value": 5}]}}}
    head = {"apiVersion": "serving.gitops/v1", "kind": "InferenceService", "name": "a"}
    errors = written("InferenceService").iter_errors({**head, **spec})
    assert sorted((error.json_path, error.message) for error in errors) == [
        ("$.predictor.minReplicas", "'many' is not of type 'integer', 'null'"),
        ("$.predictor.model.env[0].value", "5 is not of type 'string', 'null'"),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_has_a_description(kind: str):
    """What an editor shows of a field that the cursor is on."""
    waiting: list[Any] = [{"anyOf": [written(kind).schema]}]
    silent = []
    for part in waiting:
        if isinstance(part, dict):
            fields = part.get("properties", {})
            silent += [name for name, one in fields.items() if "description" not in one]
            waiting.extend(one for key, one in part.items() if key != "if")
        elif isinstance(part, list):
            waiting.extend(part)
    assert silent == []


def test_the_schema_of_rules_takes_those_of_the_documentation():
    """Of each place it says what is there, and what is wrong is at the field itself."""
    validator = written("Rule")
    page = (ROOT / "docs/policies.md").read_text("utf-8")
    rules = [text.partition("```")[0] for text in page.split("```yaml\n") if "kind: Rule" in text]
    assert len(rules) > 3
    for text in rules:
        rule = yaml.load(text.replace("\non:", '\n"on":'), Loader=yaml.SafeLoader)
        assert list(validator.iter_errors(rule)) == []
        rule["match"] = {"kinds": "InferenceService"}
        (error,) = validator.iter_errors(rule)
        assert list(error.absolute_path) == ["match", "kinds"]
