"""Exit codes, and what is left behind when something unforeseen happens."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Never

from renderer.errors import RendererError, UsageError
from renderer.text.wording import visible

EXIT_OK, EXIT_FINDINGS, EXIT_USAGE, EXIT_FAILURE = range(4)
EXIT_INTERRUPTED, EXIT_READER_GONE = 130, 141  # as shells have it: 128 and the signal
_ERROR = 2
_OF_STREAMS = frozenset((errno.EBADF, errno.EIO, errno.ENOSPC))


def report_crash(error: Exception) -> str:
    """Write the details to a file and say in one line where it is."""
    import tempfile
    import traceback

    text = "".join(traceback.format_exception(error))
    summary = f"unexpected {type(error).__name__}"
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="servingctl-", suffix=".log", delete=False, encoding="utf-8"
        ) as stream:
            stream.write(text)
    except OSError:
        return f"{summary}: {error}"
    return f"{summary}; the report is in {stream.name}"


@contextmanager
def reported() -> Iterator[None]:
    """Every way a run can end badly, as one line and an exit code."""
    try:
        try:
            yield
        except SystemExit:
            sys.stdout.flush()
            raise
        sys.stdout.flush()
    except UsageError as error:
        _end(visible(str(error)), EXIT_USAGE)
    except RendererError as error:
        _end(visible(str(error)), EXIT_FAILURE)
    except BrokenPipeError:
        _drop_output()
        sys.exit(EXIT_READER_GONE)
    except KeyboardInterrupt:
        _end("interrupted", EXIT_INTERRUPTED)
    except Exception as error:
        _end(_reason(error) or report_crash(error), EXIT_FAILURE)


def _reason(error: Exception) -> str:
    """What is wrong with where the program was started; nothing if that is not it."""
    if not isinstance(error, OSError) or error.filename is not None:
        return ""
    if error.errno in _OF_STREAMS:
        _drop_output()
        return f"standard output cannot be written: {(error.strerror or 'failed').lower()}"
    try:
        os.getcwd()  # noqa: PTH109 - as cheap as can be
    except FileNotFoundError:
        return "the current folder is not there any more"
    return ""


def _drop_output() -> None:
    """What is still to be written goes nowhere, so that the interpreter ends in peace."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def open_streams() -> None:
    """Give streams that were closed a place, lest the next file that is opened becomes one.

    Nothing can be written to standard output then, as on a device that is full.
    """
    for number, stream in enumerate((sys.stdin, sys.stdout, sys.stderr)):
        if stream is None:
            os.open(os.devnull, os.O_WRONLY if number == _ERROR else os.O_RDONLY)
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    said = sys.stderr.buffer if sys.stderr else open(_ERROR, "wb", closefd=False)  # noqa: SIM115
    sys.stderr = _Forgiving(said, "utf-8", "backslashreplace", line_buffering=True)


class _Forgiving(TextIOWrapper):
    """Where a run reports about itself: that a stream is closed is no failure of the run."""

    def write(self, text: str) -> int:
        with suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            super().flush()


def _end(message: str, code: int) -> Never:
    sys.stderr.write(f"servingctl: {message}\n")
    sys.exit(code)
