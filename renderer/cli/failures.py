"""Exit codes, and what is left behind when something unforeseen happens."""

import tempfile
import traceback
from pathlib import Path

EXIT_OK, EXIT_FINDINGS, EXIT_USAGE, EXIT_FAILURE = range(4)


def report_crash(error: Exception) -> str:
    """Write the details to a file and say in one line where it is."""
    text = "".join(traceback.format_exception(error))
    summary = f"unexpected {type(error).__name__}"
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="servingctl-", suffix=".log", delete=False, encoding="utf-8"
        ) as stream:
            stream.write(text)
    except OSError:
        return f"{summary}: {error}"
    return f"{summary}; the report is in {Path(stream.name)}"
