"""Patterns of our own JSON Schemas, which are known to be quick, as ECMA and Go read them."""

import re
from functools import cache

from renderer.text.expressions import expression

_TOKEN = expression(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)
_ENDS = {"$": r"\Z", r"\z": r"\Z"}


@cache
def regex(pattern: str) -> re.Pattern[str]:
    """`$` is the very end, classes are ASCII."""
    return re.compile(_TOKEN.sub(lambda token: _ENDS.get(token[0], token[0]), pattern), re.ASCII)
