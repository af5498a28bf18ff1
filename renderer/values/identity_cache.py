"""Caches by the identity of the arguments, which are frozen values: to hash them would take longer.

The arguments are kept with their result, so that no other value gets the same id meanwhile.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")
_Results = dict[tuple[int, ...], tuple[object, Result]]
_MOST = 256
_FEW = 16


def cached_by_identity(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Keep the results for the latest arguments.

    They are given by position: to look for keywords in each of its many calls would take time.
    """
    return _cached(function, _MOST)


def recent_results_cached(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Keep a few results: of what is large, and asked for again in the next environment."""
    return _cached(function, _FEW)


def last_result_cached(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Keep the last result only: of what is large, and asked for again at once."""
    return _cached(function, 1)


def _cached(function: Callable[..., Result], most: int) -> Callable[..., Result]:
    results: _Results[Result] = {}

    @wraps(function)
    def cached(*given: Any) -> Result:
        key = tuple(map(id, given))
        found = results.get(key)
        if found is None:
            if len(results) >= most:
                results.clear()
            found = results[key] = (given, function(*given))
        return found[1]

    return cached
