"""Findings that were there before: accepted as long as they stay as they are."""

import errno
import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from renderer.errors import UsageError
from renderer.io.worktree import NO_WAIT
from renderer.outputs.findings.baseline import FORMAT, fingerprints
from renderer.values.diagnostics import Diagnostic, Severity

_MOST = 64 << 20  # what is larger is cut off and so not a baseline


def read(path: Path) -> dict[str, Severity]:
    """The fingerprints of accepted findings, and how bad they were."""
    how = f"write it with 'servingctl validate --format baseline --output {path}'"
    try:
        document = json.loads(_content(path).decode("utf-8"))
        if document["format"] != FORMAT:
            raise UsageError(f"{path} is a baseline of another format; {how}")
        return {str(print_): Severity[word.upper()] for _, _, word, print_ in document["accepted"]}
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UsageError(f"the baseline {path} is not read: {reason}; {how}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"{path} is not a baseline; {how}") from error


def _content(path: Path) -> bytes:
    """Of a file or a pipe; a pipe without a writer is empty."""
    with open(path, "rb", opener=_open_without_waiting) as stream:
        kind = os.fstat(stream.fileno()).st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISFIFO(kind):
            raise OSError(errno.EINVAL, "Not a file", str(path))
        return stream.read(_MOST)


def _open_without_waiting(path: str, flags: int) -> int:
    """A pipe is not waited for when it is opened, only when it is read."""
    handle = os.open(path, flags | NO_WAIT)
    os.set_blocking(handle, True)
    return handle


def new(
    found: Sequence[Diagnostic],
    accepted: Mapping[str, Severity],
    is_firm: Callable[[Diagnostic], bool],
) -> list[Diagnostic]:
    """The findings that are not accepted, are worse than they were, or must not be silenced."""
    prints = fingerprints(found)
    return [
        item
        for item, print_ in zip(found, prints, strict=True)
        if item.severity > accepted.get(print_, 0) or is_firm(item)
    ]
