"""Versions of servingctl, and which of two came first."""

import re
from functools import cache


@cache
def release(version: str) -> tuple[int, ...]:
    """The numbers of a version, four of them, so that 1.0 is 1; 0.2.0.dev0 counts as 0.2.0."""
    given = [int(number) for number in re.findall(r"[0-9]+", version)[:4]]
    return tuple((*given, 0, 0, 0, 0)[:4])


def is_newer(version: str, than: str) -> bool:
    """Whether a version came after another one; nothing comes after the version ''."""
    return bool(than) and release(version) > release(than)
