"""Changes that differ in their values but say the same: one part replaced, a number one higher."""

import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from decimal import Decimal
from itertools import takewhile
from typing import TypeAlias, TypeVar

from renderer.outputs.diff.report import ShownChange
from renderer.values.changes import How
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

#: Versions and names are whole words: `0.9.0b0`, `credit-risk`.
_TOKENS = re.compile(r"[\w.-]+|[^\w.-]")
_COUNTED = re.compile(r"(.*?)(\d{1,15})", re.DOTALL)
_VARIABLE = re.compile(r"\$\{vars\.([^}]+)\}")
_MOST_VARIABLES = 3
_LONGEST_FORM = 1_000
#: So many wordings of one pattern are shown one by one.
_FEW = 2

Words: TypeAlias = tuple[Hashable, ...]
T = TypeVar("T")


class Replaced(NamedTuple):
    """A part of a text and what stands in its place."""

    before: str
    after: str


class Raised(NamedTuple):
    """A number, alone or at the end of a word, and by how much it is another one."""

    word: str
    by: Decimal


class Pattern(NamedTuple):
    """What changes have in common whose values differ; without parts, that they come or go."""

    how: How
    parts: tuple[Replaced | Raised, ...] = ()

    @property
    def text(self) -> str:
        """`v1 → v2`, `+1`, `added`."""
        if not self.parts:
            return str(self.how)
        return ", ".join(map(_part_text, self.parts))


def form_with_variables(change: ShownChange) -> re.Pattern[str] | None:
    """What both values look like with any text in the place of each `${vars.NAME}`.

    Nothing if not both have the same variables, as an object then shows the value of one that
    came or went, and nothing if there are more than a few: the search takes long.
    """
    before, after = (set(_VARIABLE.findall(str(v))) for v in (change.before, change.after))
    parts = _VARIABLE.split(_both_values(change))
    names = parts[1::2]
    if before != after or not 0 < len(names) <= _MOST_VARIABLES:
        return None
    groups: dict[str, int] = {}
    form = ""
    for number, part in enumerate(parts):
        if number % 2 == 0:
            form += re.escape(part)
        else:
            form += f"\\{groups[part]}" if part in groups else "([^\0]*)"
            groups.setdefault(part, len(groups) + 1)
    return re.compile(form)


def has_form(change: ShownChange, form: re.Pattern[str]) -> bool:
    values = _both_values(change)
    return len(values) <= _LONGEST_FORM and form.fullmatch(values) is not None


def _both_values(change: ShownChange) -> str:
    return f"{json.dumps(change.before)}\0{json.dumps(change.after)}"


def words_of(change: ShownChange) -> Words:
    """What is said of a change, wherever it is."""
    values = (json.dumps(value, sort_keys=True) for value in (change.before, change.after))
    has = change.has_before, change.has_after
    return change.path, change.how, *has, *values, change.lines, change.hidden


def common_pattern(changes: Iterable[ShownChange]) -> Pattern | None:
    """What all of them have in common; nothing if that is nothing, or if all say the same."""
    found = list(changes)
    if len({words_of(change) for change in found}) <= 1:
        return None
    for pattern_of in (replacement_of, _raised):
        patterns = {pattern_of(change) for change in found}
        if len(patterns) == 1:
            return patterns.pop()
    return None


def join_alike(items: Iterable[T], change_of: Callable[[T], ShownChange | None]) -> list[list[T]]:
    """Items in groups: those in the same words, or with one pattern if they are more than a few.

    An item without a change, and one whose change fits no pattern, is in the words of its own.
    """
    return [
        group
        for raised in _buckets(items, change_of, _raised)
        for group in _split(raised, change_of)
    ]


def _split(items: list[T], change_of: Callable[[T], ShownChange | None]) -> Iterator[list[T]]:
    """A few wordings each by itself; many as one, if one part is replaced in all of them."""
    alike = _buckets(items, change_of, replacement_of)
    if len(alike) > _FEW:
        yield items
        return
    for group in alike:
        same = _buckets(group, change_of, lambda _: None)
        yield from [group] if len(same) > _FEW else same


def _buckets(
    items: Iterable[T],
    change_of: Callable[[T], ShownChange | None],
    pattern_of: Callable[[ShownChange], Pattern | None],
) -> list[list[T]]:
    found: dict[Hashable, list[T]] = {}
    for item in items:
        change = change_of(item)
        pattern = pattern_of(change) if change else None
        words = words_of(change) if change and pattern is None else ()
        found.setdefault((change and change.path, pattern, words), []).append(item)
    return list(found.values())


def replacement_of(change: ShownChange) -> Pattern | None:
    """Which parts of a text are replaced by which; of numbers, by how much they rise."""
    if not (change.has_before and change.has_after):
        return Pattern(change.how)
    if change.lines or change.hidden or change.how is not How.CHANGED:
        return None
    if isinstance(change.before, str) and isinstance(change.after, str):
        parts = tuple(dict.fromkeys(_text_parts(change.before, change.after)))
        return Pattern(change.how, parts)
    return _numbers(change.how, change.before, change.after)


def _raised(change: ShownChange) -> Pattern | None:
    """The same with a number at the end of a word as that which rises."""
    pattern = replacement_of(change)
    if pattern is None:
        return None
    parts = (part if isinstance(part, Raised) else _counted(part) for part in pattern.parts)
    return pattern._replace(parts=tuple(dict.fromkeys(parts)))


def _numbers(how: How, before: Plain, after: Plain) -> Pattern | None:
    if isinstance(before, bool) or isinstance(after, bool):
        return None
    if isinstance(before, int | float) and isinstance(after, int | float):
        return Pattern(how, (Raised("", Decimal(str(after)) - Decimal(str(before))),))
    return None


def _text_parts(before: str, after: str) -> Iterator[Replaced]:
    """The words that differ; without what both begin and end with, if their number differs."""
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    if len(old) == len(new):
        yield from (Replaced(*pair) for pair in zip(old, new, strict=True) if pair[0] != pair[1])
        return
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    yield Replaced(*("".join(side[start : len(side) - end]) for side in (old, new)))


def _common(old: list[str], new: list[str]) -> int:
    """How many words both begin with."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _counted(part: Replaced) -> Replaced | Raised:
    old, new = _COUNTED.fullmatch(part.before), _COUNTED.fullmatch(part.after)
    if old is None or new is None or old[1] != new[1]:
        return part
    return Raised(old[1], Decimal(new[2]) - Decimal(old[2]))


def _part_text(part: Replaced | Raised) -> str:
    if isinstance(part, Raised):
        return f"{part.word}{part.by:+}"
    return f"{part.before or 'nothing'} → {part.after or 'nothing'}"
