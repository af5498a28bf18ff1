"""Fields that only some versions of a product have: how schemas say it, and that it is read."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from renderer.assets import SCHEMAS
from renderer.backends.kind_schemas import strict_schema
from renderer.backends.kuberay.dialect import NEWEST
from renderer.schema import versions
from renderer.schema.file_schemas import authoring, describe_versions
from renderer.schema.versions import Span, VersionedSchema, VersionedValue
from renderer.values.diagnostics import Origin
from renderer.values.tree import Node, uniform_tree

SCHEMA = {
    "definitions": {
        "Group": {"properties": {"labels": {"x-since": "Toy 1.5.0", "type": "object"}}},
        "Mode": {
            "properties": {
                "mode": {"x-since": {"fast": "Toy 1.2.0", "slow": "Other 7.0"}},
                "old": {"x-until": "Toy 1.9", "x-instead": "mode"},
            }
        },
    },
    "properties": {
        "groups": {"x-since": "Toy 1.1.0", "items": {"$ref": "#/definitions/Group"}},
        "of": {"anyOf": [{"$ref": "#/definitions/Mode"}, {"type": "null"}]},
        "name": {"type": "string"},
    },
}
TOY, OTHER = VersionedSchema("Toy", "toy.json"), VersionedSchema("Other", "toy.json")
PRODUCTS = ("KServe", "KubeRay", "Ray")


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    real = versions.bundled_schema
    monkeypatch.setattr(
        versions, "bundled_schema", lambda name: SCHEMA if name == "toy.json" else real(name)
    )
    versions._root.cache_clear()
    yield
    versions._root.cache_clear()


def tree(**given: Any) -> Node:
    return uniform_tree(given, Origin("a.yaml"))


def test_fields_and_values_are_found_parents_first():
    given = tree(groups=[{}, {"labels": {}}], of={"mode": "fast", "old": 1}, name="a")
    assert [*TOY.values_in(given)] == [
        VersionedValue(("groups",), "", Span("1.1.0")),
        VersionedValue(("groups", 1, "labels"), "", Span("1.5.0")),
        VersionedValue(("of", "mode"), "fast", Span("1.2.0")),
        VersionedValue(("of", "old"), "", Span("", "1.9", "mode")),
    ]


def test_a_value_counts_where_it_stands_only():
    assert [*TOY.values_in(tree(of={"mode": "slow"}, name="fast"))] == []


def test_products_are_told_apart():
    given = tree(groups=[{"labels": {}}], of={"mode": "slow"})
    assert [*OTHER.values_in(given)] == [VersionedValue(("of", "mode"), "slow", Span("7.0"))]


@pytest.mark.parametrize(
    ("path", "value", "since"),
    [
        (("name",), "", ""),
        (("groups",), "", "1.1.0"),
        (("groups", 3), "", "1.1.0"),
        (("groups", 3, "labels", "a"), "", "1.5.0"),
        (("of", "mode"), "", ""),
        (("of", "mode"), "fast", "1.2.0"),
        (("nowhere", "else"), "", ""),
    ],
)
def test_a_field_is_as_new_as_the_newest_on_the_way(path, value, since):
    assert TOY.span_of(path, value).since == since


def test_versions_are_compared_as_numbers():
    assert Span("1.10.0").first > Span("1.9.0").first > Span().first
    assert Span(until="2.10").last == (2, 10)


def _said(part: Any) -> Iterator[str]:
    """What all keywords about versions in a file say."""
    for key, value in part.items() if isinstance(part, dict) else ():
        if key in ("x-since", "x-until"):
            yield from [value] if isinstance(value, str) else value.values()
    for child in part.values() if isinstance(part, dict) else part:
        if isinstance(child, dict | list):
            yield from _said(child)


FILES = [p for p in sorted(Path(SCHEMAS).rglob("*.json")) if p.parent.name != "observed"]
SAID = {text for path in FILES for text in _said(json.loads(path.read_text("utf-8")))}


def test_every_version_names_its_product():
    form = re.compile(rf"(?:{'|'.join(PRODUCTS)}) \d+(?:\.\d+){{1,2}}")
    assert len(SAID) > 20
    assert [text for text in SAID if not form.fullmatch(text)] == []


def test_the_newest_kuberay_has_all_fields():
    """Rules do not look at the schema for it."""
    found = (text.split()[1] for text in SAID if text.startswith("KubeRay "))
    assert max(tuple(map(int, version.split("."))) for version in found) <= NEWEST


def test_values_are_those_of_the_enumeration():
    for path in FILES:
        for part in _parts(json.loads(path.read_text("utf-8"))):
            if isinstance(part.get("x-since"), dict):
                assert part["x-since"].keys() <= set(_words(part)), part["description"]


def _parts(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
    for child in part.values() if isinstance(part, dict) else part:
        if isinstance(child, dict | list):
            yield from _parts(child)


def _words(part: dict[str, Any]) -> Iterator[str]:
    for one in (part, *part.get("anyOf", ())):
        yield from one.get("enum", ())


def test_editors_show_versions():
    shown = describe_versions(authoring(strict_schema("RayJob")))
    fields = shown["properties"]
    assert fields["preRunningDeadlineSeconds"]["description"].endswith(". Since KubeRay 1.6.0.")
    assert "SidecarMode since KubeRay 1.5.0." in fields["submissionMode"]["description"]
    assert "ince" not in fields["entrypoint"]["description"]
