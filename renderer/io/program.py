"""What the program itself is made of: another program comes to other outcomes."""

import os
import sys
from collections.abc import Iterator

from renderer import __version__
from renderer.assets import SCHEMAS, TEMPLATES
from renderer.text.digests import blake2b

_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_COMPILED = "__pycache__"
_LIBRARIES = ("site-packages", "dist-packages")


def program() -> str:
    """A name for this version, with the Python that runs it and its files as they are on disk.

    Where libraries are installed, the time of the folder tells whether one came or went.
    """
    total = blake2b(f"{__version__}\0{sys.version}".encode(), digest_size=16)
    for folder in filter(os.path.isdir, (path for path in sys.path if path.endswith(_LIBRARIES))):
        total.update(f"{folder}\0{os.stat(folder).st_mtime_ns}\0".encode())
    for folder in sorted({_PACKAGE, SCHEMAS, TEMPLATES}):
        for line in sorted(_files(folder)):
            total.update(line.encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def _files(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir() and entry.name != _COMPILED:
                yield from _files(entry.path)
            elif entry.is_file():
                about = entry.stat()
                yield f"{entry.path}\0{about.st_size}\0{about.st_mtime_ns}\0"
