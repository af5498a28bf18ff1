"""Versions of Kuscia and secretflow-serving, compared by their three numbers."""

from functools import lru_cache
from typing import NamedTuple

from renderer.text.expressions import expression

_LEADING = expression(r"v?([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})[-.+_a-zA-Z0-9]*")
_PLAIN = expression(r"[0-9]+\.[0-9]+\.[0-9]+(?:(?:a|b|rc|\.dev)[0-9]*)?")


class Version(NamedTuple):
    """A version, as it was written and where."""

    numbers: tuple[int, int, int]
    text: str
    source: str

    def knows(self, since: str) -> bool:
        """Whether it is the version that brought something, or a later one."""
        first = parse(since)
        return first is None or self.numbers >= first.numbers


@lru_cache(maxsize=1024)
def parse(text: str, source: str = "") -> Version | None:
    """The version at the beginning of a tag; nothing if it begins otherwise."""
    found = _LEADING.fullmatch(text)
    if not found:
        return None
    short = _PLAIN.match(text.removeprefix("v"))
    numbers = (int(found[1]), int(found[2]), int(found[3]))
    return Version(numbers, short[0] if short else text, source)
