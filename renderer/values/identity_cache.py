"""What was made of the very same values before is not made again."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Made = TypeVar("Made")
_MOST, _MANY = 256, 4096


def once(function: Callable[..., Made]) -> Callable[..., Made]:
    """Remember the latest results by the identity of the arguments, which are frozen values."""
    return _remembering(function, _MOST)


def lately(function: Callable[..., Made]) -> Callable[..., Made]:
    """Remember the latest result only: of what is large, and asked for again at once."""
    return _remembering(function, 1)


def within(function: Callable[..., Made]) -> Callable[..., Made]:
    """Remember many results: of what there is one of for each spec or destination."""
    return _remembering(function, _MANY)


def _remembering(function: Callable[..., Made], most: int) -> Callable[..., Made]:
    known: dict[tuple[int, ...], tuple[object, Made]] = {}

    @wraps(function)
    def remembering(*given: Any) -> Made:
        key = tuple(map(id, given))
        found = known.get(key)
        if found is None:
            if len(known) >= most:
                known.clear()
            found = known[key] = (given, function(*given))  # kept, so that their ids stay theirs
        return found[1]

    return remembering
