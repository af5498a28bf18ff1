"""What folding leaves as it is: a place of which one layer speaks, and takes nothing away."""

from renderer.compose.shapes import Shape
from renderer.values.tree import Node

REMOVE = "$remove"
_CONTAINERS = (dict, tuple)


class UnchangedPlaces:
    """Looks at places of which only one layer speaks; remembers those that do not stay.

    So each node is looked at twice at most, however deep below the first place a `null` is.
    """

    def __init__(self) -> None:
        self._folded: set[int] = set()

    def is_unchanged(self, node: Node, shape: Shape) -> bool:
        """Whether there is no null, no mark and no word to all items of a list at or below it."""
        value = node.value
        if not isinstance(value, _CONTAINERS):
            return value is not None
        if id(node) in self._folded:
            return False
        stays = self._mapping(node, shape) if isinstance(value, dict) else self._list(node, shape)
        if not stays:
            self._folded.add(id(node))
        return stays

    def _mapping(self, node: Node, shape: Shape) -> bool:
        members = node.items
        if shape.list_key or node.gone or REMOVE in members:
            return False
        for key, child in members.items():
            value = child.value
            if value is None:
                return False
            if isinstance(value, _CONTAINERS) and not self.is_unchanged(child, shape.member(key)):
                return False
        return True

    def _list(self, node: Node, shape: Shape) -> bool:
        """One without a key is taken whole, whatever is in it."""
        if not shape.list_key:
            return True
        item = shape.item()
        return not node.gone and all(self.is_unchanged(child, item) for child in node.elements)
