"""Files that are added to a folder: all of them or none, and never in the place of another."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from renderer.errors import RendererError, UsageError
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


def _refuse_what_is_there(folder: Path, files: Mapping[str, str]) -> None:
    """No file may be in the way, nor a link that leads elsewhere."""
    for path in (PurePosixPath(path) for path in files):
        for place in (folder, *(folder / above for above in reversed(path.parents[:-1]))):
            if os.path.lexists(place) and not _is_folder(place, may_be_link=place == folder):
                raise UsageError(f"{place} is not a folder; nothing was written")
    there = sorted(str(folder / path) for path in files if os.path.lexists(folder / path))
    if there:
        names = there[:_MOST_NAMED]
        names += [f"{len(there) - _MOST_NAMED} more"] if len(there) > _MOST_NAMED else []
        verb = "is" if len(there) == 1 else "are"
        raise UsageError(f"{listed(names)} {verb} there already; nothing was written")


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
