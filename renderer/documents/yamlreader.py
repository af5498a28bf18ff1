"""YAML text to a tree of nodes: libyaml's events and a strict builder without recursion."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import yaml

from renderer.diagnostics import Diagnostic, Origin, Rule
from renderer.documents import problems
from renderer.documents.scalars import meaning
from renderer.documents.syntax import ESCAPED_CHARACTER, syntax_problem
from renderer.documents.text import (
    SPEC_LIMITS,
    Limits,
    decode,
    hidden_characters,
    position,
)
from renderer.expressions import expression
from renderer.model import Document
from renderer.tree import Node, Scalar

try:
    Parser: Callable[[str], Any] = yaml.cyaml.CParser  # type: ignore[attr-defined]
except AttributeError:  # PyYAML was built without libyaml: the same events, more slowly
    Parser = yaml.SafeLoader

_DIRECTIVE = expression(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*%")
_SURROGATE = expression("[\ud800-\udfff]")


class Reading(NamedTuple):
    """What came of a file: the document, and every problem found on the way."""

    document: Document
    problems: list[Diagnostic]


def read(data: bytes, file: str, limits: Limits = SPEC_LIMITS, *, several: bool = False) -> Reading:
    """Read a file that holds one document, or (with `several`) a list of them."""
    text, found = decode(data, file, limits)
    if not found and (directive := _DIRECTIVE.match(text)):  # libyaml is slow on many of them
        where = position(file, text, directive.end() - 1)
        message = "the document has a directive"
        found = [problems.TAG.at(where, message, "delete the % line")]
    if found:
        return Reading(Document(file, text, None), found)
    builder = _Builder(file, limits, several=several)
    tree = builder.run(text)
    return Reading(Document(file, text, tree), builder.found)


class _Stop(Exception):
    """Nothing after this point can be trusted."""


class _Frame:
    """A mapping or a list that is still open."""

    __slots__ = ("anchor", "before", "elements", "height", "keys", "mapping", "name", "origin")

    def __init__(self, origin: Origin, anchor: str | None, before: int) -> None:
        self.origin = origin
        self.anchor = anchor
        self.before = before
        self.height = 1
        self.elements: list[Node] = []
        self.mapping: dict[str, Node] | None = None
        self.keys: dict[str, Origin] = {}
        self.name: str | None = None


class _Anchored(NamedTuple):
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
        self.roots: list[Node] = []
        self.stack: list[_Frame] = []
        self.anchors: dict[str, _Anchored | None] = {}
        self.count = 0
        self.expanded = 0

    def run(self, text: str) -> Node | None:
        try:
            next_event = Parser(text).get_event
            while type(event := next_event()) is not yaml.StreamEndEvent:
                if handler := _HANDLERS.get(type(event)):
                    handler(self, event)
        except _Stop:
            return None
        except (yaml.YAMLError, ValueError, OverflowError) as error:  # chr() without libyaml
            self.found.append(syntax_problem(self.file, error, text))
            return None
        if self.several:
            return Node(tuple(self.roots), Origin(self.file))
        return self.roots[0] if self.roots else Node(None, Origin(self.file))

    def _origin(self, event: Any) -> Origin:
        mark = event.start_mark
        return Origin(self.file, mark.line + 1, mark.column + 1)

    def _report(self, rule: Rule, where: Origin, message: str, fix: str) -> None:
        self.found.append(rule.at(where, message, fix))

    def _refuse(self, rule: Rule, where: Origin, message: str, fix: str) -> None:
        self._report(rule, where, message, fix)
        raise _Stop

    def _document(self, event: Any) -> None:
        where = self._origin(event)
        self.anchors.clear()
        if event.version or event.tags:
            self._report(problems.TAG, where, "the document has a directive", "delete the % line")
        if self.roots and not self.several:
            message = "a second document begins here"
            self._refuse(problems.DOCUMENTS, where, message, "move it to a file of its own")

    def _expects_key(self) -> bool:
        frame = self.stack[-1] if self.stack else None
        return frame is not None and frame.mapping is not None and frame.name is None

    def _place(self, value: Any, origin: Origin, text: str, size: int, height: int) -> Node:
        """Put a finished value where the enclosing mapping or list wants it."""
        self.count += size
        if not self.stack:
            node = Node(value, origin, None, text)
            self.roots.append(node)
            return node
        frame = self.stack[-1]
        frame.height = max(frame.height, height + 1)
        if frame.mapping is None or frame.name is None:
            node = Node(value, origin, None, text)
            frame.elements.append(node)
        else:
            node = Node(value, origin, frame.keys[frame.name], text)
            frame.mapping[frame.name] = node
            frame.name = None
        return node

    def _open(self, event: Any) -> None:
        where = self._origin(event)
        self._no_tag(event, where)
        if self._expects_key():
            fix = 'use text as the key; put a value that begins with "{{" in quotes'
            self._refuse(problems.KEY, where, "a mapping or list is used as a key", fix)
        if len(self.stack) >= self.limits.depth:
            message = f"values are nested more than {self.limits.depth} deep"
            self._refuse(problems.DEPTH, where, message, "flatten the structure")
        frame = _Frame(where, event.anchor, self.count)
        frame.mapping = {} if isinstance(event, yaml.MappingStartEvent) else None
        if event.anchor:
            self.anchors[event.anchor] = None
        self.stack.append(frame)

    def _close(self, _event: Any) -> None:
        frame = self.stack.pop()
        value = tuple(frame.elements) if frame.mapping is None else frame.mapping
        size = self.count - frame.before + 1
        self.count = frame.before
        node = self._place(value, frame.origin, "", size, frame.height)
        if frame.anchor:
            self.anchors[frame.anchor] = _Anchored(node, size, frame.height)

    def _alias(self, event: Any) -> None:
        where = self._origin(event)
        name = event.anchor
        target = self.anchors.get(name)
        if target is None:
            state = "contains itself" if name in self.anchors else "is not defined above"
            message = f"the anchor {name!r} {state}"
            self._refuse(problems.ALIASES, where, message, "write the value out")
            return
        if self._expects_key():
            self._refuse(problems.KEY, where, "an alias is used as a key", "write the key out")
        self.expanded += target.size
        if self.expanded > self.limits.expanded:
            message = f"aliases expand to more than {self.limits.expanded:,} values"
            self._refuse(problems.ALIASES, where, message, "write the values out")
        if len(self.stack) + target.height > self.limits.depth:
            message = f"values are nested more than {self.limits.depth} deep"
            self._refuse(problems.DEPTH, where, message, "flatten the structure")
        node = target.node
        self._place(node.value, node.origin, node.text, target.size, target.height)

    def _scalar(self, event: Any) -> None:
        where = self._origin(event)
        self._no_tag(event, where)
        if event.style == '"' and _SURROGATE.search(event.value):
            self._refuse(problems.SYNTAX, where, "half of a surrogate pair", ESCAPED_CHARACTER)
        if self._expects_key():
            self._key(event, where)
            return
        value: Scalar = event.value
        text = ""
        if not event.style and event.implicit[0]:
            value = self._plain(event.value, where)
            text = "" if isinstance(value, str) else event.value
        node = self._place(value, where, text, 1, 0)
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(node, 1, 0)

    def _plain(self, text: str, where: Origin) -> Scalar:
        found = meaning(text)
        if found.dispute:
            message = f"{text} is {found.dispute}"
            self._report(problems.AMBIGUOUS, where, message, _unambiguous(text))
        elif not found.finite:
            message = f"{_short(text)} is not a number that fits into 64 bits"
            fix = f'write a smaller number, or quote it if it is text: "{_short(text)}"'
            self._report(problems.NUMBER, where, message, fix)
        return found.value

    def _key(self, event: Any, where: Origin) -> None:
        text = event.value
        frame = self.stack[-1]
        if not _is_ordinary(text):
            self._odd_key(text, where, plain=not event.style)
        if text in frame.keys:
            message = f"the key {_short(text)!r} stands on line {frame.keys[text].line} already"
            self._report(problems.DUPLICATE_KEY, where, message, "delete one of the two")
        frame.keys.setdefault(text, where)
        frame.name = text

    def _odd_key(self, text: str, where: Origin, *, plain: bool) -> None:
        if plain:
            self._plain_key(text, where)
        if hidden := hidden_characters(text):
            message = f"a key holds the character U+{ord(hidden[0]):04X}"
            self._report(problems.KEY, where, message, "delete the character")

    def _plain_key(self, text: str, where: Origin) -> None:
        found = meaning(text)
        if text == "<<":
            fix = "write the values out, or give them to every environment by inheritance"
            self._report(problems.MERGE, where, "a merge key is used", fix)
        elif found.dispute:
            message = f"the key {text} is {found.dispute}"
            self._report(problems.AMBIGUOUS, where, message, _unambiguous(text))
        elif not isinstance(found.value, str) or not found.finite:
            message = f"the key {_short(text)} is not text"
            self._report(problems.KEY, where, message, f'quote it: "{_short(text)}"')

    def _no_tag(self, event: Any, where: Origin) -> None:
        if event.tag:
            message = f"the value has the tag {_short(event.tag)}"
            self._report(problems.TAG, where, message, "delete the tag; quote text that needs it")


_HANDLERS: dict[type, Callable[[_Builder, Any], None]] = {
    yaml.DocumentStartEvent: _Builder._document,
    yaml.AliasEvent: _Builder._alias,
    yaml.ScalarEvent: _Builder._scalar,
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
    looks_like_number = text[0] in "-+.0123456789" and not set(text[1:]) & set(":-")
    digits = "; for a number, use plain digits" if looks_like_number else ""
    return f'quote it: "{text}"{digits}'


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"  # noqa: PLR2004
