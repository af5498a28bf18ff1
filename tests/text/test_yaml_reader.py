"""YAML files: every value has its place, every problem its code, place and remedy."""

import json
import sys
import tracemalloc
import warnings

import pytest
import ruamel.yaml
import yaml
from hypothesis import HealthCheck, example, given, reject, settings
from hypothesis import strategies as st

from renderer.text import decoder as texts
from renderer.text import yaml_reader as yamlreader
from renderer.text import yaml_writer as yamlwriter
from renderer.text.decoder import SPEC_LIMITS
from renderer.text.wording import LINE_END
from renderer.text.yaml_reader import read
from renderer.values.tree import walk
from tests.support.rows import each
from tests.support.yamldata import TEXT

PARSERS = {"libyaml": yaml.cyaml.CParser, "pure python": yaml.SafeLoader}
FEW = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

DEEP = "[" * 39 + "]" * 39

# One problem each: the text, and the line, column and code of what is found.
PROBLEMS = {
    "open bracket": ("a: 1\nparties: [alice, bob\n", 2, 10, "YML001"),
    "open bracket at the end": ("a: 1\nb: [", 2, 5, "YML001"),
    "open quote": ("a: 'x\nb: 1\n", 1, 4, "YML001"),
    "colon in plain text": ("a: b: c\n", 1, 5, "YML001"),
    "wrong indentation": ("a: 1\nb: 2\n c: 3\n", 3, 3, "YML001"),
    "reserved indicator": ("a: @x\n", 1, 4, "YML001"),
    "half of a surrogate pair": ('a: "\\ud83d"\n', 1, 7, "YML001"),
    "beyond Unicode": ('a: "\\UFFFFFFFF"\n', 1, 7, "YML001"),
    "unknown directive": ("%FOO bar\n---\na: 1\n", 1, 1, "YML012"),
    "YAML of the future": ("%YAML 3.0\n---\na: 1\n", 1, 1, "YML012"),
    "text after the end mark": ("a: 1\n...\nb: 2\n", 3, 1, "YML001"),
    "Latin-1": (b"a: 1\nb: \xe9t\xe9\n", 2, 4, "YML002"),
    "cut off in a character": (b"a: \xc3\xa9\xe2\x82", 1, 5, "YML002"),
    "surrogate in UTF-8": (b"a: \xed\xa0\x80\n", 1, 4, "YML002"),
    "byte order mark": (b"\xef\xbb\xbfa: 1\n", 1, 1, "YML002"),
    "UTF-16": ("a: 1\n".encode("utf-16"), 1, 1, "YML002"),
    "null character": ("a: x\0y\n", 1, 5, "YML003"),
    "escape character": ("a: 1\r\nb: \x1b[2J\r\n", 2, 4, "YML003"),
    "delete": ("a: 1\rb: \x7f\r", 2, 4, "YML003"),
    "next line": ("a: b\x85c: d\n", 1, 5, "YML003"),
    "line separator": ("a: b\u2028c\n", 1, 5, "YML003"),
    "mark in the middle": ("a: \ufeff\n", 1, 4, "YML003"),
    "tab as indentation": ("image:\n\ttag: v1\n", 2, 1, "YML004"),
    "tab after spaces": ("a:\n  b: 1\n  \tc: 2\n", 3, 3, "YML004"),
    "key twice": ("a: 1\nb: 2\na: 3\n", 3, 1, "YML005"),
    "key twice, once quoted": ("x:\n  é: 1\n  'é': 2\n", 3, 3, "YML005"),
    "key twice in braces": ("x: {b: 1, b: 2}\n", 1, 11, "YML005"),
    "second document": ("a: 1\n---\nb: 2\n", 2, 1, "YML006"),
    "empty second document": ("---\n---\n", 2, 1, "YML006"),
    "unknown anchor": ("a: *missing\n", 1, 4, "YML007"),
    "anchor inside itself": ("a: &a [x, *a]\n", 1, 11, "YML007"),
    "alias bomb": (BOMB, 5, 8, "YML007"),
    "64 lists and one more": ("[" * 65 + "]" * 65, 1, 65, "YML008"),
    "100,000 brackets": ("[" * 100_000, 1, 65, "YML008"),
    "100,000 dashes": ("- " * 100_000, 1, 129, "YML008"),
    "deep maps": ("".join(f"{' ' * depth}a:\n" for depth in range(70)), 65, 65, "YML008"),
    "deep by an alias": (f"- &a [{DEEP}, x]\n- {'[' * 24}*a", 2, 27, "YML008"),
    "more than 1 MiB": (b"a: " + b"x" * (1 << 20), 1, 1, "YML009"),
    "number as key": ("a: 1\n8080: x\n", 2, 1, "YML011"),
    "null as key": ("? ~\n: x\n", 1, 3, "YML011"),
    "truth as key": ("{true: x}\n", 1, 2, "YML011"),
    "infinity as key": (".inf: x\n", 1, 1, "YML011"),
    "list as key": ("? [a]\n: b\n", 1, 3, "YML011"),
    "template braces": ("a: {{ x }}\n", 1, 5, "YML011"),
    "100,000 braces": ("{" * 100_000, 1, 2, "YML011"),
    "alias as key": ("a: &x k\n*x : 1\n", 2, 1, "YML011"),
    "bell in a key": ('a: 1\n"b\\a": 1\n', 2, 1, "YML011"),
    "tab in a key": ('"a\\tb": 1\n', 1, 1, "YML011"),
    "line end in a key": ('"a\\nb": 1\n', 1, 1, "YML011"),
    "next line in a key": ('"a\\Nb": 1\n', 1, 1, "YML011"),
    "reversed text in a key": ("a\u202eb: 1\n", 1, 1, "YML011"),
    "isolated text in a key": ("a\u2066b: 1\n", 1, 1, "YML011"),
    "tag": ("a: !!str 1.10\n", 1, 4, "YML012"),
    "own tag on a list": ("a: !mine [x]\n", 1, 4, "YML012"),
    "object tag": ("a: !!python/object/apply:os.system [ls]\n", 1, 4, "YML012"),
    "tag on a key": ("!!str a: 1\n", 1, 1, "YML012"),
    "bare tag": ("a: ! 12\n", 1, 4, "YML012"),
    "bare tag after an anchor": ("a: &x !\n  12\n", 1, 4, "YML012"),
    "version directive": ("%YAML 1.2\n---\na: 1\n", 1, 1, "YML012"),
    "tag directive": ("# x\n%TAG ! tag:x,2000:\n---\na: 1\n", 2, 1, "YML012"),
    "infinity": ("a: .inf\n", 1, 4, "YML013"),
    "negative infinity": ("a: [-.Inf]\n", 1, 5, "YML013"),
    "not a number": ("a: .NaN\n", 1, 4, "YML013"),
    "2 to the 63": ("a: 9223372036854775808\n", 1, 4, "YML013"),
    "below 64 bits": ("a: -9223372036854775809\n", 1, 4, "YML013"),
    "float too large": ("a: 1.0e+999\n", 1, 4, "YML013"),
    "5,000 digits": (f"a: {'9' * 5000}\n", 1, 4, "YML013"),
    "long hexadecimal": (f"a: 0x{'f' * 200}\n", 1, 4, "YML013"),
    "long base 60": (f"a: 1{':30' * 100}\n", 1, 4, "YML013"),
    "long with underscores": (f"a: 1{'_0' * 100}\n", 1, 4, "YML013"),
    "merge key": ("a: &a {x: 1}\nb:\n  <<: *a\n", 3, 3, "YML014"),
}
DISPUTED = (
    *("on", "On", "OFF", "yes", "No", "y", "n", "Y", "N", "0644", "-017", "0o17", "08", "1:30"),
    *("190:20:30.5", "1_000", "1_0.5", "1e3", "12e34", "1.5e3", "0b11", "-0x1f", "-.5", "="),
    *("2024-01-01", "2024-01-01T10:00:00Z", "2001-12-14 21:59:43.10 -5", "<<"),
)
UNDISPUTED = (
    *(("1", 1), ("+5", 5), ("-0", 0), ("1.10", 1.1), (".5", 0.5), ("2.", 2.0), ("1.5e+3", 1500.0)),
    *(("0x1f", 31), ("true", True), ("False", False), ("null", None), ("~", None), ("", None)),
    *((text, text) for text in ("text", "v1.2.3", "1.2.3", "12ab", "yes sir", "500m", ".iNF")),
    *(("9223372036854775807", 2**63 - 1), ("-9223372036854775808", -(2**63))),
)


