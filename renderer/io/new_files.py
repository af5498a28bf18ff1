"""Files that are written to a folder: all of them or none, and in no other's place unasked."""

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from renderer.errors import RendererError, UsageError
from renderer.io.edits import Replacement, write_together
from renderer.text.wording import listed

_MOST_NAMED = 3


def add_files(folder: Path, files: Mapping[str, str], action: str) -> None:
    """Write texts by their paths below a folder, which need not be there yet.

    The last of them comes last: that is the one that makes the others count.
    """
    _refuse_what_is_there(folder, files)
    new = {path: Replacement(None, text.encode()) for path, text in files.items()}
    write_together(Path(os.path.abspath(folder)), new, action)


def replace_files(
    folder: Path, files: Mapping[str, str], action: str, *, root: Path, force: bool
) -> int:
    """Write texts by their paths below a folder; how many were not as they are to be.

    A file that is there and differs is replaced by force only. A folder below the root is a part
    of that repository, whose next command looks after what was interrupted.
    """
    folder = Path(os.path.abspath(folder))
    wanted = {path: text.encode() for path, text in files.items()}
    found = {path: _content(folder / path) for path in wanted}
    differing = [path for path in wanted if found[path] != wanted[path]]
    there = [str(folder / path) for path in differing if found[path] is not None]
    if there and not force:
        what = f"{_few(there)} {_are(there)} there already and differ{'s' * (len(there) == 1)}"
        raise UsageError(f"{what}; nothing was written; --force replaces what is there")
    base = root if folder.is_relative_to(root) else folder
    below = folder.relative_to(base)
    write_together(
        base,
        {str(below / path): Replacement(found[path], wanted[path]) for path in differing},
        action,
    )
    return len(differing)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if path.exists() else None
    except OSError as error:
        reason = (error.strerror or "failed").lower()
        raise RendererError(f"{path}: {reason}; nothing was written") from error


def _refuse_what_is_there(folder: Path, files: Mapping[str, str]) -> None:
    """No file may be in the way, nor a link that leads elsewhere."""
    for path in (PurePosixPath(path) for path in files):
        for place in (folder, *(folder / above for above in reversed(path.parents[:-1]))):
            if os.path.lexists(place) and not _is_folder(place, may_be_link=place == folder):
                raise UsageError(f"{place} is not a folder; nothing was written")
    there = sorted(str(folder / path) for path in files if os.path.lexists(folder / path))
    if there:
        raise UsageError(f"{_few(there)} {_are(there)} there already; nothing was written")


def _few(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return listed([*names[:_MOST_NAMED], *([f"{more} more"] if more > 0 else [])])


def _are(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _is_folder(place: Path, *, may_be_link: bool) -> bool:
    return place.is_dir() and (may_be_link or not place.is_symlink())
