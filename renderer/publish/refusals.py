"""What must not happen to a tree, said before anything is written."""

from pathlib import Path

from renderer.errors import RendererError
from renderer.publish.inventory import DestinationFolder, is_inventory, parents
from renderer.publish.plan import TargetTree, TreeDifferences
from renderer.publish.snapshot import DiskEntry, Snapshot
from renderer.text.wording import counted, listed


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
    before = found.inventories[destination]
    if destination not in target.objects:
        return bool(before)
    had_objects = any(entry.identity for entry in before.values())
    return had_objects and not target.objects[destination]


def _obstacle(where: Path, entry: DiskEntry) -> RendererError:
    if entry.is_link:
        nature = "a link, which could lead a file anywhere"
    else:
        nature = "a folder" if entry.is_folder else "a file" if entry.is_file else "a special file"
    return RendererError(f"{where}: {nature} is in the way; remove it to render here")
