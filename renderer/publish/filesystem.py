"""Every call that touches the disk, so that the tests can fail each one in turn."""

import errno
import os
import shutil
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from renderer.errors import RendererError

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
#: File systems without locks, among them NFS, which wants a lock's descriptor writable.
_LOCKLESS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EBADF, errno.EINVAL}
_OWNER_MAY_ALL = stat.S_IRWXU
_DRAFT = ".servingctl-draft"
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


def status(path: Path | str) -> os.stat_result | None:
    """What is there itself, never what a link leads to."""
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def inode(path: Path) -> int:
    """The number of what is there itself; 0 if nothing is."""
    found = status(path)
    return found.st_ino if found else 0


def is_own(found: os.stat_result) -> bool:
    """Whether it is of the user who runs this, where the system knows users."""
    return sys.platform == "win32" or found.st_uid == os.geteuid()


def is_folder(path: Path) -> bool:
    found = status(path)
    return found is not None and stat.S_ISDIR(found.st_mode)


def names(folder: Path | str) -> list[str]:
    with os.scandir(folder) as entries:
        return sorted(entry.name for entry in entries)


def read(path: Path | str, most: int = -1) -> bytes:
    """What a file holds, or the beginning of it; no link is followed, no pipe waited for."""
    descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW | _NO_WAIT | _BINARY)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.ENXIO, "Not a regular file", str(path))
        return stream.read(most)


def write(path: Path, data: bytes, mode: int | None = None, *, sync: bool = False) -> None:
    """A new file; a mode is that of the file it will replace."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
        if sync:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if mode is not None:
        path.chmod(mode)


def make_folder(path: Path) -> None:
    path.mkdir()


def missing_folders(path: Path) -> list[Path]:
    """Of a folder and those above it, what is not there; innermost first."""
    return [folder for folder in (path, *path.parents) if not folder.exists()]


def make_folders(path: Path) -> None:
    """The folder and those above it, which other processes may make or remove as well."""
    for folder in reversed(missing_folders(path)):
        try:
            folder.mkdir()
        except FileExistsError:
            found = status(folder)
            if found and not stat.S_ISDIR(found.st_mode) and not folder.is_dir():
                raise


def remove_folder(path: Path) -> None:
    """Only an empty folder goes; one that is gone or in use is as it should be."""
    try:
        path.rmdir()
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise


def remove(path: Path) -> None:
    path.unlink(missing_ok=True)


def remove_tree(path: Path | str) -> None:
    """A folder of our own making, which may hold folders that deny us writing."""
    mode = os.lstat(path).st_mode
    if stat.S_ISDIR(mode):
        if mode & _OWNER_MAY_ALL != _OWNER_MAY_ALL:
            os.chmod(path, _OWNER_MAY_ALL)  # noqa: PTH101 - a Path for each file takes longer
        for name in names(path):
            remove_tree(f"{path}/{name}")
        os.rmdir(path)  # noqa: PTH106
    else:
        os.unlink(path)  # noqa: PTH108


def rename(source: Path, target: Path) -> None:
    source.replace(target)


def draft_beside(target: Path) -> Path:
    """What a file is called in its folder until it takes the place of the target."""
    return target.with_name(f"{_DRAFT}-{target.name}")


def move(source: Path, target: Path) -> None:
    """Rename; to another file system by a copy beside the target, which then takes its place."""
    try:
        rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        draft = draft_beside(target)
        remove(draft)
        write(draft, read(source), stat.S_IMODE(os.lstat(source).st_mode), sync=True)
        rename(draft, target)
        remove(source)


def can_exchange() -> bool:
    """Whether the system has one call that exchanges two folders."""
    return _exchange_call() is not None


def exchange(one: Path, other: Path) -> None:
    """Each gets the other's name, and neither name is missing at any moment."""
    call = _exchange_call()
    code = errno.ENOSYS if call is None else call(os.fsencode(one), os.fsencode(other))
    if code:
        raise OSError(code, os.strerror(code), str(one), None, str(other))


def _exchange_call() -> Callable[[bytes, bytes], int] | None:
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


def link(source: Path | str, target: Path | str) -> None:
    """A second name for a file, or for a link itself."""
    try:
        os.link(source, target, follow_symlinks=False)
    except NotImplementedError as error:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), str(source)) from error


def link_or_copy(source: Path, target: Path) -> None:
    try:
        link(source, target)
    except OSError as error:
        if error.errno not in NOT_HERE:
            raise
        write(target, read(source))
        shutil.copystat(source, target)


def copy_folder_status(source: Path, target: Path) -> None:
    """Owner, mode, times and extended attributes: a folder made anew must look the same."""
    old, new = source.lstat(), target.lstat()
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        os.chown(target, old.st_uid, old.st_gid)
    shutil.copystat(source, target)


def sync_folder(path: Path) -> None:
    if sys.platform != "win32":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def lock(folder: Path, *, exclusive: bool) -> int | None:
    """A descriptor that holds the lock until it is closed, or None where there are no locks.

    The folder itself is locked, so no file is left behind, and the system lets go of the lock
    however the process ends. A file system without locks is used without, as cargo does.
    """
    try:
        import fcntl
    except ImportError:
        return None
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(descriptor), os.stat(folder)):  # noqa: PTH116
            raise BlockingIOError(errno.EWOULDBLOCK, "it was replaced meanwhile", str(folder))
    except OSError as error:
        os.close(descriptor)
        if error.errno in _LOCKLESS:
            return None
        raise
    return descriptor


def unlock(descriptor: int | None) -> None:
    if descriptor is not None:
        with suppress(OSError):  # the descriptor is gone either way, and the work is done
            os.close(descriptor)


def refuse_links(root: Path, folder: Path) -> None:
    """A link may have come with a pull request; it is refused wherever it leads.

    As links of environments and destinations are. Outside the repository, links are the user's.
    """
    full = Path(os.path.abspath(folder))  # noqa: PTH100 - resolving would follow the links
    for place in reversed((full, *full.parents)):
        found = status(place) if place.is_relative_to(root) and place != root else None
        if found and stat.S_ISLNK(found.st_mode):
            raise RendererError(
                f"{place}: a link, which could lead files anywhere, is in the way of the output; "
                "remove it, or name the folder that it leads to"
            )
