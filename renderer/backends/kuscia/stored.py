"""Labels, amounts and input configs in the form in which they are stored."""

import json

from renderer.memos import once_each
from renderer.quantities import canonical
from renderer.tree import Node, constant

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


@once_each
def stored_config(config: Node) -> str:
    """An input config: a text byte for byte, a mapping as compact JSON with sorted keys."""
    if isinstance(config.value, str):
        return config.value
    data = config.plain()
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def quantity(node: Node) -> Node:
    return node.with_value(canonical(str(node.value)))