def places(data: bytes | str) -> list[tuple[int, int, str]]:
    reading = read(data.encode() if isinstance(data, str) else data, "f.yaml")
    assert all(item.fix and item.message and item.file == "f.yaml" for item in reading.problems)
    return [(item.line, item.column, item.code) for item in reading.problems]


@each("data line column code", PROBLEMS)
def test_a_problem_has_its_code_and_place(data, line, column, code):
    assert places(data) == [(line, column, code)]


def test_a_character_is_refused_wherever_it_stands():
    for code in (*range(0x300), *range(0x2000, 0x2100), *range(0xFE00, 0x10000)):
        refused = bool(texts._FORBIDDEN.search(chr(code)))
        for data in (f"é: {chr(code)}x\n", f"{chr(code)}\r\n"):
            _, found = texts.decode(data.encode(), "f", SPEC_LIMITS)
            assert refused == bool(found), hex(code)


@pytest.mark.parametrize(
    "expression",
    [texts._HIDDEN, yamlwriter._UNBLOCKABLE, yamlwriter._ESCAPED],
    ids=["hidden", "steering", "escaped"],
)
def test_what_is_printable_needs_no_closer_look(expression):
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert not any(map(str.isprintable, expression.findall(every)))


@pytest.mark.parametrize("line", ["%FOO bar", "%YAML 3.0", "%YAML 1.1", "%TAG ! x:", "%YAML x"])
def test_a_directive_is_to_be_deleted(line):
    (found,) = read(f"{line}\n---\na: 1\n".encode(), "f").problems
    assert found.fix == "delete the % line"


