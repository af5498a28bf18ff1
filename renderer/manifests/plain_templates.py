"""Templates that only place values and repeat for each item, which is what the bundled ones do.

They need no template engine. Whatever else a template does, and whatever goes wrong in one, is
left to the engine.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import TypeAlias

from renderer.manifests.template_values import (
    MOST_TEXT,
    MOST_TURNS,
    RESERVED,
    PlacedValues,
    mark_lines,
    token,
)
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_NAME = r"(?!(?:true|false|none|loop|self|super|varargs|kwargs|caller)\b)[a-z][a-z0-9_]*"
_PATH = rf"{_NAME}(?:\.[a-z][a-z0-9_]*)*"
_TAG = expression(
    rf"\{{\{{ (?P<place>{_PATH}) \}}\}}"
    rf"|\{{% for (?P<item>{_NAME}) in (?P<items>{_PATH}) %\}}\n?"
    r"|(?P<end>\{% endfor %\})\n?"
    r"|(?P<comment>\{#(?!-).*?(?<!-)#\})\n?",
    re.DOTALL,
)
_OPENING = expression(r"\{[{%#]")
#: Longer texts are not kept.
_MOST_KEPT = 1 << 16
_STRANGE = expression(f"{RESERVED}|\r")


class _Placeholder(NamedTuple):
    path: tuple[str, ...]


class _Loop(NamedTuple):
    item: str
    path: tuple[str, ...]
    body: "list[_Part]"


_Part: TypeAlias = str | _Placeholder | _Loop


class _NeedsJinja(Exception):
    """Something that only the engine can do, or report."""


def plainly_rendered(text: str, values: Mapping[str, Node], placed: PlacedValues) -> str | None:
    """The text with tokens in the place of values; nothing if this is not such a template."""
    parts = _parsed(text)
    if parts is None:
        return None
    turns: list[int] = []
    try:
        _place_values(parts, dict(values), placed, turns)
    except _NeedsJinja:
        return None
    worded = _known_token_text if len(text) * (1 + sum(turns)) <= _MOST_KEPT else _token_text
    whole = worded(text, tuple(turns))
    return whole if len(whole) <= MOST_TEXT else None


@lru_cache(maxsize=64)
def _parsed(text: str) -> list[_Part] | None:
    if _STRANGE.search(text) or text.count("{#") != text.count("#}"):
        return None  # a comment that is left open would be looked for to the end, again and again
    open_bodies: list[list[_Part]] = [[]]
    position = 0
    for tag in _TAG.finditer(text):
        data = _data(text, position, tag.start(), strip=not tag["place"])
        if _OPENING.search(text, position, tag.start() + 1):
            return None
        open_bodies[-1].extend([_marked_data(text, position, data)] if data else [])
        position = tag.end()
        if tag["place"]:
            open_bodies[-1].append(_Placeholder(tuple(tag["place"].split("."))))
        elif tag["item"]:
            loop = _Loop(tag["item"], tuple(tag["items"].split(".")), [])
            open_bodies[-1].append(loop)
            open_bodies.append(loop.body)
        elif tag["end"]:
            open_bodies.pop()
            if not open_bodies:
                return None
    data = text[position:]
    if _OPENING.search(data) or len(open_bodies) > 1:
        return None
    return [*open_bodies[0], _marked_data(text, position, data)] if data else open_bodies[0]


def _data(text: str, start: int, end: int, *, strip: bool) -> str:
    """What stands between two tags; blanks that only indent a tag are not part of it."""
    data = text[start:end]
    line = data.rfind("\n") + 1
    begins_a_line = line or start == 0 or text[start - 1] == "\n"
    return data[:line] if strip and begins_a_line and not data[line:].strip() else data


def _marked_data(text: str, start: int, data: str) -> str:
    return mark_lines(data, text.count("\n", 0, start) + 1)


def _place_values(
    parts: list[_Part], scope: dict[str, Node], placed: PlacedValues, turns: list[int]
) -> None:
    """Add the values of the parts, and how many items each loop went through."""
    for part in parts:
        if isinstance(part, _Placeholder):
            placed.add(_look_up(part.path, scope))
        elif isinstance(part, _Loop):
            items = _items(_look_up(part.path, scope))
            turns.append(len(items))
            placed.turns += len(items)
            if placed.turns > MOST_TURNS:
                raise _NeedsJinja
            for item in items:
                _place_values(part.body, {**scope, part.item: item}, placed, turns)


def _token_text(text: str, turns: tuple[int, ...]) -> str:
    """The text of a template whose loops go through so many items: whatever the values are."""
    texts: list[str] = []
    _add_text(_parsed(text) or [], iter(turns), count(), texts)
    return "".join(texts)


#: The objects of one kind differ in their values and seldom in the number of their items.
_known_token_text = lru_cache(maxsize=32)(_token_text)


def _add_text(
    parts: list[_Part], turns: Iterator[int], tokens: Iterator[int], texts: list[str]
) -> None:
    """Add the texts of the parts; what stands between values is always the same."""
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, _Placeholder):
            texts.append(token(next(tokens)))
        else:
            for _ in range(next(turns)):
                _add_text(part.body, turns, tokens, texts)


def _look_up(path: tuple[str, ...], scope: Mapping[str, Node]) -> Node:
    node = scope.get(path[0])
    found = node.get(*path[1:]) if node is not None else None
    if found is None:
        raise _NeedsJinja
    return found


def _items(node: Node) -> tuple[Node, ...]:
    if node.items:
        raise _NeedsJinja  # the keys of a mapping
    return node.elements
