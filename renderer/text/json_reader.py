"""JSON text to a tree of nodes, every value with its line and column."""

import json
import re
from bisect import bisect_right
from json import JSONDecodeError
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Never

from renderer.text import rules
from renderer.text.decoder import SPEC_LIMITS, Limits, Reading, conflicts, decode, hidden_characters
from renderer.text.expressions import expression
from renderer.text.scalars import fits
from renderer.text.wording import LINE_END
from renderer.values.diagnostics import Diagnostic, Origin, Rule
from renderer.values.model import Document
from renderer.values.tree import Node, Scalar

_BLANK = expression(r"[ \t\r\n]*")
_NUMBER = expression(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
_WORD = expression("|".join(_WORDS))
_SURROGATE = expression("[\ud800-\udfff]")
_LONGEST_NUMBER = 400


class _Stop(Exception):
    """Nothing after this point can be trusted."""


def read(data: bytes, file: str, limits: Limits = SPEC_LIMITS) -> Reading:
    """Read a file that holds one JSON value."""
    text, found = decode(data, file, limits)
    found = found or conflicts(text, file)
    if found:
        return Reading(Document(file, text, None), found)
    parser = _Parser(text, file, limits)
    return Reading(Document(file, text, parser.run()), parser.found)


class _Parser:
    def __init__(self, text: str, file: str, limits: Limits) -> None:
        self.text = text
        self.file = file
        self.limits = limits
        self.starts = [0, *(match.end() for match in LINE_END.finditer(text))]
        self.found: list[Diagnostic] = []

    def run(self) -> Node | None:
        try:
            node, end = self._value(self._skip(0), 0, None)
            if end != len(self.text):
                self._refuse(rules.SYNTAX, end, "something follows the JSON value", "delete it")
        except _Stop:
            return None
        return node

    def _origin(self, index: int) -> Origin:
        line = bisect_right(self.starts, index)
        return Origin(self.file, line, index - self.starts[line - 1] + 1)

    def _refuse(self, rule: Rule, index: int, message: str, fix: str) -> Never:
        self.found.append(rule.at(self._origin(index), message, fix))
        raise _Stop

    def _skip(self, index: int) -> int:
        match = _BLANK.match(self.text, index)
        return match.end() if match else index

    def _value(self, index: int, depth: int, key: Origin | None) -> tuple[Node, int]:
        """The value at an index, and the index of what follows it."""
        origin = self._origin(index)
        first = self.text[index : index + 1]
        if first in ("{", "[") and depth >= self.limits.depth:
            message = f"values are nested more than {self.limits.depth} deep"
            self._refuse(rules.DEPTH, index, message, "flatten the structure")
        if first == "{":
            members, end = self._object(index, depth + 1)
            return Node(members, origin, key), self._skip(end)
        if first == "[":
            elements, end = self._array(index, depth + 1)
            return Node(elements, origin, key), self._skip(end)
        value, text, end = self._scalar(index, first)
        return Node(value, origin, key, text), self._skip(end)

    def _scalar(self, index: int, first: str) -> tuple[Scalar, str, int]:
        if first == '"':
            text, end = self._string(index)
            return text, "", end
        if match := _NUMBER.match(self.text, index):
            return self._number(match), match[0], match.end()
        if match := _WORD.match(self.text, index):
            return _WORDS[match[0]], match[0], match.end()
        what = f"{first!r} is not the start of a JSON value" if first else "the text ends early"
        return self._refuse(rules.SYNTAX, index, what, "check quotes, brackets and commas")

    def _string(self, index: int) -> tuple[str, int]:
        try:
            text, end = scanstring(self.text, index + 1, True)
        except JSONDecodeError as error:
            fix = 'close the quotes; write line ends as \\n and quotes as \\"'
            self._refuse(rules.SYNTAX, error.pos, error.msg.lower(), fix)
        if _SURROGATE.search(text):
            message = "the text holds half of a surrogate pair"
            self._refuse(rules.SYNTAX, index, message, rules.ESCAPED_CHARACTER)
        return text, end

    def _number(self, match: re.Match[str]) -> Scalar:
        text = match[0]
        if len(text) <= _LONGEST_NUMBER:
            value = float(text) if match[1] or match[2] else int(text)
            if fits(value):
                return value
        message = f"{text[:40]} is not a number that fits into 64 bits"
        fix = "write a smaller number, or quote it if it is text"
        self.found.append(rules.NUMBER.at(self._origin(match.start()), message, fix))
        return text

    def _object(self, index: int, depth: int) -> tuple[dict[str, Node], int]:
        members: dict[str, Node] = {}
        index = self._skip(index + 1)
        if self.text[index : index + 1] == "}":
            return members, index + 1
        while True:
            name, key, index = self._key(index, members)
            members[name], index = self._value(index, depth, key)
            if self.text[index : index + 1] == "}":
                return members, index + 1
            index = self._comma(index, "}")

    def _key(self, index: int, members: dict[str, Node]) -> tuple[str, Origin, int]:
        if self.text[index : index + 1] != '"':
            self._refuse(rules.SYNTAX, index, "a key in double quotes is expected", "add it")
        name, end = self._string(index)
        key = self._origin(index)
        if known := members.get(name):
            line = (known.key or known.origin).line
            message = f"the key {name[:40]!r} stands on line {line} already"
            self.found.append(rules.DUPLICATE_KEY.at(key, message, "delete one of the two"))
        if hidden := hidden_characters(name):
            message = f"a key holds the character U+{ord(hidden[0]):04X}"
            self.found.append(rules.KEY.at(key, message, "delete the character"))
        end = self._skip(end)
        if self.text[end : end + 1] != ":":
            self._refuse(rules.SYNTAX, end, "':' is expected after a key", "add it")
        return name, key, self._skip(end + 1)

    def _array(self, index: int, depth: int) -> tuple[tuple[Node, ...], int]:
        elements: list[Node] = []
        index = self._skip(index + 1)
        if self.text[index : index + 1] == "]":
            return (), index + 1
        while True:
            node, index = self._value(index, depth, None)
            elements.append(node)
            if self.text[index : index + 1] == "]":
                return tuple(elements), index + 1
            index = self._comma(index, "]")

    def _comma(self, index: int, closing: str) -> int:
        if self.text[index : index + 1] != ",":
            self._refuse(rules.SYNTAX, index, f"',' or '{closing}' is expected", "add it")
        return self._skip(index + 1)


TOO_DEEP = "it is nested too deeply"
_OBJECT = expression(r'\s*\{\s*"')


def begins_as_object(text: str) -> bool:
    """Whether a text begins as an object does that has a first key."""
    return bool(_OBJECT.match(text))


def json_fault(text: str) -> tuple[str, int] | None:
    """Why a text is no JSON, and where; nothing if it is. Numbers may be of any length."""
    try:
        json.loads(text, parse_int=str)
    except json.JSONDecodeError as error:
        return fault_of(error)
    except RecursionError:
        return TOO_DEEP, 0
    return None


def fault_of(error: json.JSONDecodeError) -> tuple[str, int]:
    """What is wrong and where; since Python 3.13 a comma at the end has words of its own."""
    message, index = error.msg, error.pos
    if message.startswith("Illegal trailing comma"):
        rest = error.doc[index + 1 :]
        index += 1 + len(rest) - len(rest.lstrip())
        in_object = rest.lstrip().startswith("}")
        message = "Expecting " + (
            "property name enclosed in double quotes" if in_object else "value"
        )
    return f"{message[:1].lower()}{message[1:]}", index
