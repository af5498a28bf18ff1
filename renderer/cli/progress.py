"""A line on the terminal that says how far long work is; gone as soon as it is done."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from renderer.evaluate.parallel import Watch, no_watch

_QUIET = ("CI", "GITHUB_ACTIONS", "PRE_COMMIT")  # where a terminal, if there is one, is a log
_AFTER = 1.0
_EVERY = 0.1
_BAR = 24
_CLEAR = "\r\x1b[K"


@contextmanager
def progress(what: str) -> Iterator[Watch]:
    """Who watches the work; on a terminal, after a second, it shows how far the work is."""
    if not _is_for_people():
        yield no_watch
        return
    line = _Line(what)
    try:
        yield line
    finally:
        line.clear()


def _is_for_people() -> bool:
    if any(os.environ.get(name) for name in _QUIET) or os.environ.get("TERM") == "dumb":
        return False
    return sys.stderr.isatty()


class _Line:
    """What is done of how much; called by the threads that collect it."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._done = self._total = 0
        self._next = time.monotonic() + _AFTER
        self._is_shown = False

    def __call__(self, more: int, total: int) -> None:
        if self._done >= self._total or total != self._total:  # of another state
            self._done, self._total = 0, total
        self._done += more
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY
            self._show()

    def _show(self) -> None:
        self._is_shown = True
        filled = _BAR * self._done // max(1, self._total)
        bar = f"[{'#' * filled}{'.' * (_BAR - filled)}]"
        sys.stderr.write(f"{_CLEAR}{bar} {self._done:,} of {self._total:,} {self._what}")
        sys.stderr.flush()

    def clear(self) -> None:
        if self._is_shown:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
