"""File system calls that fail on demand, and the choice of the way to publish."""

import errno
import fcntl
import os

from renderer.publish import filesystem

READING = {(os, name) for name in ("stat", "lstat", "scandir", "listxattr", "close")}
WRITING = {
    (os, name)
    for name in (
        *("open", "write", "fsync", "mkdir", "rmdir", "unlink", "rename", "replace", "link"),
        *("symlink", "chmod", "chown", "utime", "setxattr"),
    )
} | {(filesystem, "exchange"), (fcntl, "flock")}
NEEDS_ROOM = {"open", "write", "mkdir", "link", "symlink"}
KILLED = 77


CHANGING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_DIRECTORY


class Failing:
    """Counts calls; the n-th ends the process, or fails as on a full disk.

    `kill`: the process ends, a write half done. `once`: a call that changes something fails.
    `any`: any call fails. `full`: from there on, every call fails that needs room.
    """

    def __init__(self, failure: str, at: int):
        self.failure, self.at, self.count = failure, at, 0
        self.reading: set[int] = set()

    def install(self):
        # A process that dies loses nothing that the kernel has; only a power cut would.
        os.fsync = lambda descriptor: None
        for module, name in WRITING | (READING if self.failure == "any" else set()):
            setattr(module, name, self.wrap(name, getattr(module, name)))

    def wrap(self, name, original):
        def call(*args, **kwargs):
            if self.failure == "once" and name == "open" and not args[1] & CHANGING:
                self.reading.add(descriptor := original(*args, **kwargs))
                return descriptor
            if name == "close" and args[0] in self.reading:
                self.reading.remove(args[0])
                return original(*args)
            self.count += 1
            due = self.count == self.at
            if due and self.failure == "kill":
                if name == "write":
                    original(args[0], args[1][: len(args[1]) // 2])
                os._exit(KILLED)
            full = self.failure == "full" and self.count >= self.at and name in NEEDS_ROOM
            if name == "open":
                full = full and args[1] & os.O_CREAT
            if (due and self.failure in ("once", "any")) or full:
                if name == "close":
                    original(*args)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return original(*args, **kwargs)

        return call


def choose(method: str, lower: str) -> None:
    if method == "journal":
        filesystem.can_exchange = lambda: False
    if method == "refused":
        # As on an overlay: folders that are new can be moved, one of a lower layer cannot.
        original = filesystem.exchange

        def refuse(one, other):
            if other.name == lower:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), str(one))
            original(one, other)

        filesystem.exchange = refuse
