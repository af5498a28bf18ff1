"""A character of a decoded scalar is found at its own place in the file."""

import json
import re

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from renderer.text import embedded
from renderer.text import json_reader as jsonreader
from renderer.text import yaml_reader as yamlreader
from renderer.text.embedded import decode_scalar, locate, place
from renderer.values.diagnostics import Finding, Origin
from renderer.values.model import Document

CHARACTERS = st.one_of(
    st.sampled_from("ab{}[]:,\"'\\#&*!|>%@` \n\t"),
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufeff\u2028\u2029"),
)
TEXTS = st.text(CHARACTERS, max_size=40)
STYLES = {"plain": "", "single": "'", "double": '"', "literal": "|", "folded": ">"}


def scalar_of(source, file="x.yaml"):
    """The node at the key `v`, read by the project's own reader."""
    reader = jsonreader if file.endswith(".json") else yamlreader
    tree = reader.read(source.encode(), file).document.tree
    return tree.get("outer", "v") if tree else None


def stands_for(source, at, char):
    """Whether the source at an index is written so that it decodes to the character."""
    written = source[at]
    if written in "\r\n":
        return char in " \n"
    if written != "\\" or not re.search(r'["\']?v["\']?:\s*"', source):
        return written == char
    loaded = (yaml.safe_load, json.loads)
    for read in loaded:
        for width in (2, 4, 6, 10, 12):
            try:
                if read(f'"{source[at : at + width]}"') == char:
                    return True
            except (ValueError, yaml.YAMLError):
                continue
    return False


def prove(source, file="x.yaml"):
    """Every character of the value is at a place that stands for it, in order."""
    node = scalar_of(source, file)
    if node is None or not isinstance(node.value, str):
        return False
    scalar = decode_scalar(source, node.origin)
    assert scalar is not None
    assert scalar.text == node.value
    assert list(scalar.places) == sorted(set(scalar.places))
    for char, at in zip(scalar.text, scalar.places, strict=True):
        assert stands_for(source, at, char), (char, source[at : at + 12])
    return True


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@given(text=TEXTS, width=st.sampled_from([10, 20, 1000]), ascii_only=st.booleans())
@settings(max_examples=150, deadline=None)
def test_yaml_written_by_a_dumper(style, text, width, ascii_only):
    data = {"outer": {"before": "é", "v": text, "after": "x"}}
    source = yaml.dump(data, default_style=style, width=width, allow_unicode=not ascii_only)
    if scalar_of(source) is not None:  # else the reader refuses the file
        assert prove(source)


LINES = st.lists(
    st.sampled_from(["", " ", "a", "  b", "c d", "\te", "# f", "g: h", "é"]), max_size=7
)


@pytest.mark.slow
@given(
    lines=LINES,
    style=st.sampled_from("|>"),
    chomping=st.sampled_from(["", "-", "+"]),
    explicit=st.booleans(),
    indent=st.integers(1, 4),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    last=st.booleans(),
)
@settings(max_examples=250, deadline=None)
@example(["a", "", "", "b"], ">", "", False, 2, "\n", True)
@example(["  b", "a"], "|", "-", True, 2, "\r\n", False)
def test_blocks_written_by_hand(lines, style, chomping, explicit, indent, end, last):
    header = f"outer:{end}  v: &name {style}{indent if explicit else ''}{chomping} # why{end}"
    body = end.join(" " * (2 + indent) + line if line else "" for line in lines)
    source = header + body + (end if last else "")
    node = scalar_of(source)
    if node is not None and str(node.value).strip():
        assert prove(source)


PIECES = [
    "a",
    "é",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\n\n  ",
    "''",
    "\\n",
    '\\"',
    "\\u00e9",
    "\\\n",
    "\\\\",
]
PIECES += ["\\x41", "\\U0001f600", "\\ ", "\\t", "\t", "\\\n\n ", "{", ":"]


@pytest.mark.slow
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12), quote=st.sampled_from("'\""))
@settings(max_examples=250, deadline=None)
def test_quotes_written_by_hand(pieces, quote):
    source = f"outer:\n  v:\n    {quote}{''.join(pieces)}{quote}\n"
    if scalar_of(source) is not None:
        assert prove(source)


@given(text=st.text(CHARACTERS, min_size=1), ascii_only=st.booleans())
@settings(max_examples=150, deadline=None)
@example('😀\\"/\n', True)
def test_json_files(text, ascii_only):
    source = json.dumps({"outer": {"é": 1, "v": text}}, ensure_ascii=ascii_only, indent=1)
    if scalar_of(source, "x.json") is not None:
        assert prove(source, "x.json")


