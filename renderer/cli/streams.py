"""Where words go: lines for people, results for programs, files, and what a terminal can show."""

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from renderer.errors import RendererError

if TYPE_CHECKING:
    from pathlib import Path

_PIPE = 100
_NARROWEST, _WIDEST = 60, 160


def say(text: str) -> None:
    """A line that is no result, after all results so far."""
    sys.stdout.flush()
    sys.stderr.write(f"{text}\n")


def put(text: str) -> None:
    """A result for programs: UTF-8 wherever it is read."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.flush()


def write_file(what: str, output: "Path", content: str | bytes) -> None:
    """Write a result whole or not at all; a pipe or a device is written to as it is."""
    from pathlib import Path

    data = content.encode() if isinstance(content, str) else content
    try:
        if output.exists() and not output.is_file():
            output.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(output)), data)
    except OSError as error:
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"{what} is not written: {output}: {reason}") from error


def _replace(target: "Path", data: bytes) -> None:
    """By a file beside it; folders that are missing are made, and go again if that fails."""
    draft = target.with_name(f".servingctl-{os.urandom(8).hex()}")
    missing = [folder for folder in target.parents if not folder.exists()]
    try:
        for folder in reversed(missing):
            folder.mkdir(exist_ok=True)
        draft.write_bytes(data)
        draft.replace(target)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
            for folder in missing:
                folder.rmdir()
        raise


def shows_color(choice: str, stream: TextIO | None) -> bool:
    """What `--color` says; in doubt, whether the stream (none: a file) shows colours."""
    if choice != "auto":
        return choice == "always"
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty() or bool(os.environ.get("GITHUB_ACTIONS"))


def screen_width() -> int:
    """How wide lines may get where people read them; nothing where programs do."""
    return terminal_width() if sys.stdout.isatty() else 0


def terminal_width() -> int:
    """Of the terminal; where the text goes elsewhere, always the same."""
    import shutil

    if not sys.stdout.isatty():
        return _PIPE
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
