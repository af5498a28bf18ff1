"""What must not happen to a tree, said before anything is written."""

from pathlib import Path

from renderer.errors import RendererError
from renderer.publish.files import Comparison, Place, is_inventory, parents
from renderer.publish.tree import Node, Survey
from renderer.publish.wanted import Wanted
from renderer.text.wording import counted, listed


def refuse_obstacles(folder: Path, found: Survey, wanted: Wanted) -> None:
    """Links, folders and other people's files at or above our paths."""
    for path in sorted({*wanted.files, *found.ours()}):
        for above in parents(path):
            node = found.nodes.get(above)
            if node and not node.is_folder and (node.is_link or path in wanted.files):
                raise _obstacle(folder / above, node)
        node = found.nodes.get(path)
        if node and not node.is_file and (node.is_link or path in wanted.files):
            raise _obstacle(folder / path, node)


def refuse_strangers(folder: Path, found: Survey, differing: Comparison) -> None:
    """A file at our path that is neither in an inventory nor what we would write."""
    ours = found.ours()
    strange = [path for path in differing.changed if path not in ours and not is_inventory(path)]
    if strange:
        more = f" (and {len(strange) - 1} more)" if len(strange) > 1 else ""
        raise RendererError(
            f"{folder / strange[0]}{more}: servingctl did not write this file and will not "
            "replace it; move or delete it to render here"
        )


def refuse_emptying(folder: Path, found: Survey, wanted: Wanted) -> None:
    """The end of all objects of a destination is more often a mistake than a wish."""
    emptied = [place for place in sorted(found.inventories) if _is_emptied(place, found, wanted)]
    if not emptied:
        return
    gone = {place.environment for place in emptied}
    gone -= {place.environment for place in wanted.objects}
    names = [f"environment {name}" for name in sorted(gone)]
    names += [f"destination {place.folder}" for place in emptied if place.environment not in gone]
    files = sum(len(found.inventories[place]) for place in emptied)
    raise RendererError(
        f"{folder}: {listed(names)} would lose every object ({counted(files, 'file')}); "
        "if that is meant, add --allow-empty"
    )


def _is_emptied(place: Place, found: Survey, wanted: Wanted) -> bool:
    before = found.inventories[place]
    if place not in wanted.objects:
        return bool(before)
    had_objects = any(entry.identity for entry in before.values())
    return had_objects and not wanted.objects[place]


def _obstacle(where: Path, node: Node) -> RendererError:
    if node.is_link:
        nature = "a link, which could lead a file anywhere"
    else:
        nature = "a folder" if node.is_folder else "a file" if node.is_file else "a special file"
    return RendererError(f"{where}: {nature} is in the way; remove it to render here")