CASES = {
    "plain": ("v: a\n   bc", "c", (2, 5)),
    "single": ("v: 'it''s c'", "c", (1, 11)),
    "double": ('v: "\\u0041\\x42 c"', "c", (1, 16)),
    "double-continued": ('v: "a\\\n    c"', "c", (2, 5)),
    "literal": ("v: |\n  a\n\n    c\n", "c", (4, 5)),
    "folded": ("v: >-\n  a\n  b\n\n  c\n", "c", (5, 3)),
    "explicit-indentation": ("v: |1\n   a\n  c\n", "c", (3, 3)),
    "anchored": ("v: &x\n  'a c'", "c", (2, 6)),
    "carriage-returns": ("v: |\r\n  a\r\n  c\r\n", "c", (3, 3)),
    "json-escapes": ('{"v": "\\ud83d\\ude00\\/ c"}', "c", (1, 23)),
}


@pytest.mark.parametrize(("source", "char", "expected"), CASES.values(), ids=CASES)
def test_place_of_a_character(source, char, expected):
    file = "x.json" if source.startswith("{") else "x.yaml"
    reader = jsonreader if file.endswith("json") else yamlreader
    node = reader.read(source.encode(), file).document.tree.get("v")
    found = locate(source, node.origin, node.value, node.value.index(char))
    assert (found.line, found.column) == expected


def test_the_end_of_a_text_is_its_last_visible_character():
    source = "v: |\n  {\n  \n"
    assert locate(source, Origin("x.yaml", 1, 4), "{\n\n", 3) == Origin("x.yaml", 2, 3)


@pytest.mark.parametrize(
    ("text", "char", "column"),
    [("ab XYZ c d e", "b", 6), ("ab XYZ c d e", "d", 23), ("ab 1 c 2 e", "c", 4)],
    ids=["before-the-variable", "behind-it", "between-two"],
)
def test_a_text_with_a_variable(text, char, column):
    middle = "${vars.long}" if "XYZ" in text else "${vars.n}"
    source = f'v: "ab {middle} c d e"'
    found = locate(source, Origin("x.yaml", 1, 4), text, text.index(char))
    assert (found.line, found.column) == (1, column)


@pytest.mark.parametrize(
    ("source", "places"),
    [
        ('v: |\n  {"a": {\n    "b": [1,\n       2]}}\n', [(4, 8), (3, 5), (2, 4), (1, 4)]),
        ("v: |\n  a:\n    b:\n    - 1\n    - 2 # two\n", [(5, 7), (3, 5), (2, 3), (1, 4)]),
        ("v: >-\n  a:\n    b:\n\n    - 1\n    - 2\n", [(6, 7), (3, 5), (2, 3), (1, 4)]),
        ('v: "a:\\n  b: [1, 2]"\n', [(1, 18), (1, 11), (1, 5), (1, 4)]),
    ],
    ids=["JSON", "a block of YAML", "folded YAML", "quoted YAML"],
)
def test_a_path_leads_on_into_data(source, places):
    document = yamlreader.read(source.encode(), "x.yaml").document
    documents = {"x.yaml": document}
    for path, at_key, expected in zip(
        (("v", "a", "b", 1), ("v", "a", "b"), ("v", "a", "missing"), ("v",)),
        (False, True, False, False),
        places,
        strict=True,
    ):
        found = place(document.tree, Finding(path, "", at_key=at_key), documents)
        assert (found.line, found.column) == expected


def test_a_text_from_elsewhere_is_at_its_own_origin():
    tree = yamlreader.read(b'v: "{}"', "x.yaml").document.tree
    for documents in ({}, {"x.yaml": Document("x.yaml", "v: other", None)}):
        found = place(tree, Finding(("v",), "", inside=1), documents)
        assert found == Origin("x.yaml", 1, 4)


@pytest.mark.parametrize("text", ["a: {{.X}\n  b", "x\n@ y"], ids=["not-yaml", "no-token"])
def test_a_file_that_is_a_text_as_a_whole(text):
    found = locate(text, Origin("x.yaml"), text, text.index("\n") + 3)
    assert (found.line, found.column) == (2, 3)
    assert locate(text + "#", Origin("x.yaml", 2), text, 1).file == "x.yaml"


def test_without_libyaml_the_places_are_the_same(monkeypatch):
    source = "v: &x 'é c'\n"
    monkeypatch.setattr(embedded, "_Loader", yaml.SafeLoader)
    decode_scalar.cache_clear()
    assert locate(source, Origin("x.yaml", 1, 4), "é c", 2).column == 10
