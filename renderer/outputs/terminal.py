"""How text on a terminal is coloured, and how wide it gets."""

from collections.abc import Callable
from functools import lru_cache

from renderer.values.diagnostics import Severity

Paint = Callable[[str, str], str]

COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
BOLD, DIM = "1", "2"
RED, GREEN, YELLOW, CYAN = "31", "32", "33", "36"
WIDTH = 100


@lru_cache(maxsize=256)
def wrapped(text: str, width: int, first: str = "", rest: str = "") -> tuple[str, ...]:
    """Prose in lines, whose words (paths among them) stay whole; many texts are said often."""
    from textwrap import TextWrapper

    wrapper = TextWrapper(width, first, rest, break_long_words=False, break_on_hyphens=False)
    return tuple(wrapper.wrap(text))


def painter(*, color: bool) -> Paint:
    """What colours a text, or leaves it as it is."""
    return _painted if color else _bare


def _bare(text: str, _code: str) -> str:
    return text


def _painted(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"
