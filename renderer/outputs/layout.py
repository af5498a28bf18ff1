"""What all outputs share: how wide and colourful they are, and their tables of formats."""

from collections.abc import Mapping
from functools import lru_cache, partial
from importlib import import_module
from typing import Any, Protocol, TypeAlias, TypeVar

from renderer.values.diagnostics import Severity
from renderer.values.named_tuple import NamedTuple

COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
BOLD, DIM = "1", "2"
RED, GREEN, YELLOW, CYAN = "31", "32", "33", "36"
#: The width of prose where there is no terminal.
WIDTH = 100


class Layout(NamedTuple):
    """What a text is laid out for.

    Without a width it is not read on a terminal, and lines may be as long as they are; without
    `max_bytes` there is no limit. `all_names` asks for all names of long lists.
    """

    width: int = 0
    color: bool = False
    all_names: bool = False
    max_bytes: int = 0

    def paint(self, text: str, code: str) -> str:
        """A text in a colour, if there are any."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.color else text


PLAIN = Layout()


@lru_cache(maxsize=256)
def wrapped(text: str, width: int, first: str = "", rest: str = "") -> tuple[str, ...]:
    """Prose in lines, whose words (paths among them) stay whole; cached, as many texts recur."""
    from textwrap import TextWrapper

    wrapper = TextWrapper(width, first, rest, break_long_words=False, break_on_hyphens=False)
    return tuple(wrapper.wrap(text))


Value_contra = TypeVar("Value_contra", contravariant=True)


class Format(Protocol[Value_contra]):
    """Writes a value; formats for programs ignore the layout."""

    def __call__(self, value: Value_contra, layout: Layout = PLAIN, /) -> str: ...


Formats: TypeAlias = Mapping[str, Format[Value_contra]]


def format_modules(package: str, *names: str) -> Formats[Any]:
    """A format for each module with a function `show`, imported when it is called.

    A command writes one format, and some of them need large libraries.
    """
    return {name: partial(_show, f"{package}.{name}") for name in names}


def _show(module: str, value: object, layout: Layout = PLAIN) -> str:
    text: str = import_module(module).show(value, layout)
    return text
