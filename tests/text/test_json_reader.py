"""JSON files: the data that json.loads gives, with places, and problems instead of exceptions."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.text.json_reader import read
from renderer.values.tree import walk
from tests.support.rows import each
from tests.support.samples import tried

FEW = settings(max_examples=150, deadline=None)

# One problem each: the text, and the line, column and code of what is found.
PROBLEMS = {
    "nothing": ("", 1, 1, "YML001"),
    "only blanks": (" \n ", 2, 2, "YML001"),
    "open list": ("[1,\n 2", 2, 3, "YML001"),
    "open object": ('{"a": 1', 1, 8, "YML001"),
    "missing value": ('{"a": }', 1, 7, "YML001"),
    "missing comma": ('{"a": 1\n "b": 2}', 2, 2, "YML001"),
    "missing colon": ('{"a" 1}', 1, 6, "YML001"),
    "comma before the end of a list": ("[1, ]", 1, 5, "YML001"),
    "comma before the end of an object": ('{"a": 1, }', 1, 10, "YML001"),
    "key without quotes": ("{a: 1}", 1, 2, "YML001"),
    "key is a number": ("{1: 1}", 1, 2, "YML001"),
    "trailing data": ('{"a": 1}\n{"b": 2}', 2, 1, "YML001"),
    "trailing letters": ("trues", 1, 5, "YML001"),
    "comment": ("[1, // one\n2]", 1, 5, "YML001"),
    "single quotes": ("['a']", 1, 2, "YML001"),
    "open quotes": ('["a]', 1, 2, "YML001"),
    "line end in quotes": ('["a\nb"]', 1, 4, "YML001"),
    "tab in quotes": ('["a\tb"]', 1, 4, "YML001"),
    "bad escape": ('["é\\q"]', 1, 4, "YML001"),
    "short escape": ('["\\u12"]', 1, 4, "YML001"),
    "first half of a pair": ('[1, "\\ud83d"]', 1, 5, "YML001"),
    "second half of a pair": ('{"\\ude00": 1}', 1, 2, "YML001"),
    "NaN": ("[NaN]", 1, 2, "YML001"),
    "Infinity": ("[Infinity]", 1, 2, "YML001"),
    "negative Infinity": ("[-Infinity]", 1, 2, "YML001"),
    "leading zero": ("[01]", 1, 3, "YML001"),
    "leading plus": ("[+1]", 1, 2, "YML001"),
    "no digit before the point": ("[.5]", 1, 2, "YML001"),
    "no digit after the point": ("[1.]", 1, 3, "YML001"),
    "True": ("[True]", 1, 2, "YML001"),
    "no-break space": ("[\u00a01]", 1, 2, "YML001"),
    "Latin-1": (b'["\xe9"]', 1, 3, "YML002"),
    "byte order mark": (b"\xef\xbb\xbf[]", 1, 1, "YML002"),
    "null character": ('["a\0"]', 1, 4, "YML003"),
    "line separator": ('[1,\r\n"\u2028"]', 2, 2, "YML003"),
    "key twice": ('{"a": 1,\n "a": 2}', 2, 2, "YML005"),
    "key twice, once escaped": ('{"a": 1, "\\u0061": 2}', 1, 10, "YML005"),
    "64 lists and one more": ("[" * 65 + "]" * 65, 1, 65, "YML008"),
    "100,000 brackets": ("[" * 100_000, 1, 65, "YML008"),
    "100,000 objects": ('{"":' * 100_000, 1, 257, "YML008"),
    "more than 1 MiB": (b" " * (1 << 20) + b"1", 1, 1, "YML009"),
    "bell in a key": ('{"a\\u0007": 1}', 1, 2, "YML011"),
    "line end in a key": ('{"b": 1, "a\\n": 1}', 1, 10, "YML011"),
    "2 to the 63": ("[9223372036854775808]", 1, 2, "YML013"),
    "below 64 bits": ("[-9223372036854775809]", 1, 2, "YML013"),
    "float too large": ("[1e999]", 1, 2, "YML013"),
    "5,000 digits": (f"[{'9' * 5000}]", 1, 2, "YML013"),
}


def places(data: bytes | str) -> list[tuple[int, int, str]]:
    reading = read(data.encode() if isinstance(data, str) else data, "f.json")
    assert all(item.fix and item.message and item.file == "f.json" for item in reading.problems)
    return [(item.line, item.column, item.code) for item in reading.problems]


@each("data line column code", PROBLEMS)
def test_a_problem_has_its_code_and_place(data, line, column, code):
    assert places(data) == [(line, column, code)]


def test_every_problem_up_to_a_syntax_error_is_reported():
    text = '{"a": 1e999,\n "a": 9223372036854775808,\n "\\t": 1,\n "b" 2, "a": 3}'
    assert places(text) == [
        (1, 7, "YML013"),
        (2, 2, "YML005"),
        (2, 7, "YML013"),
        (3, 2, "YML011"),
        (4, 6, "YML001"),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    {
        "9223372036854775807": 2**63 - 1,
        "-9223372036854775808": -(2**63),
        "-0.0": -0.0,
        "1E3": 1000.0,
        '"\\ud83d\\ude00"': "😀",
        '"\\/\\u0085"': "/\x85",
        "[" * 64 + "]" * 64: json.loads("[" * 64 + "]" * 64),
        " " * ((1 << 20) - 1) + "1": 1,
    }.items(),
    ids=["largest", "smallest", "minus zero", "exponent", "pair", "escapes", "64 deep", "1 MiB"],
)
def test_the_limits_themselves_are_allowed(text, value):
    reading = read(text.encode(), "f")
    assert reading.problems == []
    assert repr(reading.document.tree.plain()) == repr(value)


def test_every_value_knows_file_line_and_column():
    tree = read(
        '{\r\n "é": [1,\r\n  {"b": null}],\n"c": "d"}\n'.encode(), "dir/f.json"
    ).document.tree
    assert {node.origin.file for _, node in walk(tree)} == {"dir/f.json"}
    assert [
        (".".join(map(str, path)), node.origin[1:3], node.key and node.key[1:3])
        for path, node in walk(tree)
    ] == [
        ("", (1, 1), None),
        ("é", (2, 7), (2, 2)),
        ("é.0", (2, 8), None),
        ("é.1", (3, 3), None),
        ("é.1.b", (3, 9), (3, 4)),
        ("c", (4, 6), (4, 1)),
    ]


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
KEYS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=12)
DATA = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda child: st.lists(child, max_size=5) | st.dictionaries(KEYS, child, max_size=5),
    max_leaves=15,
)


@tried(DATA, st.sampled_from([None, 0, 2, "\t"]), few=40, many=150)
def test_valid_data_is_read_as_json_reads_it(data, indent):
    text = json.dumps(data, indent=indent)
    reading = read(text.encode(), "f")
    assert reading.problems == []
    assert repr(reading.document.tree.plain()) == repr(data)
    lines = text.splitlines(keepends=True)
    for _, node in walk(reading.document.tree):
        _, line, column, _ = node.origin
        rest = lines[line - 1][column - 1 :] + "".join(lines[line:])
        assert json.JSONDecoder().raw_decode(rest)[0] == node.plain()


MORSELS = (
    *'aé😀 \t\r\n:-[]{},"\\.0e+/\x00\u2028',
    *('"a"', '"b":', '{"a":', "[1,", "12", "1.5", "-0", "1e3", "1e999", "true", "null", "NaN"),
    *("Infinity", '"\\u0041"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\n"', "9" * 19, "1" * 5000),
)


@FEW
@given(st.binary(max_size=60) | st.lists(st.sampled_from(MORSELS), max_size=12).map("".join))
def test_nothing_raises_and_what_we_accept_is_json(data):
    data = data.encode() if isinstance(data, str) else data
    reading = read(data, "f")
    lines = [*reading.document.source.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    for found in reading.problems:
        assert found.fix
        assert 1 <= found.line <= len(lines)
        assert 1 <= found.column <= len(lines[found.line - 1]) + 1
    if not reading.problems:
        assert repr(reading.document.tree.plain()) == repr(json.loads(data))


BLANK = st.text(" \t\r\n", max_size=2)
SCALARS = st.sampled_from(
    ["null", "true", "-0", "0", "1.50", "1E+2", "0e0", '""', '"\\u00E9\\b\\/"', '"\\ud83d\\ude00"']
)


@st.composite
def collections(draw: st.DrawFn, child: st.SearchStrategy[str]) -> str:
    """A list or an object as text, with blanks wherever JSON allows them."""
    members = draw(st.lists(child, max_size=3))
    if is_object := draw(st.booleans()):
        members = [f'"{index}"{draw(BLANK)}:{member}' for index, member in enumerate(members)]
    text = ",".join(members) or draw(BLANK)
    return f"{{{text}}}" if is_object else f"[{text}]"


def between_blanks(child: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(BLANK, child, BLANK).map("".join)


@FEW
@given(st.recursive(between_blanks(SCALARS), lambda child: between_blanks(collections(child))))
def test_every_form_of_strict_json_is_accepted(text):
    reading = read(text.encode(), "f")
    assert reading.problems == []
    assert repr(reading.document.tree.plain()) == repr(json.loads(text))
