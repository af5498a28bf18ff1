"""Text inside a file: which place in the file a character of a decoded scalar came from."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

from renderer.text import json_reader, yaml_reader
from renderer.text.expressions import expression
from renderer.text.libyaml import yaml
from renderer.text.wording import LINE_END
from renderer.values.diagnostics import Finding, Origin
from renderer.values.model import Document
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_Loader: Any = getattr(yaml, "CLoader", yaml.SafeLoader)
_BLANK = expression(r"[ \t\r\n]+")
_CONTINUED = expression(r"\\(?:\r\n|\r|\n)[ \t\r\n]*")
_HEX = {"x": 2, "u": 4, "U": 8}
_SHORT = dict(
    zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True)
)
_PAIR = expression(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")

PlacedCharacter: TypeAlias = tuple[str, int]


class Scalar(NamedTuple):
    """A decoded text, and for each of its characters the index in the source."""

    text: str
    places: Sequence[int]


def place(tree: Node, finding: Finding, documents: Mapping[str, Document]) -> Origin:
    """Where a finding is: at a path, at an index of the text there, or on within its data."""
    node, rest = _outermost_text(tree, finding)
    document = documents.get(node.origin.file) if node else None
    if not node or not document:
        return tree.locate(finding.path, at_key=finding.at_key)
    text = str(node.value)
    if rest:
        text = _original_text(text, document.source, node.origin)
    index = _index_within(text, finding._replace(path=rest)) if rest else finding.inside
    return node.origin if index is None else locate(document.source, node.origin, text, index)


def _original_text(text: str, source: str, origin: Origin) -> str:
    """A text before variables were put into its strings, which a path leads through too."""
    scalar = decode_scalar(source, origin) if origin.note and text != source else None
    return scalar.text if scalar else text


def locate(source: str, origin: Origin, text: str, index: int) -> Origin:
    """The place of a character of a scalar's text; the scalar's own if it is not from there."""
    whole = Scalar(text, range(len(text))) if text == source else None
    scalar = whole or decode_scalar(source, origin)
    index = max(min(index, len(text.rstrip()) - 1), 0)
    if not scalar or not scalar.text or not text:
        return origin
    if text[: index + 1] != scalar.text[: index + 1]:  # a variable stood before it
        if not scalar.text.endswith(text[index:]):
            return origin
        index += len(scalar.text) - len(text)
    starts = _line_starts(source)
    line = bisect_right(starts, scalar.places[index])
    return origin._replace(line=line, column=scalar.places[index] - starts[line - 1] + 1)


@lru_cache(maxsize=2)
def decode_scalar(source: str, origin: Origin) -> Scalar | None:
    """The scalar that begins at a place, read character by character."""
    starts = _line_starts(source)
    start = starts[origin.line - 1] + origin.column - 1 if origin.line <= len(starts) else 0
    if origin.file.endswith(".json"):
        return _scalar(_json(source, start + 1)) if source.startswith('"', start) else None
    token = _token(source, start)
    scalar = _scalar(_characters(source, token)) if token else None
    return scalar if scalar and scalar.text == token.value else None


def _scalar(placed: Iterable[PlacedCharacter]) -> Scalar:
    pairs = list(placed)
    return Scalar("".join(char for char, _ in pairs), tuple(at for _, at in pairs))


@lru_cache(maxsize=2)
def _line_starts(source: str) -> list[int]:
    return [0, *(match.end() for match in LINE_END.finditer(source))]


def _outermost_text(tree: Node, finding: Finding) -> tuple[Node | None, tuple[str | int, ...]]:
    """The text that a path leads to or through, and the rest of the path."""
    node: Node | None = tree
    for depth in range(len(finding.path) + 1):
        rest = finding.path[depth:]
        if node is None or isinstance(node.value, str):
            inside = node if rest or finding.inside is not None else None
            return inside, rest
        node = node.step(rest[0]) if rest else None
    return None, ()


def _index_within(text: str, finding: Finding) -> int | None:
    """The index of a path of a JSON or YAML document; nothing if the text is none."""
    tree = _opened(text)
    if not tree:
        return None
    origin = place(tree, finding, {"": Document("", text, tree)})
    return _line_starts(text)[origin.line - 1] + origin.column - 1


@lru_cache(maxsize=2)
def _opened(text: str) -> Node | None:
    data = text.encode("utf-8", "replace")
    found = json_reader.read(data, "").document.tree
    return found or yaml_reader.read(data, "").document.tree


def _token(source: str, start: int) -> Any:
    """YAML's own account of the scalar that an index begins, behind its anchor if it has one."""
    try:
        for token in yaml.scan(source, Loader=_Loader):
            if isinstance(token, yaml.ScalarToken) and token.start_mark.index >= start:
                return token
    except yaml.YAMLError:  # a file that was taken as text and never read as YAML
        return None
    return None