@given(st.text("% \t#\r\nax", max_size=8))
def test_directives_are_where_the_expression_finds_them(text):
    assert bool(yamlreader._directive(text)) == bool(yamlreader._DIRECTIVE.match(text))


@each("text", DISPUTED)
def test_what_readers_read_differently_is_to_be_quoted(text):
    (found,) = read(f"a: 1\nb:\n  - {text}\n".encode(), "f").problems
    assert (found.line, found.column, found.code) == (3, 5, "YML010")
    assert f'quote it: "{text}"' in found.fix
    assert places(f"'{text}': \"{text}\"\n") == []
    assert places(f"{text}: 1\n") == [(1, 1, "YML014" if text == "<<" else "YML010")]


@each("text value", UNDISPUTED)
def test_what_all_readers_agree_on_is_fine(text, value):
    reading = read(f"- {text}\n".encode(), "f")
    assert reading.problems == []
    assert repr(reading.document.tree.plain()) == repr([value])


def test_every_problem_of_a_file_is_reported():
    text = "a: on\nb: !x 1\na: .inf\n7: &n {<<: 1}\nc: *n\nd: 0644\ne: [*missing, on]\nf: off\n"
    assert places(text) == [
        *((1, 4, "YML010"), (2, 4, "YML012"), (3, 1, "YML005"), (3, 4, "YML013")),
        *((4, 1, "YML011"), (4, 8, "YML014"), (6, 4, "YML010"), (7, 5, "YML007")),
    ]
    assert [line for line, _, _ in places("a: \x01\nb: \x02\nc: \x03\n")] == [1, 2, 3]


def test_every_value_knows_file_line_and_column():
    text = "# é\nimage:\n  tag: v1\n😀 b: {x: [1, two]}\nlist:\n- - |\n    text\n  - &n\n- *n\n"
    tree = read(text.encode(), "dir/f.yaml").document.tree
    assert {node.origin.file for _, node in walk(tree)} == {"dir/f.yaml"}
    assert [
        (".".join(map(str, path)), node.origin[1:3], node.key and node.key[1:3])
        for path, node in walk(tree)
    ] == [
        ("", (2, 1), None),
        ("image", (3, 3), (2, 1)),
        ("image.tag", (3, 8), (3, 3)),
        ("😀 b", (4, 6), (4, 1)),
        ("😀 b.x", (4, 10), (4, 7)),
        ("😀 b.x.0", (4, 11), None),
        ("😀 b.x.1", (4, 14), None),
        ("list", (6, 1), (5, 1)),
        ("list.0", (6, 3), None),
        ("list.0.0", (6, 5), None),
        ("list.0.1", (8, 5), None),
        ("list.1", (8, 5), None),
    ]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n"])
