"""The small words of messages: lists, paths, and the name that was probably meant."""

import re
from collections.abc import Callable, Collection, Iterable, Sized
from functools import lru_cache
from itertools import islice

from renderer.text.expressions import expression
from renderer.values.diagnostics import Path

LINE_END = expression(r"\r\n|\r|\n")
_SIMPLE = expression(r"[A-Za-z_][A-Za-z0-9_-]*")
_LABEL = expression(r"\[[^\[\]\"]*\]")
_NUMBER = expression(r"[0-9]+")
_VARIANT = expression(r"[-_./][A-Za-z0-9]{1,2}$")
_LIKENESS = 0.6
_SLIP = 0.8
_SHORT, _LONG = 3, 6
_FEW = 3
_VOWELS = frozenset("AEIOaeio")
_MOST_LISTED, _MOST_COMPARED, _MOST_KNOWN = 100, 100, 1000


def listed(names: Iterable[str], last: str = "and") -> str:
    """`a, b and c`; of very many the first."""
    items = list(names)
    if len(items) > _MOST_LISTED:
        items = [*items[:_MOST_LISTED], f"{len(items) - _MOST_LISTED} more"]
    if len(items) <= 1:
        return "".join(items) or "nothing"
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def few_listed(names: Iterable[str], word: str) -> str:
    """All of a few different names, or how many there are: `4 clusters`."""
    items = list(dict.fromkeys(names))
    return listed(items) if len(items) <= _FEW else counted(len(items), word)


def counted(number: int, word: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def add_article(name: str) -> str:
    """`a Service`, `an Ingress`."""
    return f"an {name}" if name[:1] in _VOWELS else f"a {name}"


def path_text(path: Path) -> str:
    """`parts[0].name`, `parts[alice].name`; keys with dots in brackets and quotes."""
    text = ""
    for segment in path:
        if isinstance(segment, int):
            text += f"[{segment}]"
        elif _LABEL.fullmatch(segment):
            text += segment
        elif _SIMPLE.fullmatch(segment):
            text += f".{segment}" if text else segment
        else:
            text += f'["{segment}"]'
    return text


def index_of(text: str, line: int, column: int) -> int:
    """The index of a line and column of a text; of its last line, if there are fewer."""
    starts = [0, *(end.end() for end in LINE_END.finditer(text))]
    return starts[min(line, len(starts)) - 1] + column - 1


def suggest(
    name: str,
    known: Collection[str],
    otherwise: str = "",
    shown: Callable[[str], str] = repr,
) -> str:
    """`did you mean 'x'?`; if no known name comes near, something else, or `use a or b`."""
    hint = did_you_mean(nearest(name, known), shown)
    return hint or otherwise or (f"use {listed(known, 'or')}" if known else "none is defined")


def did_you_mean(hint: str, shown: Callable[[str], str] = repr) -> str:
    """The question for a name that is near; nothing if none is."""
    return f"did you mean {shown(hint)}?" if hint else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that was probably meant, or nothing; of too many names none is looked for."""
    if isinstance(known, Sized) and len(known) > _MOST_KNOWN:
        return ""
    by_shape = {_shape(item): item for item in known}
    same = by_shape.get(_shape(name))
    if same:
        return same
    from difflib import get_close_matches

    likely = _likely(_shape(name), by_shape)
    close = get_close_matches(_shape(name), likely, n=1, cutoff=_LIKENESS)
    return by_shape[close[0]] if close else ""


def misspelt(name: str, known: Collection[str]) -> str:
    """The known name that differs from a name by a slip; `http1` is no slip for `http2`."""
    near = nearest(name, known)
    return near if near and _is_slip(name, near) else ""


def mistaken(name: str, known: Collection[str]) -> str:
    """The known name that one without any use was meant for; here one more letter is a slip."""
    near = nearest(name, known)
    return near if near and (_is_slip(name, near) or _is_close(name, near)) else ""


def _is_variant(name: str, near: str) -> bool:
    """Whether only numbers differ, or a few letters after the last hyphen, stroke or dot."""
    return any(part.sub("", name) == part.sub("", near) for part in (_NUMBER, _VARIANT))


def _is_close(name: str, near: str) -> bool:
    from difflib import SequenceMatcher

    ratio = SequenceMatcher(None, near, name).ratio()
    return ratio >= _SLIP and not _is_variant(name, near)


def _is_slip(name: str, near: str) -> bool:
    """Whether letters are exchanged, wrong, doubled or missing.

    More letters at the end make another name on purpose, as in `https`, and variants as `web-a` and
    `web-b` are two.
    """
    if _is_variant(name, near):
        return False
    if name.startswith(near):
        return name == near + near[-1:]
    if near.startswith(name):
        return near == name + name[-1:] or len(name) >= _LONG
    if len(name) == len(near) >= _SHORT and _is_one_step(name, near):
        return True
    return _is_close(name, near)


def _is_one_step(name: str, near: str) -> bool:
    """Whether one letter is wrong, or two neighbours are exchanged."""
    wrong = [index for index, pair in enumerate(zip(name, near, strict=True)) if len({*pair}) > 1]
    first, last = wrong[0], wrong[-1]
    return first == last or name[first : last + 1] == near[last] + near[first]


def _likely(shape: str, shapes: Collection[str]) -> Collection[str]:
    """What is worth a closer look: all, or of very many some that start or end like it."""
    if len(shapes) <= _MOST_COMPARED:
        return shapes
    start, end = shape[:2], shape[-2:]
    alike = (one for one in shapes if one.startswith(start) or one.endswith(end))
    return list(islice(alike, _MOST_COMPARED))


@lru_cache(maxsize=1 << 16)
def _shape(name: str) -> str:
    """A name without the differences of camelCase, snake_case and kebab-case."""
    return re.sub(r"[-_\s]", "", name).lower()


def visible(text: str) -> str:
    """Text that cannot steer a terminal: what is not printable is shown by its number."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)


_CAPITAL = expression(r"(?<=[a-z0-9])([A-Z])")


@lru_cache(maxsize=1024)
def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def snake_case(name: str) -> str:
    return _CAPITAL.sub(r"_\1", name).lower()
