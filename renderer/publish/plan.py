"""Which files and folders come and go, from values to values."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from renderer.publish.files import Comparison, TextsAreMissing, parents
from renderer.publish.tree import Nodes, Survey
from renderer.publish.wanted import Wanted
from renderer.values.output import OutputFile


class Plan(NamedTuple):
    """The way from the tree found to the tree wanted; every path is below the output folder."""

    nodes: Nodes
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
        return self.nodes[path].permissions if path in self.nodes else None


def plan(found: Survey, wanted: Wanted, differing: Comparison) -> Plan:
    written = {path: wanted.files[path] for path in (*differing.missing, *differing.changed)}
    if any(file.text is None for file in written.values()):
        raise TextsAreMissing
    ancestors = _above(written)
    return Plan(
        nodes=found.nodes,
        written=written,
        removed=differing.stale,
        made=tuple(sorted(ancestors.difference(found.nodes))),
        emptied=_emptied(found, written, differing.stale),
    )


def _emptied(found: Survey, written: Iterable[str], removed: tuple[str, ...]) -> tuple[str, ...]:
    """Folders that held files of ours and now hold nothing; other empty folders are foreign."""
    folders = {path for path, node in found.nodes.items() if node.is_folder}
    candidates = folders & _above((*removed, *found.ours()))
    staying = set(found.nodes).difference(removed, candidates).union(written)
    return tuple(sorted(candidates - _above(staying), reverse=True))


def _above(paths: Iterable[str]) -> set[str]:
    return {folder for path in paths for folder in parents(path)}