def test_an_empty_file_is_null(text):
    tree = read(text.encode(), "f").document.tree
    assert (tree.value, tree.origin.file) == (None, "f")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_line_ends_do_not_move_lines(end):
    assert places(f"a: 1{end}{end}b: on{end}") == [(3, 4, "YML010")]


@pytest.mark.parametrize(
    "text",
    ["[" * 64 + "]" * 64, f"- &a [{DEEP}, x]\n- {'[' * 23}*a{']' * 23}", "#" * (1 << 20)],
    ids=["64 deep", "64 deep by an alias", "1 MiB"],
)
def test_the_limits_themselves_are_allowed(text):
    assert places(text) == []


def test_aliases_may_expand_to_ten_thousand_values():
    text = f"- &a [{'x, ' * 99}]\n" + "- *a\n" * 101
    assert SPEC_LIMITS.expanded == 10_000
    assert places(text.removesuffix("- *a\n")) == []
    assert places(text) == [(102, 3, "YML007")]


def test_an_alias_bomb_takes_little_memory():
    tracemalloc.start()
    places(BOMB)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


def test_several_documents_if_asked_for():
    reading = read(b"a: &x 1\n---\nb: [2]\n--- # none\n", "f", several=True)
    assert reading.problems == []
    assert reading.document.tree.plain() == [{"a": 1}, {"b": [2]}, None]
    (found,) = read(b"a: &x 1\n---\nb: *x\n", "f", several=True).problems
    assert (found.line, found.code) == (3, "YML007")


@pytest.mark.parametrize("parser", PARSERS.values(), ids=PARSERS)
@FEW
@given(data=st.binary(max_size=60) | TEXT.map(str.encode))
@example(data=b'"\\UFFFFFFFF"')
@example(data=b'"\\U00110000"')
@example(data=b'["\\ud800"]')
@example(data=b'{"\\ud800": 1}')
def test_no_bytes_raise(parser, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yamlreader, "Parser", parser)
        reading = read(data, "f")
    lines = LINE_END.split(reading.document.source)
    for found in reading.problems:
        assert found.fix
        assert 1 <= found.line <= len(lines)
        assert 1 <= found.column <= len(lines[found.line - 1]) + 1
    assert (
        reading.problems or json.dumps(reading.document.tree.plain(), ensure_ascii=False).encode()
    )


@pytest.mark.slow
@settings(FEW, max_examples=150)
@given(TEXT)
def test_what_two_readers_agree_on_is_what_we_read(text):
    reading = read(text.encode(), "f")
    try:
        with warnings.catch_warnings(action="ignore"):
            old, new = yaml.safe_load(text), ruamel.yaml.YAML(typ="safe", pure=True).load(text)
    except (yaml.YAMLError, ruamel.yaml.error.YAMLError, ValueError, TypeError, OverflowError):
        reject()
    if not reading.problems and repr(old) == repr(new):
        assert repr(reading.document.tree.plain()) == repr(old)


JSON_LIKE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text("aé😀: #", max_size=8),
    lambda child: (
        st.lists(child, max_size=4) | st.dictionaries(st.text("abé- "), child, max_size=4)
    ),
    max_leaves=12,
)


@FEW
@given(data=JSON_LIKE, indent=st.sampled_from([None, 2]))
def test_the_place_of_a_value_is_where_its_text_stands(data, indent):
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    lines = text.splitlines(keepends=True)
    for _, node in walk(read(text.encode(), "f").document.tree):
        _, line, column, _ = node.origin
        rest = lines[line - 1][column - 1 :] + "".join(lines[line:])
        assert json.JSONDecoder().raw_decode(rest)[0] == node.plain()
