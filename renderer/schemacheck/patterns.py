"""Patterns of JSON Schemas as ECMA and Go read them."""

import re
import warnings
from functools import cache

from renderer.expressions import expression

_TOKEN = expression(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)
_ENDS = {"$": r"\Z", r"\z": r"\Z"}


@cache
def regex(pattern: str) -> re.Pattern[str]:
    """`$` is the very end, classes are ASCII."""
    return re.compile(_TOKEN.sub(lambda token: _ENDS.get(token[0], token[0]), pattern), re.ASCII)


def unreadable(pattern: str) -> str:
    """Why a pattern of somebody else's schema cannot be used; nothing if it can."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # `[[:alpha:]]` is a class of its own elsewhere
            regex(pattern)
    except (re.error, FutureWarning, OverflowError, RecursionError) as error:
        return str(error)
    return ""
