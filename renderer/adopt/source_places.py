"""Findings in specs that are not written yet, at the lines that they were imported from."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping

from renderer.text import json_reader, yaml_reader
from renderer.values.diagnostics import Diagnostic, Origin, Path
from renderer.values.tree import Node, walk

#: What each file is to hold: a tree of values that remember where they were read, or a text.
Trees = Mapping[str, "Node | str | None"]


def source_places(
    found: Iterable[Diagnostic], trees: Trees, texts: Mapping[str, str | None]
) -> tuple[Diagnostic, ...]:
    """Findings with their places in the files of trees changed to where the values came from.

    `texts` are what those files say.
    """
    known: dict[str, _Places] = {}
    moved: list[Diagnostic] = []
    for item in found:
        tree, text = trees.get(item.file), texts.get(item.file)
        if isinstance(tree, Node) and text is not None:
            places = known.setdefault(item.file, _Places(tree, text, item.file))
            moved.append(places.moved(item))
        else:
            moved.append(item)
    return tuple(moved)


class _Places:
    """Where the values of one file stand in it, and where they were read."""

    def __init__(self, tree: Node, text: str, file: str) -> None:
        reader = json_reader if file.endswith(".json") else yaml_reader
        written = reader.read(text.encode(), file).document.tree
        values = walk(written) if written else ()
        places = {(node.origin.line, node.origin.column): path for path, node in values}
        self._starts = sorted(places)
        self._paths = [places[start] for start in self._starts]
        self._tree = tree

    def moved(self, item: Diagnostic) -> Diagnostic:
        """A finding at the value that stands at its place, or around it, if that was read."""
        number = bisect_right(self._starts, (item.line, item.column))
        origin = self._origin(self._paths[number - 1] if number else ())
        if origin is None:
            return item
        return item._replace(file=origin.file, line=origin.line, column=origin.column)

    def _origin(self, path: Path) -> Origin | None:
        """Where the value of a path was read, or the nearest one around it."""
        for end in range(len(path), -1, -1):
            node = self._tree.get(*path[:end])
            if node and node.origin.line:
                return node.origin
        return None
