"""Text that Markdown takes as text, whatever it holds: spans, cells and fences."""

import re
from collections.abc import Iterable

from renderer.text.wording import visible

_RUN = re.compile(r"`+")
_QUOTED = re.compile(r"`([^`]+)`")
_SPECIAL = re.compile(r"[^\w\s.,:;/'\"()?%=+-]|_")
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
    """A code span that no `|` can leave: every sign in it is written by its number."""
    return f"<code>{re.sub(r'[^A-Za-z0-9 /-]', lambda c: f'&#{ord(c[0])};', visible(text))}</code>"


def sentence(text: str) -> str:
    """Prose in which what stands in backticks is code."""
    parts = _QUOTED.split(text)
    return "".join(
        code(part) if number % 2 else prose(part) for number, part in enumerate(parts) if part
    )


def fence(lines: Iterable[str], language: str) -> str:
    """A block of lines; its marks are longer than any inside."""
    shown = [visible(line) for line in lines]
    marks = "`" * max(3, _longest("\n".join(shown)) + 1)
    return "\n".join((f"{marks}{language}", *shown, marks))


def _longest(text: str) -> int:
    return max(map(len, _RUN.findall(text)), default=0)
