"""YAML text to a tree of nodes: libyaml's events and a strict builder without recursion."""

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, cast

from renderer.text import rules
from renderer.text.decoder import (
    SPEC_LIMITS,
    Limits,
    Reading,
    conflicts,
    decode,
    hidden_characters,
    position,
)
from renderer.text.expressions import expression
from renderer.text.libyaml import yaml
from renderer.text.scalars import meaning, switch_value, whole_numbers
from renderer.values.diagnostics import Diagnostic, Origin, Rule
from renderer.values.model import Document
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Scalar, Value

try:
    Parser: Callable[[str], Any] = yaml.cyaml.CParser  # type: ignore[attr-defined]
except AttributeError:  # PyYAML was built without libyaml: the same events, more slowly
    Parser = yaml.SafeLoader

_DIRECTIVE = expression(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*%")
_SURROGATE = expression("[\ud800-\udfff]")
#: The same as `Origin(…)` in half the time; every value and every key has one.
_new_origin = cast("Callable[[tuple[str, int, int, str]], Origin]", partial(tuple.__new__, Origin))


def read(data: bytes, file: str, limits: Limits = SPEC_LIMITS, *, several: bool = False) -> Reading:
    """Read a file that holds one document, or (with `several`) a list of them."""
    text, found = decode(data, file, limits)
    if not found and (directive := _directive(text)):  # libyaml is slow on many of them
        where = position(file, text, directive.end() - 1)
        message = "the document has a directive"
        found = [rules.TAG.at(where, message, "delete the % line")]
    found = found or conflicts(text, file)
    if found:
        return Reading(Document(file, text, None), found)
    builder = _Builder(file, limits, several=several)
    tree = builder.run(text)
    return Reading(Document(file, text, tree), builder.found)


def _directive(text: str) -> re.Match[str] | None:
    """What leads up to a `%` at the beginning of a line, if nothing but comments does."""
    if not text.startswith("%") and "\n%" not in text and "\r%" not in text:
        return None
    return _DIRECTIVE.match(text)


class _Stop(Exception):
    """Nothing after this point can be trusted."""


class _Frame:
    """A mapping or a list that is still open; a key waits for its value."""

    __slots__ = ("anchor", "before", "elements", "height", "key", "members", "name", "origin")

    def __init__(
        self, origin: Origin, anchor: str | None, before: int, members: dict[str, Node] | None
    ) -> None:
        self.origin = origin
        self.anchor = anchor
        self.before = before
        self.height = 1
        self.elements: list[Node] = []
        self.members = members
        self.name: str | None = None
        self.key: Origin | None = None

    def put(self, value: Value, origin: Origin, text: str) -> Node:
        """Put a finished value where the mapping or list wants it."""
        node = Node(value, origin, self.key, text)
        if self.members is None or self.name is None:
            self.elements.append(node)
        else:
            self.members[self.name] = node
            self.name = self.key = None
        return node


class _AnchoredNode(NamedTuple):
    node: Node
    size: int
    height: int


class _Builder:
    """Turns events into nodes, counting depth and size, and collects problems."""

    def __init__(self, file: str, limits: Limits, *, several: bool) -> None:
        self.file = file
        self.limits = limits
        self.several = several
        self.found: list[Diagnostic] = []
        self.root = self.frame = _Frame(Origin(file), None, 0, None)
        self.stack: list[_Frame] = []
        self.anchors: dict[str, _AnchoredNode | None] = {}
        self.count = 0
        self.expanded = 0

    def run(self, text: str) -> Node | None:
        try:
            next_event = Parser(text).get_event
            while (kind := type(event := next_event())) is not yaml.StreamEndEvent:
                if kind is yaml.ScalarEvent:
                    self._scalar(event)
                elif handler := _HANDLERS.get(kind):
                    handler(self, event)
        except _Stop:
            return None
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # chr() without libyaml
            self.found.append(rules.syntax_diagnostic(self.file, error, text))
            return None
        roots = self.root.elements
        if self.several:
            return Node(tuple(roots), Origin(self.file))
        return roots[0] if roots else Node(None, Origin(self.file))

    def _origin(self, event: Any) -> Origin:
        mark = event.start_mark
        return _new_origin((self.file, mark.line + 1, mark.column + 1, ""))

    def _report(self, rule: Rule, where: Origin, message: str, fix: str) -> None:
        self.found.append(rule.at(where, message, fix))

    def _refuse(self, rule: Rule, where: Origin, message: str, fix: str) -> None:
        self._report(rule, where, message, fix)
        raise _Stop

    def _document(self, event: Any) -> None:
        where = self._origin(event)
        self.anchors.clear()
        if event.version or event.tags:
            self._report(rules.TAG, where, "the document has a directive", "delete the % line")
        if self.root.elements and not self.several:
            message = "a second document begins here"
            self._refuse(rules.DOCUMENTS, where, message, "move it to a file of its own")

    def _open(self, event: Any) -> None:
        where = self._origin(event)
        if event.tag:
            self._tagged(event, where)
        outer = self.frame
        if outer.members is not None and outer.name is None:
            fix = 'use text as the key; put a value that begins with "{{" in quotes'
            self._refuse(rules.KEY, where, "a mapping or list is used as a key", fix)
        if len(self.stack) >= self.limits.depth:
            message = f"values are nested more than {self.limits.depth} deep"
            self._refuse(rules.DEPTH, where, message, "flatten the structure")
        if event.anchor:
            self.anchors[event.anchor] = None
        members: dict[str, Node] | None = {} if type(event) is yaml.MappingStartEvent else None
        self.stack.append(outer)
        self.frame = _Frame(where, event.anchor, self.count, members)

    def _close(self, _event: Any) -> None:
        frame, outer = self.frame, self.stack.pop()
        value = tuple(frame.elements) if frame.members is None else frame.members
        self.count += 1
        if outer.height <= frame.height:
            outer.height = frame.height + 1
        node = outer.put(value, frame.origin, "")
        if frame.anchor:
            size = self.count - frame.before
            self.anchors[frame.anchor] = _AnchoredNode(node, size, frame.height)
        self.frame = outer

    def _alias(self, event: Any) -> None:
        where = self._origin(event)
        name = event.anchor
        target = self.anchors.get(name)
        if target is None:
            state = "contains itself" if name in self.anchors else "is not defined above"
            message = f"the anchor {name!r} {state}"
            self._refuse(rules.ALIASES, where, message, "write the value out")
            return
        frame = self.frame
        if frame.members is not None and frame.name is None:
            self._refuse(rules.KEY, where, "an alias is used as a key", "write the key out")
        self.expanded += target.size
        if self.expanded > self.limits.expanded:
            message = f"aliases expand to more than {self.limits.expanded:,} values"
            self._refuse(rules.ALIASES, where, message, "write the values out")
        if len(self.stack) + target.height > self.limits.depth:
            message = f"values are nested more than {self.limits.depth} deep"
            self._refuse(rules.DEPTH, where, message, "flatten the structure")
        self.count += target.size
        frame.height = max(frame.height, target.height + 1)
        frame.put(target.node.value, target.node.origin, target.node.text)

    def _scalar(self, event: Any) -> None:
        where = self._origin(event)
        value, style, frame = event.value, event.style, self.frame
        if event.tag:
            self._tagged(event, where)
        if style == '"' and not value.isascii() and _SURROGATE.search(value):
            self._refuse(rules.SYNTAX, where, "half of a surrogate pair", rules.ESCAPED_CHARACTER)
        if frame.members is not None and frame.name is None:
            frame.name = value
            frame.key = where
            if value in frame.members or not _is_ordinary(value):
                self._odd_key(value, where, plain=not style)
            return
        text = ""
        if not style and event.implicit[0]:
            value = self._plain(event.value, where)
            text = "" if isinstance(value, str) else event.value
        self.count += 1
        node = frame.put(value, where, text)
        if event.anchor:
            self.anchors[event.anchor] = _AnchoredNode(node, 1, 0)

    def _plain(self, text: str, where: Origin) -> Scalar:
        found = meaning(text)
        if found.dispute:
            message = f"{text} is {found.dispute}"
            is_on = switch_value(text)
            fix = "" if is_on is None else f"write {str(is_on).lower()}, or if it is text, "
            self._report(rules.AMBIGUOUS, where, message, f"{fix}{_unambiguous(text)}")
        elif not found.finite:
            message = f"{_short(text)} is not a number that fits into 64 bits"
            fix = f'write a smaller number, or quote it if it is text: "{_short(text)}"'
            self._report(rules.NUMBER, where, message, fix)
        return found.value

    def _odd_key(self, text: str, where: Origin, *, plain: bool) -> None:
        if plain:
            self._plain_key(text, where)
        if hidden := hidden_characters(text):
            message = f"a key holds the character U+{ord(hidden[0]):04X}"
            self._report(rules.KEY, where, message, "delete the character")
        known = (self.frame.members or {}).get(text)
        if known and known.key:
            self.frame.key = known.key
            message = f"the key {_short(text)!r} stands on line {known.key.line} already"
            self._report(rules.DUPLICATE_KEY, where, message, "delete one of the two")

    def _plain_key(self, text: str, where: Origin) -> None:
        found = meaning(text)
        if text == "<<":
            fix = "write the values out, or give them to every environment by inheritance"
            self._report(rules.MERGE, where, "a merge key is used", fix)
        elif found.dispute:
            message = f"the key {text} is {found.dispute}"
            self._report(rules.AMBIGUOUS, where, message, _unambiguous(text))
        elif not isinstance(found.value, str) or not found.finite:
            message = f"the key {_short(text)} is not text"
            self._report(rules.KEY, where, message, f'quote it: "{_short(text)}"')

    def _tagged(self, event: Any, where: Origin) -> None:
        message = f"the value has the tag {_short(event.tag)}"
        self._report(rules.TAG, where, message, "delete the tag; quote text that needs it")


_HANDLERS: dict[type, Callable[[_Builder, Any], None]] = {
    yaml.DocumentStartEvent: _Builder._document,
    yaml.AliasEvent: _Builder._alias,
    yaml.SequenceStartEvent: _Builder._open,
    yaml.MappingStartEvent: _Builder._open,
    yaml.SequenceEndEvent: _Builder._close,
    yaml.MappingEndEvent: _Builder._close,
}


@lru_cache(maxsize=4096)
def _is_ordinary(key: str) -> bool:
    """Whether there is nothing to say of a key, in quotes or without."""
    return meaning(key) == (key, "", True) and not hidden_characters(key)


def _unambiguous(text: str) -> str:
    """No reader's number is advised without the others': `0777` is rarely meant to be 777."""
    numbers = whole_numbers(text)
    if len(numbers) > 1:
        meant = f"the number that is meant: {numbers[0]}, as Kubernetes reads it, or {numbers[1]}"
        return f'write {meant}; if it is text, quote it: "{text}"'
    if numbers:
        return f'write {numbers[0]}, or if it is text, quote it: "{text}"'
    looks_like_number = text[0] in "-+.0123456789" and not set(text[1:]) & set(":-")
    digits = "; for a number, use plain digits" if looks_like_number else ""
    return f'quote it: "{text}"{digits}'


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"  # noqa: PLR2004
