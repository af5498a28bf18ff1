"""Rendered files to disk: all of them or, if any cannot be written, none."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from renderer.errors import RendererError


class Written(NamedTuple):
    """How many files were new or different, and how many were left alone."""

    changed: int
    unchanged: int


def write_files(folder: Path, files: Mapping[str, str]) -> Written:
    """Write what differs; every file is prepared beside its place before any is moved there."""
    staged: list[tuple[Path, Path]] = []
    made: list[Path] = []
    try:
        for path, text in sorted(files.items()):
            target = folder / path
            data = text.encode()
            if not _is_same(target, data):
                _refuse_links(folder, target)
                made += _make_folders(target.parent)
                staged.append((_stage(target, data), target))
        for source, target in staged:
            source.replace(target)
    except OSError as error:
        _clean_up([source for source, _ in staged], made)
        where = error.filename or folder
        reason = (error.strerror or "cannot be written").lower()
        raise RendererError(f"nothing was rendered: {where}: {reason}") from error
    return Written(len(staged), len(files) - len(staged))


def _is_same(target: Path, data: bytes) -> bool:
    try:
        return target.stat().st_size == len(data) and target.read_bytes() == data
    except (FileNotFoundError, NotADirectoryError):
        return False


def _refuse_links(folder: Path, target: Path) -> None:
    """A link inside the output folder could lead a file anywhere."""
    for part in (target, *target.parents):
        if part == folder:
            return
        if part.is_symlink():
            raise OSError(0, "it is a link; remove it to render there", str(part))


def _make_folders(folder: Path) -> list[Path]:
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def _stage(target: Path, data: bytes) -> Path:
    source = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        source.write_bytes(data)
    except OSError:
        _clean_up([source], [])
        raise
    return source


def _clean_up(files: list[Path], folders: list[Path]) -> None:
    for file in files:
        with suppress(OSError):
            file.unlink()
    for folder in sorted(folders, reverse=True):
        with suppress(OSError):
            folder.rmdir()
