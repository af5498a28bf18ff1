"""Results that go to a file: all of it or nothing."""

import os
from pathlib import Path

from renderer.errors import RendererError


def write_file(what: str, output: Path, text: str) -> None:
    """Write a result; what is no regular file (a pipe, a device) is written to as it is."""
    try:
        if output.exists() and not output.is_file():
            output.write_bytes(text.encode())
        else:
            _replace(Path(os.path.realpath(output)), text.encode())
    except OSError as error:
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"{what} is not written: {output}: {reason}") from error


def _replace(target: Path, data: bytes) -> None:
    draft = target.with_name(f".servingctl-{os.urandom(8).hex()}")
    try:
        draft.write_bytes(data)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
