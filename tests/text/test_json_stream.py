"""JSON that comes in pieces: the same objects as if it were read at once, however it is cut."""

import json
import tracemalloc

import pytest

from renderer.text.json_stream import StreamError, TooLargeError, objects

OBJECT = {
    "metadata": {"name": 'ä\U0001f600"\\', "n": -12.5e3, "x": [1, None, True, {}]},
    "spec": [],
}
LIST = {"apiVersion": "v1", "items": [OBJECT, {"items": [{"a": 1}]}, [7, [8]]], "kind": "List"}
TEXTS = {
    "object": (json.dumps(OBJECT), [OBJECT]),
    "list": (json.dumps(LIST, ensure_ascii=False), [OBJECT, {"a": 1}, 7, 8]),
    "indented": (f" \n{json.dumps(LIST, indent=4)}\n ", [OBJECT, {"a": 1}, 7, 8]),
    "empty": ('{"items": [], "kind": "List"}', []),
    "items-that-are-no-list": ('{"items": {"a": 1}}', [{"items": {"a": 1}}]),
    "number": (" 1234 ", [1234]),
}


def pieces(data, size):
    return (data[start : start + size] for start in range(0, len(data), size))


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_however_it_is_cut(text, expected):
    data = text.encode()
    for size in range(1, len(data) + 1):
        assert list(objects(pieces(data, size), 1000)) == expected, size


@pytest.mark.parametrize(
    "text",
    ['{"a": 1,}', "[1 2]", '{"a" 1}', "{1: 2}", "[1,\n 2", '"a', '{"a": tru}', "[] []", "[,]"],
)
def test_what_is_no_json(text):
    """It is said where, as the reader of whole texts does."""
    with pytest.raises(json.JSONDecodeError) as expected:
        json.loads(text)
    for size in range(1, len(text) + 1):
        with pytest.raises(StreamError, match=rf"^:{expected.value.lineno}:\d+: no JSON: "):
            list(objects(pieces(text.encode(), size), 1000))


@pytest.mark.parametrize("data", [b'{"a": "\xff"}', '["ä'.encode()[:-1]], ids=["wrong", "cut-off"])
def test_what_is_no_utf_8(data):
    for size in range(1, len(data) + 1):
        with pytest.raises(StreamError, match=r"not UTF-8: byte [27]$"):
            list(objects(pieces(data, size), 1000))


def test_an_object_that_is_too_large():
    endless = (b'["' if number == 0 else b"a" * 100 for number in range(1_000_000))
    with pytest.raises(TooLargeError):
        list(objects(endless, 10_000))


def test_what_was_read_is_forgotten():
    """Many objects need no more memory than a few."""
    item = json.dumps({"metadata": {"name": "x" * 1000}}).encode()
    parts = (b'{"items": [' if number == 0 else item + b", " for number in range(1000))
    tracemalloc.start()
    try:
        count = sum(1 for _ in objects((part for part in (*parts, item, b"]}")), 10_000))
        before = len(item) * 1000  # the parts themselves
        assert tracemalloc.get_traced_memory()[1] - before < 300_000
    finally:
        tracemalloc.stop()
    assert count == 1000
