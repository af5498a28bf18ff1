"""The one system call that exchanges two folders, where the system has it."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

_AT_FDCWD = -100
_SWAP = 2  # RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS happen to be the same number

#: Answers that mean "not here" and not "not now": an old kernel or C library, a file system
#: without the call, a mount point, or an overlay that cannot move folders of a lower layer.
NOT_HERE = frozenset(
    {
        errno.EXDEV,
        errno.EINVAL,
        errno.ENOSYS,
        errno.ENOTSUP,
        errno.EOPNOTSUPP,
        errno.EPERM,
        errno.EACCES,
        errno.EBUSY,
        errno.EMLINK,
    }
)


def is_available() -> bool:
    return _call() is not None


def exchange(one: Path, other: Path) -> None:
    """Each gets the other's name, and nobody ever sees one of the names missing."""
    call = _call()
    code = errno.ENOSYS if call is None else call(os.fsencode(one), os.fsencode(other))
    if code:
        raise OSError(code, os.strerror(code), str(one), None, str(other))


def _call() -> Callable[[bytes, bytes], int] | None:
    """The system's own exchange, which answers 0 or the number of an error."""
    if sys.platform not in ("linux", "darwin"):
        return None
    import ctypes  # no other command needs it

    library = ctypes.CDLL(None, use_errno=True)

    def linux(one: bytes, other: bytes) -> int:
        failed = library.renameat2(_AT_FDCWD, one, _AT_FDCWD, other, _SWAP)
        return ctypes.get_errno() if failed else 0

    def darwin(one: bytes, other: bytes) -> int:
        return ctypes.get_errno() if library.renamex_np(one, other, _SWAP) else 0

    if hasattr(library, "renameat2"):
        return linux
    return darwin if hasattr(library, "renamex_np") else None
