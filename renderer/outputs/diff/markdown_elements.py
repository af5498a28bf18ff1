"""What a comment in Markdown is made of: text that stays text, sections within so many bytes."""

import re
from collections.abc import Callable, Iterable, Sequence

from renderer.outputs.safe_text import format_sentence
from renderer.text.wording import visible
from renderer.values.named_tuple import NamedTuple

_RUN = re.compile(r"`+")
_SPECIAL = re.compile(r"[^\w\s.,:;/'\"()?%=+-]|_")
#: What may be markup between tags. A point ends a host after `www` only, a colon the scheme of a
#: link, and `_` within a word emphasises nothing.
_MARKUP = re.compile(
    r"(?<=www)\.|:(?=/)|(?<!\w)_|_(?!\w)|[^\w\s.,:;/'\"()?%=+→…{}\]-]", re.IGNORECASE
)
_GAP = "&#8203;"
_CALLING = frozenset("@#!&~$^")


def prose(text: str) -> str:
    """Text within a line: nothing in it is markup, a mention or a link."""
    escaped = _SPECIAL.sub(_entity, visible(text))
    return escaped.replace("://", "&#58;//").replace("www.", "www&#46;")


def _entity(found: re.Match[str]) -> str:
    gap = _GAP if found[0] in _CALLING else ""
    return f"&#{ord(found[0])};{gap}"


def code(text: str) -> str:
    """A code span, for anywhere but tables; its marks are longer than any inside."""
    shown = visible(text)
    if not shown.strip():
        return cell(text)
    marks = "`" * (_longest(shown) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{marks}{pad}{shown}{pad}{marks}"


def cell(text: str) -> str:
    """A code span that no `|` can leave: what could be markup or a link is written by its number.

    Signs that mean nothing to Markdown stay as they are, for those who read the source.
    """
    escaped = _MARKUP.sub(lambda c: f"&#{ord(c[0])};", visible(text))
    return f"<code>{escaped}</code>"


def sentence(text: str) -> str:
    """Prose in which what stands in backticks is code."""
    return format_sentence(text, prose, code)


def fence(lines: Iterable[str], language: str) -> str:
    """A block of lines; its marks are longer than any inside."""
    shown = [visible(line) for line in lines]
    marks = "`" * max(3, _longest("\n".join(shown)) + 1)
    return "\n".join((f"{marks}{language}", *shown, marks))


def _longest(text: str) -> int:
    return max(map(len, _RUN.findall(text)), default=0)


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
