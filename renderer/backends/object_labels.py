"""The labels of a rendered object: those of the user, those of a platform, and ours."""

from collections.abc import Mapping

from renderer.backends.fields import members
from renderer.values.tree import Node, constant

MANAGED_BY = "app.kubernetes.io/managed-by"
OURS = constant("servingctl", "marks what servingctl rendered")


def object_labels(tree: Node, own: Mapping[str, Node]) -> Node:
    """The user's labels and ours, which only the marker of our output overrides."""
    return Node({**own, **members(tree, "labels"), MANAGED_BY: OURS}, tree.locate(("labels",)))
