"""What live objects say of themselves: conditions, and how far Deployments are."""

from collections.abc import Iterable
from typing import NamedTuple

from renderer.values.live import LiveObject
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


#: What is looked at in a Deployment.
READ = (("spec", "replicas"), ("status",))


class Rollout(NamedTuple):
    """Several Deployments as one."""

    ready: int
    wanted: int
    is_done: bool

    @classmethod
    def of(cls, deployments: Iterable[LiveObject]) -> "Rollout | None":
        """All of them together; nothing if there are none."""
        found = list(deployments)
        if not found:
            return None
        ready = sum(number(item, "status", "readyReplicas") for item in found)
        wanted = sum(number(item, "spec", "replicas") for item in found)
        return cls(ready, wanted, all(map(_is_done, found)))


def number(item: LiveObject, *path: str) -> int:
    """A number in an object; zero where there is none."""
    node = item.tree.get(*path)
    return node.value if node and type(node.value) is int else 0


def _is_done(item: LiveObject) -> bool:
    """Whether the controller has seen the latest spec, and no pod of an older one is left."""
    wanted = number(item, "spec", "replicas")
    return (
        number(item, "status", "observedGeneration") >= number(item, "metadata", "generation")
        and number(item, "status", "updatedReplicas") >= wanted
        and number(item, "status", "replicas") <= wanted
    )
