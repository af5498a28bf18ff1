"""What is on disk: the entries of environments, the inventories, and digests of our files."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from renderer.errors import RendererError
from renderer.publish import filesystem, inventory
from renderer.publish.files import Place, Scope, is_inventory, place_of
from renderer.publish.inventory import Entry


class Node(NamedTuple):
    """An entry of the tree; two looks at an untouched entry give equal nodes."""

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


Nodes = Mapping[str, Node]


class Survey(NamedTuple):
    """A tree before publishing: its entries, what it says is ours, and what our files hold."""

    nodes: Nodes
    inventories: Mapping[Place, Mapping[str, Entry]]
    digests: Mapping[str, str]

    def ours(self) -> dict[str, Entry]:
        """The files we once wrote, by path below the output folder."""
        return {path: entry for known in self.inventories.values() for path, entry in known.items()}


def survey(folder: Path, wanted: Iterable[str], scope: Scope) -> Survey:
    """Look at every environment in scope; folders with a leading dot are none."""
    nodes = dict(
        found for environment in environments(folder, scope) for found in walk(folder, environment)
    )
    inventories = _inventories(folder, nodes, scope)
    known = {path for entries in inventories.values() for path in entries}
    held = {path for path in known.union(wanted) if path in nodes and nodes[path].is_file}
    digests = {path: inventory.digest_of(filesystem.read(f"{folder}/{path}")) for path in held}
    return Survey(nodes, inventories, digests)


def environments(folder: Path, scope: Scope) -> list[str]:
    found = [name for name in filesystem.names(folder) if not name.startswith(".")]
    return [name for name in found if scope.environments is None or name in scope.environments]


def walk(folder: Path, path: str) -> Iterator[tuple[str, Node]]:
    """An entry and all below it; links are entries, nothing is looked for behind them."""
    where = f"{folder}/{path}"
    found = filesystem.status(where)
    if found is None:
        return
    node = _node(found)
    yield path, node
    if node.is_folder:
        for name in filesystem.names(where):
            yield from walk(folder, f"{path}/{name}")


def _node(found: os.stat_result) -> Node:
    if stat.S_ISDIR(found.st_mode):
        return Node(found.st_mode)  # its size and time change with its entries, which are seen
    return Node(found.st_mode, found.st_size, found.st_mtime_ns)


def _inventories(folder: Path, nodes: Nodes, scope: Scope) -> dict[Place, dict[str, Entry]]:
    found: dict[Place, dict[str, Entry]] = {}
    for path, node in nodes.items():
        place = place_of(path)
        if not is_inventory(path) or not scope.covers(place):
            continue
        if not node.is_file:
            raise RendererError(f"{folder / path}: not a regular file; remove it to render here")
        entries = inventory.parse(filesystem.read(folder / path, inventory.MOST), folder / path)
        found[place] = {f"{place.folder}/{name}": entry for name, entry in entries.items()}
    return found
