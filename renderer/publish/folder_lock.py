"""One run at a time in an output folder, which may come and go while runs wait for each other."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import filesystem

#: Five seconds: publishing takes less, and who waits longer in silence looks like one that hangs.
TRIES = 100
_PAUSE = 0.05


@contextmanager
def lock_folder(folder: Path, *, exclusive: bool) -> Iterator[None]:
    """No other process works in the folder, or at least none writes."""
    lock = _patiently(folder, lambda: filesystem.lock(folder, exclusive=exclusive))
    try:
        yield
    finally:
        filesystem.unlock(lock)


@contextmanager
def made_and_locked(folder: Path) -> Iterator[None]:
    """The folder exists inside and is ours alone; if the work fails, what was missing goes again.

    It goes while it is locked: who waits for the lock then finds it gone, and makes it anew.
    """
    missing = filesystem.missing_folders(folder)
    try:
        lock = _patiently(folder, lambda: _make_and_lock(folder), FileNotFoundError)
    except OSError:  # otherwise another process works in it
        _remove(missing)
        raise
    try:
        yield
    except BaseException:
        _remove(missing)
        raise
    finally:
        filesystem.unlock(lock)


def _make_and_lock(folder: Path) -> int | None:
    filesystem.make_folders(folder)
    return filesystem.lock(folder, exclusive=True)


def _remove(folders: list[Path]) -> None:
    for path in folders:
        with suppress(OSError):
            filesystem.remove_folder(path)


def _patiently(folder: Path, lock: Callable[[], int | None], *passing: type[OSError]) -> int | None:
    """The lock, however often another process has it or another trouble passes."""
    for _ in range(TRIES - 1):
        with suppress(BlockingIOError, *passing):
            return lock()
        time.sleep(_PAUSE)
    try:
        return lock()
    except BlockingIOError as error:
        message = f"{folder}: another servingctl is at work here; run again when it is done"
        raise RendererError(message) from error
