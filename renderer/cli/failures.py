"""Exit codes, and what is left behind when something unforeseen happens."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Never

from renderer.errors import RendererError, UsageError
from renderer.text.wording import visible

EXIT_OK, EXIT_FINDINGS, EXIT_USAGE, EXIT_FAILURE = range(4)


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
        yield
    except UsageError as error:
        _end(visible(str(error)), EXIT_USAGE)
    except RendererError as error:
        _end(visible(str(error)), EXIT_FAILURE)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_FAILURE)
    except KeyboardInterrupt:
        _end("interrupted", EXIT_FAILURE)
    except Exception as error:
        _end(report_crash(error), EXIT_FAILURE)


def _end(message: str, code: int) -> Never:
    sys.stderr.write(f"servingctl: {message}\n")
    sys.exit(code)
