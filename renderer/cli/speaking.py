"""Words for people on standard error, and results for programs on standard output."""

import sys


def say(text: str) -> None:
    """A line that is no result, after all results so far."""
    sys.stdout.flush()
    sys.stderr.write(f"{text}\n")


def put(text: str) -> None:
    """A result for programs: UTF-8 wherever it is read."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.flush()
