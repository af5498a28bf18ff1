"""How text on a terminal is coloured, and how wide it gets."""

from collections.abc import Callable

from renderer.values.diagnostics import Severity

Paint = Callable[[str, str], str]

COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
BOLD, DIM = "1", "2"
RED, GREEN, YELLOW, CYAN = "31", "32", "33", "36"
WIDTH = 100


def painter(*, color: bool) -> Paint:
    """What colours a text, or leaves it as it is."""
    return _painted if color else _bare


def _bare(text: str, _code: str) -> str:
    return text


def _painted(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"
