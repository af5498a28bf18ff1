"""What an API is sent of a spec, by the schema that describes both."""

import pytest

from renderer.backends.api_messages import MessageShape, message
from renderer.text.wording import camel_case, snake_case
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree

DEFINITIONS = {
    "Number": {"anyOf": [{"type": "integer"}, {"type": "string", "x-alternative": True}]},
    "Part": {"properties": {"mountPath": {"type": "string"}, "size": {"$ref": "#/x/Amount"}}},
    "Amount": {"type": ["integer", "string"]},
}
SCHEMA = {
    "x-api-fields": ["lastOne", "kind", "count", "parts", "amounts", "data", "isOn"],
    "properties": {
        "count": {"allOf": [{"$ref": "#/x/Number"}]},
        "kind": {"anyOf": [{"type": "string", "enum": ["A", "B"]}, {"type": "integer"}]},
        "parts": {"items": {"$ref": "#/x/Part"}},
        "amounts": {"x-api-fields": ["cpu"], "additionalProperties": {"$ref": "#/x/Amount"}},
        "data": {"type": "object", "additionalProperties": {"type": "string"}},
        "isOn": {"type": "boolean"},
        "lastOne": {"type": "string"},
        "ours": {"type": "string"},
    },
}
SHAPE = MessageShape(SCHEMA, DEFINITIONS)


def sent(given, spell=str, **options):
    return message(uniform_tree(given, Origin("a.yaml")), SHAPE, spell, **options)


def test_fields_are_those_of_the_api_in_its_order():
    body = sent({"ours": "x", "count": 1, "kind": "A", "lastOne": "z"})
    assert list(body.items()) == [("lastOne", "z"), ("kind", "A"), ("count", 1)]


def test_fields_without_a_list_are_all_that_are_not_written_by_the_server():
    properties = {"a": {}, "b": {"readOnly": True}, "c": {"readOnly": False}}
    assert MessageShape({"properties": properties}, {}).fields == ("a", "c")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"count": "12"}, {"count": 12}),
        ({"count": 12}, {"count": 12}),
        ({"kind": 1}, {"kind": "B"}),
        ({"kind": "B"}, {"kind": "B"}),
        (
            {"parts": [{"size": 5, "mountPath": "/a"}]},
            {"parts": [{"mountPath": "/a", "size": "5"}]},
        ),
        ({"amounts": {"gpu": 1, "cpu": 2}}, {"amounts": {"cpu": "2"}}),
        ({"data": {"ours": "x", "a_b": ""}}, {"data": {"ours": "x", "a_b": ""}}),
        ({"isOn": True}, {"isOn": True}),
        ({"isOn": None}, {}),
    ],
)
def test_values_have_the_form_of_the_api(given, wanted):
    assert sent(given) == wanted


def test_names_of_fields_are_spelled_and_data_is_not():
    body = sent({"lastOne": "", "parts": [{"mountPath": "/a"}], "data": {"aB": "c"}}, snake_case)
    assert body == {"last_one": "", "parts": [{"mount_path": "/a"}], "data": {"aB": "c"}}


def test_empty_texts_may_be_left_out_of_messages_but_not_of_data():
    body = sent({"lastOne": "", "data": {"a": ""}}, has_empty_texts=False)
    assert body == {"data": {"a": ""}}


@pytest.mark.parametrize(
    ("snake", "camel"),
    [("serving_id", "servingId"), ("cpu", "cpu"), ("source_sha256", "sourceSha256")],
)
def test_spellings(snake, camel):
    assert (camel_case(snake), snake_case(camel)) == (camel, snake)
    assert camel_case(camel) == camel


def test_a_capital_after_an_underscore_stays():
    assert camel_case("serve_config_V2") == "serveConfigV2"
