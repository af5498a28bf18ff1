"""What is to become of a tree: the files wanted, what comes and goes, and what is refused."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

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
from renderer.publish.journal import RENDER
from renderer.publish.snapshot import DiskEntries, DiskEntry, Snapshot
from renderer.text.wording import counted, listed
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import OutputFile

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
            destinations[destination][file.path] = add_digest(file)
    every = {path: file for group in destinations.values() for path, file in group.items()}
    every |= {
        destination.inventory: inventory_file(destination, group)
        for destination, group in destinations.items()
    }
    objects = {
        destination: sum(1 for file in group.values() if file.identity)
        for destination, group in destinations.items()
    }
    return TargetTree(every, objects)


def add_digest(file: OutputFile) -> OutputFile:
    return file if file.digest else file._replace(digest=inventory.digest_of(file.data))


def inventory_file(destination: DestinationFolder, files: Mapping[str, OutputFile]) -> OutputFile:
    prefix = f"{destination.path}/"
    entries = {path.removeprefix(prefix): inventory.entry_of(file) for path, file in files.items()}
    return add_digest(OutputFile(destination.inventory, inventory.dump(entries)))


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
    known = set(found.ours())
    known.update(
        path for path in found.entries if is_inventory(path) and scope.covers(destination_of(path))
    )
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


def accept_former_names(
    found: Snapshot, target: TargetTree, differing: TreeDifferences
) -> TreeDifferences:
    """An inventory that says the right thing under its former name is no difference to tell."""
    right = [
        destination
        for destination in target.objects
        if destination.inventory in differing.missing
        and found.digests.get(destination.former_inventory)
        == target.files[destination.inventory].digest
    ]
    names = {name for item in right for name in (item.inventory, item.former_inventory)}
    missing, stale = (
        tuple(path for path in paths if path not in names)
        for paths in (differing.missing, differing.stale)
    )
    return differing._replace(missing=missing, stale=stale)


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


def refuse_obstacles(folder: Path, found: Snapshot, target: TargetTree) -> None:
    """Links, folders and other people's files at or above our paths."""
    for path in sorted({*target.files, *found.ours()}):
        for above in parents(path):
            entry = found.entries.get(above)
            if entry and not entry.is_folder and (entry.is_link or path in target.files):
                raise _obstacle(folder / above, entry)
        entry = found.entries.get(path)
        if entry and not entry.is_file and (entry.is_link or path in target.files):
            raise _obstacle(folder / path, entry)


def refuse_strangers(folder: Path, found: Snapshot, differing: TreeDifferences) -> None:
    """A file at our path that is neither in an inventory nor what we would write."""
    ours = found.ours()
    strange = [path for path in differing.changed if path not in ours and not is_inventory(path)]
    if strange:
        more = f" (and {len(strange) - 1} more)" if len(strange) > 1 else ""
        raise RendererError(
            f"{folder / strange[0]}{more}: servingctl did not write this file and will not "
            "replace it; move or delete it to render here"
        )


def refuse_emptying(folder: Path, found: Snapshot, target: TargetTree) -> None:
    """The end of all objects of a destination is more often a mistake than a wish."""
    emptied = [
        destination
        for destination in sorted(found.inventories)
        if _is_emptied(destination, found, target)
    ]
    if not emptied:
        return
    gone = {destination.environment for destination in emptied}
    gone -= {destination.environment for destination in target.objects}
    names = [f"environment {name}" for name in sorted(gone)]
    names += [
        f"destination {destination.path}"
        for destination in emptied
        if destination.environment not in gone
    ]
    files = sum(len(found.inventories[destination]) for destination in emptied)
    raise RendererError(
        f"{folder}: {listed(names)} would lose every object ({counted(files, 'file')}); "
        "if that is meant, add --allow-empty"
    )


def _is_emptied(destination: DestinationFolder, found: Snapshot, target: TargetTree) -> bool:
    had_objects = any(entry.identity for entry in found.inventories[destination].values())
    return had_objects and not target.objects.get(destination)


def _obstacle(where: Path, entry: DiskEntry) -> RendererError:
    if entry.is_link:
        nature = "a link, which could lead a file anywhere"
    else:
        nature = "a folder" if entry.is_folder else "a file" if entry.is_file else "a special file"
    return RendererError(f"{where}: {nature} is in the way; remove it to render here")


class Plan(NamedTuple):
    """The way from the tree found to the tree wanted; every path is below the folder."""

    entries: DiskEntries
    written: Mapping[str, bytes]
    removed: tuple[str, ...]
    made: tuple[str, ...]  # folders, outer ones first
    emptied: tuple[str, ...] = ()  # folders, inner ones first
    action: str = RENDER

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
    ancestors = _parent_folders(written)
    return Plan(
        entries=found.entries,
        written={path: file.data for path, file in written.items()},
        removed=differing.stale,
        made=tuple(sorted(ancestors.difference(found.entries))),
        emptied=_emptied_folders(found, written, differing.stale),
    )


def _emptied_folders(
    found: Snapshot, written: Iterable[str], removed: tuple[str, ...]
) -> tuple[str, ...]:
    """Folders that held files of ours and now hold nothing; other empty folders are foreign."""
    folders = {path for path, entry in found.entries.items() if entry.is_folder}
    candidates = folders & _parent_folders((*removed, *found.ours()))
    staying = set(found.entries).difference(removed, candidates).union(written)
    return tuple(sorted(candidates - _parent_folders(staying), reverse=True))


def _parent_folders(paths: Iterable[str]) -> set[str]:
    return {folder for path in paths for folder in parents(path)}
