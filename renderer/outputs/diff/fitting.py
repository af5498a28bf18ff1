"""Text within a number of bytes: whole pieces that fit, and a count of those that did not."""

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Section(NamedTuple):
    """Pieces between an opening and a closing; `rest` words how many of them were left out.

    A section without pieces is not there at all.
    """

    opening: str
    pieces: Sequence["str | Section"]
    closing: str
    rest: Callable[[int], str]


def fit(sections: Sequence[Section], room: int) -> str:
    """The sections in order, each with as many of its pieces as there is room for."""
    text = ""
    for number, section in enumerate(sections):
        later = sum(_size(_missing(item)) for item in sections[number + 1 :])
        text += _filled(section, room - _size(text) - later) or _missing(section)
    return text


def _missing(section: Section) -> str:
    """What a section says if nothing of it fits."""
    return section.rest(_count(section)) if section.pieces else ""


def _filled(section: Section, room: int) -> str:
    """The section with what fits of it; nothing if nothing does."""
    note = _missing(section)
    left = room - _size(section.opening) - _size(section.closing) - _size(note)
    taken: list[str] = []
    out = 0
    for piece in section.pieces:
        text = piece if isinstance(piece, str) else _filled(piece, left)
        if text and _size(text) <= left:
            taken.append(text)
            left -= _size(text)
        else:
            out += _count(piece)
    if not taken:
        return ""
    rest = section.rest(out) if out else ""
    return "".join((section.opening, *taken, section.closing, rest))


def _count(piece: "str | Section") -> int:
    """How many single pieces there are."""
    return 1 if isinstance(piece, str) else sum(map(_count, piece.pieces))


def _size(text: str) -> int:
    return len(text.encode())
