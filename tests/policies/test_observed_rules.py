"""Rules of CRDs find in objects what the API server's own CEL was recorded to find."""

import json

import pytest

from renderer.policies.schema_rules import violations
from renderer.schema.validations import ruled_schema
from renderer.text import json_reader
from tests.support.places import ROOT
from tests.support.rows import each

pytestmark = pytest.mark.process
ROWS = json.loads((ROOT / "tests/observed/cel/rules.json").read_text("utf-8"))["rows"]
OF_CRDS = [row for row in ROWS if row["from"] != "ours"]
RULE = "x-kubernetes-validations"
#: What is refused in other words, by what the API server says: names that only Go knows.
OTHER_WORDS = {
    "FieldValueDuplicate": "the API server says nothing but the value",
}


def title(row):
    rules = [rule["rule"] for rule in row["schema"].get(RULE, ())]
    return f"{row['from']}: {rules}, {json.dumps(row['schema'])[:400]}, {len(row['asked'])}"


def found(schema, item):
    ruled = ruled_schema(json_reader.read(json.dumps(schema).encode(), "schema").document.tree)
    return sorted(
        (
            "not evaluated" if one.not_evaluated else one.reason or "FieldValueInvalid",
            place(one.path, schema),
            one.detail,
        )
        for one in violations(ruled, item["object"], item.get("old"))
    )


def place(path, schema):
    """As Go writes it: keys of maps in brackets."""
    text = "self"
    for key in path:
        is_field = isinstance(key, str) and key in schema.get("properties", {})
        text += f".{key}" if is_field else f"[{key}]"
        inner = schema.get("items") or schema.get("additionalProperties") or {}
        schema = schema["properties"][key] if is_field else inner
    return text


def recorded(item):
    errors = item["answer"].get("errors", ())
    return sorted((one["type"], one["field"], one["text"]) for one in errors)


@each("row", ROWS, name=title)
def test_rules_find_what_was_recorded(row):
    for item in row["asked"]:
        ours = found(row["schema"], item)
        known = [(kind, at, "" if kind in OTHER_WORDS else text) for kind, at, text in ours]
        assert known == recorded(item), item["object"]


def test_each_rule_of_the_crds_passes_and_fails():
    """Those of KServe, Ray and Gateway API; the two of Ray with a former object."""
    assert {row["from"] for row in OF_CRDS} == {"kserve", "kuberay", "gateway-api"}
    assert len({row["schema"][RULE][0]["rule"] for row in OF_CRDS}) == 108
    for row in OF_CRDS:
        answers = {bool(item["answer"].get("errors")) for item in row["asked"]}
        assert answers == {True, False}, row["schema"][RULE]


def test_hundreds_of_objects_were_asked():
    assert sum(len(row["asked"]) for row in ROWS) > 600