def _characters(source: str, token: Any) -> Iterator[PlacedCharacter]:
    start, end = token.start_mark.index, token.end_mark.index
    if token.style in ("|", ">"):
        return _block(source[:end], start, token.value, folds=token.style == ">")
    if token.style == '"':
        return _flow(source[: end - 1], start + 1, _escaped)
    if token.style == "'":
        return _flow(source[: end - 1], start + 1, _doubled)
    return _flow(source[:end], start, _itself)


_Unit: TypeAlias = Callable[[str, int], tuple[str, int]]


def _flow(source: str, index: int, unit: _Unit) -> Iterator[PlacedCharacter]:
    """A scalar whose line ends are folded: plain or in quotes."""
    while index < len(source):
        if blank := _BLANK.match(source, index):
            yield from _folded(blank)
            index = blank.end()
        elif unit is _escaped and (continued := _CONTINUED.match(source, index)):
            breaks = list(LINE_END.finditer(source, index, continued.end()))
            yield from (("\n", found.start()) for found in breaks[1:])
            index = continued.end()
        else:
            text, width = unit(source, index)
            yield text, index
            index += width


def _folded(blank: re.Match[str]) -> Iterator[PlacedCharacter]:
    """Blanks within a line stay; one line end is a space, more are one less."""
    breaks = list(LINE_END.finditer(blank.string, blank.start(), blank.end()))
    if not breaks:
        yield from ((char, blank.start() + offset) for offset, char in enumerate(blank[0]))
    elif len(breaks) == 1:
        yield " ", breaks[0].start()
    else:
        yield from (("\n", found.start()) for found in breaks[1:])


def _itself(source: str, index: int) -> tuple[str, int]:
    return source[index], 1


def _doubled(source: str, index: int) -> tuple[str, int]:
    return source[index], 2 if source[index] == "'" else 1


def _escaped(source: str, index: int) -> tuple[str, int]:
    if source[index] != "\\":
        return source[index], 1
    mark = source[index + 1]
    if digits := _HEX.get(mark):
        return chr(int(source[index + 2 : index + 2 + digits], 16)), 2 + digits
    return _SHORT.get(mark, mark), 2


def _json(source: str, index: int) -> Iterator[PlacedCharacter]:
    while index < len(source) and source[index] != '"':
        if pair := _PAIR.match(source, index):
            high, low = int(pair[0][2:6], 16), int(pair[0][8:], 16)
            yield chr(0x10000 + ((high - 0xD800) << 10) + low - 0xDC00), index
            index = pair.end()
        else:
            text, width = _escaped(source, index)
            yield text, index
            index += width


class _Line(NamedTuple):
    start: int
    text: str
    end: int


def _block(source: str, start: int, value: str, *, folds: bool) -> Iterator[PlacedCharacter]:
    """A literal or folded block: lines without their indentation."""
    header = LINE_END.search(source, start)
    if not header:
        return
    lines = list(_lines(source, header.end()))
    indent = _indentation([line.text for line in lines]) - _indentation(value.split("\n"))
    yield from islice(_joined(lines, indent, folds=folds), len(value))


def _lines(source: str, start: int) -> Iterator[_Line]:
    for found in LINE_END.finditer(source, start):
        yield _Line(start, source[start : found.start()], found.start())
        start = found.end()
    yield _Line(start, source[start:], len(source))


def _indentation(lines: list[str]) -> int:
    """The spaces before the first line that has more than spaces."""
    first = next((line for line in lines if line.strip(" ")), "")
    return len(first) - len(first.lstrip(" "))


def _joined(lines: list[_Line], indent: int, *, folds: bool) -> Iterator[PlacedCharacter]:
    pending: list[int] = []
    before = " "
    for line in lines:
        text = line.text[indent:]
        if not text:
            pending.append(line.end)
            continue
        yield from _line_breaks(
            pending, folds=folds and before not in " \t" and text[0] not in " \t"
        )
        yield from ((char, line.start + indent + at) for at, char in enumerate(text))
        pending, before = [line.end], text[0]
    yield from (("\n", at) for at in pending)


def _line_breaks(breaks: list[int], *, folds: bool) -> Iterator[PlacedCharacter]:
    """What the line ends between two lines of text become."""
    if not folds:
        yield from (("\n", at) for at in breaks)
    elif len(breaks) == 1:
        yield " ", breaks[0]
    else:
        yield from (("\n", at) for at in breaks[1:])
