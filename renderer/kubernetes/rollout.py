"""How far Deployments are: pods that are ready, that should be, and that are of the new kind."""

from collections.abc import Iterable
from typing import NamedTuple

from renderer.values.live import LiveObject

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
