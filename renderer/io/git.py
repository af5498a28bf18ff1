"""The git program: started without a pager, a prompt, a lock or the network."""

import os
import subprocess
from collections.abc import Iterator
from hashlib import new as new_hash
from pathlib import Path
from typing import IO, NamedTuple

from renderer.errors import RendererError
from renderer.text.wording import visible

_COMMAND = ("git", "--no-pager", "--no-replace-objects", "--literal-pathspecs")
_CALLER_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE")
_SHORT_NAME = 40
_SETTINGS = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class Answer(NamedTuple):
    """What git printed, and whether it was content."""

    ok: bool
    output: bytes
    complaint: str

    @property
    def line(self) -> str:
        return os.fsdecode(self.output).removesuffix("\n")


def ask(folder: Path, *arguments: str) -> Answer:
    """Run a git command in a folder to its end."""
    with _start(folder, arguments) as process:
        output, errors = process.communicate()
    lines = visible_lines(errors)
    complaint = next(lines, "git failed").removeprefix("fatal: ")
    return Answer(process.returncode == 0, output, complaint)


def visible_lines(data: bytes) -> Iterator[str]:
    return (visible(line) for line in data.decode("utf-8", "replace").splitlines())


def _start(
    folder: Path, arguments: tuple[str, ...], errors: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """A hook's caller may have said which repository is meant; ours is the one of the folder."""
    inherited = {k: v for k, v in os.environ.items() if k not in _CALLER_VARIABLES}
    try:
        return subprocess.Popen(  # noqa: S603 - the arguments are ours
            (*_COMMAND, *arguments),
            cwd=folder,
            env={**inherited, **_SETTINGS},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )
    except FileNotFoundError as error:
        message = "git is not found; install it, or compare folders instead of revisions"
        raise RendererError(message) from error
    except OSError as error:
        raise RendererError(f"git does not start: {(error.strerror or '').lower()}") from error


def is_named(data: bytes, name: str) -> bool:
    """Whether some content is what an object's name stands for."""
    algorithm = "sha1" if len(name) == _SHORT_NAME else "sha256"
    total = new_hash(algorithm, b"blob %d\0" % len(data), usedforsecurity=False)
    total.update(data)
    return total.hexdigest() == name


class Objects:
    """The object store of a repository; opened when it is first needed, until it is closed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, name: str, limit: int) -> bytes | None:
        """At most one byte more than the limit of an object; nothing if it is not there."""
        if self._process is None:
            command = ("cat-file", "--batch")
            self._process = _start(self._folder, command, subprocess.DEVNULL)
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise RendererError("git closed its streams")
        try:
            requests.write(f"{name}\n".encode())
            requests.flush()
            header = answers.readline().split()
        except OSError as error:
            raise RendererError("git ended while it was read from") from error
        if len(header) != 3:  # noqa: PLR2004 - name, type, size
            return None
        return _body(answers, int(header[2]), limit + 1)

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate()


def _body(answers: IO[bytes], size: int, wanted: int) -> bytes:
    """What is wanted of an object; the rest of it is read past."""
    data = answers.read(min(size, wanted))
    left = size - len(data) + 1  # a line end follows
    while left and (skipped := answers.read(min(left, 1 << 16))):
        left -= len(skipped)
    return data
