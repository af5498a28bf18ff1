"""Regular expressions that are compiled when they are first used: most runs need few of them."""

import re
from typing import Any, cast


def expression(source: str, flags: int = 0) -> re.Pattern[str]:
    """The same as `re.compile`, but later."""
    return cast("re.Pattern[str]", _Expression(source, flags))


class _Expression:
    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """A method of the compiled expression; kept, so that it is asked for once."""
        found = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, found)
        return found
