"""Labels and amounts in the form in which they are stored."""

from renderer.kubernetes.quantities import canonical
from renderer.values.tree import Node, constant

ABSENT = constant(None, "not set")
_MANAGED_BY = constant("servingctl", "marks what servingctl rendered")


def members(tree: Node, key: str) -> dict[str, Node]:
    node = tree.get(key)
    return dict(node.items) if node else {}


def labels(tree: Node, own: dict[str, Node]) -> Node:
    """The user's labels and ours, which only the marker of our output overrides."""
    combined = {**own, **members(tree, "labels"), "app.kubernetes.io/managed-by": _MANAGED_BY}
    return Node(combined, tree.locate(("labels",)))


def unless_empty(node: Node | None) -> Node:
    return node if node and node.value else ABSENT


def quantity(node: Node) -> Node:
    return node.with_value(canonical(str(node.value)))
