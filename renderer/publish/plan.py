"""What is to become of a tree: the files wanted, how it differs from them, what comes and goes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from renderer.errors import RendererError
from renderer.publish import inventory
from renderer.publish.inventory import (
    DestinationFolder,
    Scope,
    destination_of,
    is_inventory,
    is_safe,
    parents,
)
from renderer.publish.snapshot import DiskEntries, Snapshot
from renderer.values.output import OutputFile

_SHALLOWEST = 3


class TextsAreMissing(Exception):
    """Of a file that has to be written only the digest is known."""


class TreeDifferences(NamedTuple):
    """How a tree differs from what would be rendered: sorted paths below the output folder."""

    missing: tuple[str, ...]
    changed: tuple[str, ...]
    stale: tuple[str, ...]
    foreign: tuple[str, ...]


class TargetTree(NamedTuple):
    """Files by path, inventories included, and how many objects each destination gets.

    Every file has its digest.
    """

    files: Mapping[str, OutputFile]
    objects: Mapping[DestinationFolder, int]


def build_target(files: Sequence[OutputFile], scope: Scope) -> TargetTree:
    """Files outside the scope are another run's; the order of files means nothing."""
    destinations: dict[DestinationFolder, dict[str, OutputFile]] = {}
    for file in files:
        _refuse_odd_path(file)
        destination = destination_of(file.path)
        if scope.covers(destination):
            _refuse_twin(destinations.setdefault(destination, {}), file)
            destinations[destination][file.path] = _with_digest(file)
    every = {path: file for group in destinations.values() for path, file in group.items()}
    every |= {
        destination.inventory: _inventory(destination, group)
        for destination, group in destinations.items()
    }
    objects = {
        destination: sum(1 for file in group.values() if file.identity)
        for destination, group in destinations.items()
    }
    return TargetTree(every, objects)


def _with_digest(file: OutputFile) -> OutputFile:
    return file if file.digest else file._replace(digest=inventory.digest_of(file.data))


def _inventory(destination: DestinationFolder, files: Mapping[str, OutputFile]) -> OutputFile:
    prefix = f"{destination.path}/"
    entries = {path.removeprefix(prefix): inventory.entry_of(file) for path, file in files.items()}
    return _with_digest(OutputFile(destination.inventory, inventory.dump(entries)))


def _refuse_odd_path(file: OutputFile) -> None:
    parts = file.path.split("/")
    hidden = any(part.startswith(".") for part in parts[: _SHALLOWEST - 1])
    if len(parts) < _SHALLOWEST or hidden or not is_safe(file.path):
        origin = file.source or "an environment"
        message = f"{file.path!r} is no path below the output folder; rename what {origin} names so"
        raise RendererError(message)


def _refuse_twin(others: Mapping[str, OutputFile], file: OutputFile) -> None:
    twin = others.get(file.path)
    if twin:
        sources = f"{twin.source or 'one spec'} and {file.source or 'another'}"
        raise RendererError(f"{sources} both render {file.path}; rename one of the two objects")


def compare_trees(found: Snapshot, target: TargetTree, scope: Scope) -> TreeDifferences:
    """Missing, changed, stale and foreign files; only a file we once wrote can be stale."""
    missing = sorted(path for path in target.files if path not in found.entries)
    changed = sorted(
        path
        for path, file in target.files.items()
        if path in found.entries and found.digests.get(path) != file.digest
    )
    known = set(found.ours()) | {destination.inventory for destination in found.inventories}
    stale = {
        path
        for path in known.difference(target.files)
        if path in found.entries and found.entries[path].is_file
    }
    foreign = sorted(
        path
        for path, entry in found.entries.items()
        if "/" in path  # beside the environments lies what belongs to the repository
        and not entry.is_folder
        and path not in stale
        and path not in target.files
        and scope.covers(destination_of(path))
    )
    return TreeDifferences(tuple(missing), tuple(changed), tuple(sorted(stale)), tuple(foreign))


def find_edited(found: Snapshot, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Those of our files that are no longer what we wrote."""
    ours = found.ours()
    return tuple(
        path
        for path in paths
        if path in ours and path in found.digests and found.digests[path] != ours[path].digest
    )


def count_rendered(paths: tuple[str, ...]) -> int:
    """How many of the paths people rendered; inventories are our own bookkeeping."""
    return sum(1 for path in paths if not is_inventory(path))


class Plan(NamedTuple):
    """The way from the tree found to the tree wanted; every path is below the output folder."""

    entries: DiskEntries
    written: Mapping[str, OutputFile]
    removed: tuple[str, ...]
    made: tuple[str, ...]  # folders, outer ones first
    emptied: tuple[str, ...]  # folders, inner ones first

    @property
    def environments(self) -> list[str]:
        """Those that something happens to."""
        return sorted({path.split("/")[0] for path in (*self.written, *self.removed)})

    def mode_of(self, path: str) -> int | None:
        """The permissions that a file keeps when its content is replaced."""
        return self.entries[path].permissions if path in self.entries else None


def make_plan(found: Snapshot, target: TargetTree, differing: TreeDifferences) -> Plan:
    written = {path: target.files[path] for path in (*differing.missing, *differing.changed)}
    if any(file.text is None for file in written.values()):
        raise TextsAreMissing
    ancestors = _above(written)
    return Plan(
        entries=found.entries,
        written=written,
        removed=differing.stale,
        made=tuple(sorted(ancestors.difference(found.entries))),
        emptied=_emptied(found, written, differing.stale),
    )


def _emptied(found: Snapshot, written: Iterable[str], removed: tuple[str, ...]) -> tuple[str, ...]:
    """Folders that held files of ours and now hold nothing; other empty folders are foreign."""
    folders = {path for path, entry in found.entries.items() if entry.is_folder}
    candidates = folders & _above((*removed, *found.ours()))
    staying = set(found.entries).difference(removed, candidates).union(written)
    return tuple(sorted(candidates - _above(staying), reverse=True))


def _above(paths: Iterable[str]) -> set[str]:
    return {folder for path in paths for folder in parents(path)}
