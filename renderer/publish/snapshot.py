"""What is on disk: the entries of environments, the inventories, and digests of our files."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from renderer.errors import RendererError
from renderer.publish import filesystem, inventory
from renderer.publish.inventory import (
    DestinationFolder,
    InventoryEntry,
    Scope,
    destination_of,
    is_current,
)
from renderer.values.named_tuple import NamedTuple


class DiskEntry(NamedTuple):
    """An entry of the tree; two looks at an untouched entry are equal."""

    mode: int
    size: int = 0
    changed: int = 0

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def permissions(self) -> int:
        return stat.S_IMODE(self.mode)


DiskEntries = Mapping[str, DiskEntry]


class Snapshot(NamedTuple):
    """A tree before publishing: its entries, what it says is ours, and what our files hold."""

    entries: DiskEntries
    inventories: Mapping[DestinationFolder, Mapping[str, InventoryEntry]]
    digests: Mapping[str, str]

    def ours(self) -> dict[str, InventoryEntry]:
        """The files we once wrote, by path below the output folder."""
        return {path: entry for known in self.inventories.values() for path, entry in known.items()}


def take_snapshot(folder: Path, targets: Iterable[str], scope: Scope) -> Snapshot:
    """Look at every environment in scope; folders with a leading dot are none."""
    entries = dict(
        found for environment in environments(folder, scope) for found in walk(folder, environment)
    )
    inventories = _inventories(folder, entries, scope)
    known = {path for listed in inventories.values() for path in listed}
    known.update(destination.former_inventory for destination in inventories)
    held = {path for path in known.union(targets) if path in entries and entries[path].is_file}
    digests = {path: inventory.digest_of(filesystem.read(f"{folder}/{path}")) for path in held}
    return Snapshot(entries, inventories, digests)


def environments(folder: Path, scope: Scope) -> list[str]:
    found = [name for name in filesystem.names(folder) if not name.startswith(".")]
    return [name for name in found if scope.environments is None or name in scope.environments]


def walk(folder: Path, path: str) -> Iterator[tuple[str, DiskEntry]]:
    """An entry and all below it; links are entries, nothing is looked for behind them."""
    where = f"{folder}/{path}"
    found = filesystem.status(where)
    if found is None:
        return
    entry = _entry(found)
    yield path, entry
    if entry.is_folder:
        for name in filesystem.names(where):
            yield from walk(folder, f"{path}/{name}")


def _entry(found: os.stat_result) -> DiskEntry:
    if stat.S_ISDIR(found.st_mode):
        return DiskEntry(found.st_mode)  # its size and time change with its entries, which are seen
    return DiskEntry(found.st_mode, found.st_size, found.st_mtime_ns)


def _inventories(
    folder: Path, entries: DiskEntries, scope: Scope
) -> dict[DestinationFolder, dict[str, InventoryEntry]]:
    found: dict[DestinationFolder, dict[str, InventoryEntry]] = {}
    for path, entry in entries.items():
        destination = destination_of(path)
        if not is_current(path, entries) or not scope.covers(destination):
            continue
        if not entry.is_file:
            raise RendererError(f"{folder / path}: not a regular file; remove it to render here")
        data = filesystem.read(folder / path, inventory.MOST)
        listed = inventory.parse(data, folder / path)
        found[destination] = {f"{destination.path}/{name}": ours for name, ours in listed.items()}
    return found
