"""Files that are written to a folder: all of them or none, and in no other's place unasked."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from renderer.errors import RendererError, UsageError
from renderer.io.edits import Replacement, write_together
from renderer.text.wording import listed

_MOST_NAMED = 3


def add_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts by their paths below a folder, which need not be there yet.

    They are prepared in a folder beside and then moved, the last of them at the very end: that is
    the one that makes the others count.
    """
    _refuse_what_is_there(folder, files)
    folder = Path(os.path.abspath(folder))
    start = next(one for one in (folder, *folder.parents) if one.exists())
    draft = start / f".servingctl-{os.urandom(8).hex()}"
    moved: list[tuple[Path, Path]] = []
    try:
        for path, text in files.items():
            target = draft / folder.relative_to(start) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
        last = folder / list(files)[-1]
        for source, target in sorted(_moves(draft, start), key=lambda move: move[1] == last):
            source.rename(target)
            moved.append((source, target))
    except BaseException as error:
        _undo(moved)
        if isinstance(error, OSError):
            raise _not_written(error, draft, start) from error
        raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def replace_files(folder: Path, files: Mapping[str, str], *, force: bool) -> int:
    """Write texts by their paths below a folder; how many were not as they are to be.

    A file that is there and differs is replaced by force only.
    """
    folder = Path(os.path.abspath(folder))
    wanted = {path: text.encode() for path, text in files.items()}
    found = {path: _content(folder / path) for path in wanted}
    differing = [path for path in wanted if found[path] != wanted[path]]
    there = [str(folder / path) for path in differing if found[path] is not None]
    if there and not force:
        what = f"{_few(there)} {_are(there)} there already and differ{'s' * (len(there) == 1)}"
        raise UsageError(f"{what}; nothing was written; --force replaces what is there")
    start = next(one for one in (folder, *folder.parents) if one.exists())
    below = folder.relative_to(start)
    replacements = {str(below / path): Replacement(found[path], wanted[path]) for path in differing}
    write_together(start, replacements)
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


def _moves(source: Path, target: Path) -> Iterator[tuple[Path, Path]]:
    """What has to be moved where: whole folders, where there are none yet."""
    for item in sorted(source.iterdir()):
        there = target / item.name
        if there.is_dir():
            yield from _moves(item, there)
        else:
            yield item, there


def _undo(moved: list[tuple[Path, Path]]) -> None:
    for source, target in reversed(moved):
        with suppress(OSError):
            target.rename(source)


def _not_written(error: OSError, draft: Path, start: Path) -> RendererError:
    """Why nothing was written, in terms of what was to be."""
    where = str(error.filename or start).replace(str(draft), str(start))
    return RendererError(f"{where}: {(error.strerror or 'failed').lower()}; nothing was written")
