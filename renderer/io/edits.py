"""Files of the work tree written together: all of them, or none."""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from renderer.errors import RendererError


class _Target(NamedTuple):
    """A file, the new one beside it, and the old one if there is any."""

    file: Path
    draft: Path
    old: Path | None


class Replacement(NamedTuple):
    """What a file is to hold, and what it held when that was decided; nothing if it is new."""

    before: bytes | None
    after: bytes


def write_together(root: Path, files: Mapping[str, Replacement]) -> None:
    """Replace files that are still as they were; if one cannot be, all stay as they are."""
    mark = os.urandom(8).hex()
    made: list[Path] = []
    targets: list[_Target] = []
    try:
        for path, item in sorted(files.items()):
            _refuse_others(root, path, item.before)
            targets.append(_prepared(root / path, item.after, mark, made))
        _exchange(targets)
    except BaseException as error:
        _tidy(targets, made)
        if isinstance(error, OSError):
            reason = (error.strerror or "failed").lower()
            raise RendererError(f"nothing is written: {error.filename}: {reason}") from error
        raise
    _tidy(targets, [])


def _refuse_others(root: Path, path: str, before: bytes | None) -> None:
    """Nothing but what was read is replaced, and no link: it may lead to a file of others."""
    full = root / path
    folder = next(folder for folder in full.parents if folder.exists())
    real = root.resolve() / folder.relative_to(root)
    if full.is_symlink() or folder.resolve() != real:
        raise RendererError(f"nothing is written: {path} is behind a link; edit it by hand")
    if (full.read_bytes() if full.exists() else None) != before:
        raise RendererError(f"nothing is written: {path} was changed meanwhile; try again")


def _prepared(file: Path, data: bytes, mark: str, made: list[Path]) -> _Target:
    """The new file beside the old one; folders that are missing are made, and noted."""
    for folder in reversed([folder for folder in file.parents if not folder.exists()]):
        folder.mkdir()
        made.append(folder)
    draft = file.with_name(f".servingctl-{mark}-new-{file.name}")
    made.append(draft)
    draft.write_bytes(data)
    old = None
    if file.exists():
        shutil.copymode(file, draft)
        old = file.with_name(f".servingctl-{mark}-old-{file.name}")
        made.append(old)
        shutil.copy2(file, old)
    return _Target(file, draft, old)


def _exchange(targets: list[_Target]) -> None:
    done: list[_Target] = []
    try:
        for target in targets:
            done.append(target)
            target.draft.replace(target.file)
    except BaseException:
        for target in done:
            if not target.draft.exists():  # it is in its place
                _put_back(target)
        raise


def _put_back(target: _Target) -> None:
    with suppress(OSError):
        if target.old:
            target.old.replace(target.file)
        else:
            target.file.unlink()


def _tidy(targets: list[_Target], made: list[Path]) -> None:
    """Without drafts and copies, and without folders that were made for nothing."""
    extra = [path for target in targets for path in (target.draft, target.old) if path]
    for path in reversed([*made, *extra]):
        with suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
