"""The conditions in the status of an object."""

from typing import NamedTuple

from renderer.values.tree import Node


class Condition(NamedTuple):
    """What an object says of itself; of one that it does not speak of, nothing is known."""

    status: str = ""
    reason: str = ""
    message: str = ""
    since: str = ""

    @property
    def is_true(self) -> bool:
        return self.status == "True"

    @property
    def is_false(self) -> bool:
        return self.status == "False"


UNTOLD = Condition()
_FIELDS = ("status", "reason", "message", "lastTransitionTime")


def conditions(tree: Node) -> dict[str, Condition]:
    """By their types; anything that is not what it should be is left out."""
    listed = tree.get("status", "conditions")
    found: dict[str, Condition] = {}
    for item in listed.elements if listed else ():
        if name := _text(item, "type"):
            found[name] = Condition(*(_text(item, key) for key in _FIELDS))
    return found


def _text(item: Node, key: str) -> str:
    node = item.get(key)
    return node.value if node and isinstance(node.value, str) else ""
