"""What the value of an annotation or a label may be, where its reader takes few."""

from collections.abc import Callable
from typing import NamedTuple

from renderer.kubernetes.quantities import billionths
from renderer.text.durations import SECOND, nanoseconds
from renderer.text.expressions import expression
from renderer.text.wording import listed, misspelt

_WHOLE = expression(r"[+-]?[0-9]{1,18}")
_FLOAT = expression(r"[-+.0-9a-zA-Z]+")


class Form(NamedTuple):
    """What values are taken: in words, by a function, and as words of which one may be meant."""

    expected: str
    fits: Callable[[str], bool]
    words: tuple[str, ...] = ()


def words(*allowed: str, also: tuple[str, ...] = ()) -> Form:
    """One of some words, as they are written; `also` are others that nobody need be told of."""
    return Form(listed(allowed, "or"), {*allowed, *also}.__contains__, allowed)


def words_in_any_case(*allowed: str) -> Form:
    return Form(listed(allowed, "or"), lambda text: text.lower() in allowed, allowed)


def known_words(*known: str) -> Form:
    """Any word but a slip for one of these: more than those that are known are taken."""
    return Form(listed(known, "or"), lambda text: text in known or not misspelt(text, known), known)


def whole_number(least: int, most: int | None = None) -> Form:
    """A whole number within bounds."""

    def fits(text: str) -> bool:
        found = int(text) if _WHOLE.fullmatch(text) else None
        return found is not None and found >= least and (most is None or found <= most)

    return Form(f"a whole number {_bounds(least, most)}", fits)


def number(least: float, most: float | None = None, besides: float | None = None) -> Form:
    """A number within bounds, or one besides."""

    def fits(text: str) -> bool:
        try:
            found = float(text) if _FLOAT.fullmatch(text) else None
        except ValueError:
            return False
        inside = found is not None and found >= least and (most is None or found <= most)
        return inside or (besides is not None and found == besides)

    other = f", or {besides:g}" if besides is not None else ""
    return Form(f"a number {_bounds(least, most)}{other}", fits)


def duration(least: int = 0, most: int | None = None, *, whole_seconds: bool = True) -> Form:
    """A duration within bounds of seconds."""

    def fits(text: str) -> bool:
        found = nanoseconds(text)
        if found is None or not least * SECOND <= found or (most and found > most * SECOND):
            return False
        return not whole_seconds or found % SECOND == 0

    bounds = f" from {least}s to {most}s" if most else ""
    return Form(f"a duration{' of whole seconds' * whole_seconds}{bounds}, such as 60s", fits)


def _bounds(least: float, most: float | None) -> str:
    return f"of {least:g} or more" if most is None else f"from {least:g} to {most:g}"


BOOLEAN = words("true", "false")
PORT = whole_number(1, 65535)
PATH = Form("a path that begins with /", lambda text: text.startswith("/"))
QUANTITY = Form("an amount, such as 100m or 64Mi", lambda text: billionths(text) is not None)
