"""Edits of YAML texts that people wrote: what is to be said changes, everything else stays.

Comments, order, quotes and indentation are kept, as only the lines of a value are touched. The
edited text is read again, and must say what was asked for.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

from renderer.text.expressions import expression
from renderer.text.wording import LINE_END
from renderer.text.yaml_places import (
    Fragment,
    YamlPlace,
    block_lines,
    flow_key,
    flow_text,
    fragment,
    item_lines,
    member_lines,
    places,
)
from renderer.text.yaml_reader import read
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_INDENT = "  "
_WIDEST = 100
_IGNORE = expression(r"[ \t]*# servingctl: ignore\[[^\r\n]*")


class Uneditable(Exception):
    """A text cannot be edited in this way; the text says why."""


class _Edit(NamedTuple):
    """A stretch of a text, and what stands there instead."""

    start: int
    end: int
    text: str


class _Spot(NamedTuple):
    """A value in the text: its place, what it says, and where its `:` or `-` ends.

    Lines below it stand at `indent`; in a flow it has none.
    """

    place: YamlPlace
    node: Node
    lead: int
    indent: int
    is_flow: bool


def edit(text: str, wanted: Node) -> str:
    """The text with as few changes as possible, such that it says what is wanted.

    New members of mappings and items of lists stand behind the ones that they follow.
    """
    now = _read(text)
    if now is None or not now.items or not wanted.items:
        raise Uneditable("it is not one mapping that can be read")
    root = places(text)
    editor = _Editor(text, root)
    editor.reconcile(_Spot(root, now, root.start, root.column, is_flow=root.is_flow), wanted)
    edited = editor.text()
    again = _read(edited)
    if again is None or not says_the_same(again, wanted):
        raise Uneditable("an edit of it could not be verified")
    return edited


def new_text(wanted: Node) -> str:
    """The text of a file that is not there yet."""
    return "".join(f"{line}\n" for line in block_lines(wanted, "", _INDENT))


def _read(text: str) -> Node | None:
    reading = read(text.encode(), "")
    return None if reading.problems else reading.document.tree


def says_the_same(one: Node, other: Node) -> bool:
    """Whether two trees hold the same data; 1, 1.0 and true are three things."""
    if one.items or other.items:
        return one.items.keys() == other.items.keys() and all(
            says_the_same(child, other.items[key]) for key, child in one.items.items()
        )
    if one.elements or other.elements:
        pairs = zip(one.elements, other.elements, strict=False)
        same_length = len(one.elements) == len(other.elements)
        return same_length and all(says_the_same(*pair) for pair in pairs)
    same_text = one.text == other.text or not one.text or not other.text
    return type(one.value) is type(other.value) and one.value == other.value and same_text


class _Editor:
    """One text, and the edits of it so far."""

    def __init__(self, text: str, root: YamlPlace) -> None:
        self._text = text
        self._edits: list[_Edit] = []
        found = LINE_END.search(text)
        self._line_end = found[0] if found else "\n"
        self._offset = _list_offset(root)

    def text(self) -> str:
        """The text with all edits made."""
        parts: list[str] = []
        done = 0
        for item in sorted(self._edits, key=lambda item: item.start):
            parts += (self._text[done : item.start], item.text)
            done = max(done, item.end)
        return "".join((*parts, self._text[done:]))

    def reconcile(self, spot: _Spot, wanted: Node) -> None:
        """Let a value say what is wanted, changing as little of it as can be."""
        if says_the_same(spot.node, wanted):
            return
        members, items = spot.node.items, spot.node.elements
        if spot.place.is_shared:
            raise Uneditable("the value is named by an anchor, or taken from one")
        if not wanted.items.keys().isdisjoint(members):
            self._members(spot, wanted)
        elif pairs := _pairs(items, wanted.elements):
            self._items(spot, wanted, pairs)
        else:
            self._replace(spot, wanted)

    def _members(self, spot: _Spot, wanted: Node) -> None:
        place, members = spot.place, spot.node.items
        names = list(members)
        self._delete(spot, {n for n, key in enumerate(names) if key not in wanted.items})
        before, first = -1, next(n for n, key in enumerate(names) if key in wanted.items)
        for key, node in wanted.items.items():
            if key in members:
                before = names.index(key)
                self.reconcile(self._member(spot, before), node)
            elif place.is_flow:
                self._insert_in_flow(spot, before, first, f"{flow_key(key)}: {flow_text(node)}")
            else:
                lines = member_lines(key, node, " " * place.column, self._offset)
                self._insert_lines(spot, before, first, [*lines])

    def _member(self, spot: _Spot, number: int) -> _Spot:
        place = spot.place
        key, child = place.keys[number], place.children[number]
        lead = self._text.find(":", key.end) + 1
        node = list(spot.node.items.values())[number]
        return _Spot(child, node, lead, place.column + len(_INDENT), place.is_flow)

    def _items(self, spot: _Spot, wanted: Node, pairs: dict[int, int]) -> None:
        """Items that belong together are reconciled; the others go or come."""
        place, by_new = spot.place, {new: old for old, new in pairs.items()}
        self._delete(spot, {n for n in range(len(place.children)) if n not in pairs})
        before, first = -1, min(pairs)
        for number, node in enumerate(wanted.elements):
            if number in by_new:
                before = by_new[number]
                self.reconcile(self._item(spot, before), node)
            elif place.is_flow:
                self._insert_in_flow(spot, before, first, flow_text(node))
            else:
                lines = item_lines(node, " " * place.column, self._offset)
                self._insert_lines(spot, before, first, [*lines])

    def _item(self, spot: _Spot, number: int) -> _Spot:
        place = spot.place
        lead = self._starts(place)[number] + (0 if place.is_flow else 1)
        indent = place.column + len(_INDENT)
        item, node = place.children[number], spot.node.elements[number]
        return _Spot(item, node, lead, indent, place.is_flow)

    def _starts(self, place: YamlPlace) -> list[int]:
        """Where members and items begin: at their keys, or at their dashes."""
        if place.is_mapping or place.is_flow:
            return [item.start for item in place.keys or place.children]
        starts = [place.start]
        for item in place.children[:-1]:
            dash = expression(rf"(?:\r\n|\r|\n) {{{place.column}}}-(?=\s)")
            found = dash.search(self._text, item.end)
            if found is None:
                raise Uneditable("a list is written in a way that is not understood")
            starts.append(found.end() - 1)
        return starts

    def _delete(self, spot: _Spot, numbers: set[int]) -> None:
        place = spot.place
        if any(place.children[number].has_shared for number in numbers):
            raise Uneditable("a value that goes is named by an anchor, or taken from one")
        starts = self._starts(place)
        ends = [child.end for child in place.children]
        last = max(set(range(len(ends))) - numbers, default=-1)
        for number in sorted(numbers):
            if number < last and (place.is_flow or not self._begins_line(starts[number])):
                self._edits.append(_Edit(starts[number], starts[number + 1], ""))
            elif place.is_flow:
                self._edits.append(_Edit(ends[last], ends[-1], ""))
            else:
                self._delete_lines(starts[number], ends[number])

    def _delete_lines(self, start: int, end: int) -> None:
        """The lines of a value, and comments above it that accept what is found of it."""
        begin = self._end_before(start)
        while begin >= 0 and _IGNORE.fullmatch(self._text, self._line_start(begin), begin):
            begin = self._end_before(begin)
        after = self._line_end_at(end)
        below = LINE_END.match(self._text, after)
        if begin < 0:
            begin, after = 0, below.end() if below else after
        elif below and self._is_blank(begin) and self._is_blank(below.end()):
            after = self._line_end_at(below.end())  # one blank line is enough
        self._edits.append(_Edit(begin, after, ""))

    def _insert_lines(self, spot: _Spot, before: int, first: int, lines: Sequence[str]) -> None:
        """Behind a member or item; if there is none, in front of the first one that stays."""
        if before >= 0:
            at, text = self._line_end_at(spot.place.children[before].end), self._joined(lines)
        else:
            at, indent = self._starts(spot.place)[first], " " * spot.place.column
            text = f"{self._line_end.join(lines).removeprefix(indent)}{self._line_end}{indent}"
        self._edits.append(_Edit(at, at, text))

    def _insert_in_flow(self, spot: _Spot, before: int, first: int, text: str) -> None:
        if before >= 0:
            at, text = spot.place.children[before].end, f", {text}"
        else:
            at, text = self._starts(spot.place)[first], f"{text}, "
        self._edits.append(_Edit(at, at, text))

    def _replace(self, spot: _Spot, wanted: Node) -> None:
        place = spot.place
        if place.has_shared:
            raise Uneditable("the value is named by an anchor, or taken from one")
        made = self._fragment(spot, wanted)
        if spot.is_flow:
            space = "" if place.end > place.start else " "
            self._edits.append(_Edit(place.start, place.end, f"{space}{made.head}"))
            return
        self._edits.append(_Edit(spot.lead, place.end, f" {made.head}" if made.head else ""))
        if made.body:
            at = self._line_end_at(place.end)
            self._edits.append(_Edit(at, at, self._joined(made.body)))

    def _fragment(self, spot: _Spot, wanted: Node) -> Fragment:
        """A value as the one that it replaces was written."""
        place = spot.place
        if spot.is_flow:
            return Fragment(flow_text(wanted, place.style))
        same_kind = wanted.items if place.is_mapping else wanted.elements
        if place.is_flow and place.children and same_kind:
            text = flow_text(wanted)
            if len(text) + spot.indent <= _WIDEST:
                return Fragment(text)
        indent = spot.indent - (len(_INDENT) - len(self._offset) if wanted.elements else 0)
        return fragment(wanted, " " * indent, self._offset, place.style)

    def _joined(self, lines: Sequence[str]) -> str:
        return "".join(f"{self._line_end}{line}" for line in lines)

    def _line_start(self, index: int) -> int:
        return max(self._text.rfind("\n", 0, index), self._text.rfind("\r", 0, index)) + 1

    def _begins_line(self, index: int) -> bool:
        return not self._text[self._line_start(index) : index].strip(" ")

    def _is_blank(self, index: int) -> bool:
        return not self._text[self._line_start(index) : self._line_end_at(index)].strip()

    def _end_before(self, index: int) -> int:
        """Where the line above ends; nowhere above the first one."""
        start = self._line_start(index)
        if not start:
            return -1
        return start - (2 if self._text[start - 2 : start] == "\r\n" else 1)

    def _line_end_at(self, index: int) -> int:
        found = LINE_END.search(self._text, index)
        return found.start() if found else len(self._text)


def _pairs(old: Sequence[Node], new: Sequence[Node]) -> dict[int, int]:
    """The items of two lists that are about the same thing, by number and in order."""
    matcher = SequenceMatcher(
        None, [*map(_item_summary, old)], [*map(_item_summary, new)], autojunk=False
    )
    return {
        one + step: other + step
        for one, other, size in matcher.get_matching_blocks()
        for step in range(size)
    }


def _item_summary(item: Node) -> str:
    """What an item is about: itself, or what its first member says."""
    first = next(iter(item.items.items()), None)
    return repr((first[0], first[1].plain()) if first else item.plain())


def _list_offset(place: YamlPlace) -> str:
    """How far lists stand behind the keys that they belong to, as in the first of them."""
    waiting = [place]
    for item in waiting:
        for key, child in zip(item.keys, item.children, strict=False):
            if child.children and not child.is_mapping and not child.is_flow:
                return " " * (child.column - key.column)
        waiting += item.children
    return _INDENT
