"""One writer at a time, or any number of readers, without a lock file."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import filesystem


@contextmanager
def held(folder: Path, *, exclusive: bool) -> Iterator[None]:
    """Fails at once: a render takes seconds, and who waits in silence looks like one that hangs."""
    try:
        descriptor = filesystem.lock(folder, exclusive=exclusive)
    except BlockingIOError as error:
        message = f"{folder}: another servingctl is at work here; run again when it is done"
        raise RendererError(message) from error
    try:
        yield
    finally:
        filesystem.unlock(descriptor)


@contextmanager
def made(folder: Path) -> Iterator[None]:
    """The folder exists inside; if the work fails, what had to be made for it goes again."""
    folders = filesystem.make_folders(folder)
    try:
        yield
    except BaseException:
        for path in folders:
            with suppress(OSError):
                filesystem.remove_folder(path)
        raise
