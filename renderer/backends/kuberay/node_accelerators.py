"""The accelerators of Ray nodes: by the node selector and affinity of groups, in Ray's words."""

from renderer.backends.kuberay.workloads import Workload
from renderer.engines.accelerators import Choice, accelerators_of_ray, choose, devices
from renderer.values.tree import Node


def node_choice(workload: Workload) -> Choice | None:
    """The accelerators of all groups that have some; nothing if they are not known of one."""
    found: list[Choice] = []
    for group in workload.groups:
        given = devices(group.container.node) if group.container else {}
        if given:
            found.append(choose(group.pod.node, next(iter(given)), workload.environment))
    if not found or any(not item.candidates for item in found):
        return None
    every = {item.product: item for choice in found for item in choice.candidates}
    smallest = sorted(every.values(), key=lambda item: (item.memory, item.product))
    return Choice(tuple(smallest), found[0].place)


def ray_types(workload: Workload) -> list[str]:
    """What Ray finds on the nodes that have accelerators; nothing if that is not certain."""
    found = node_choice(workload)
    names = [item.ray_type for item in found.candidates] if found else []
    return list(dict.fromkeys(names)) if all(names) else []


def accelerators_of(workload: Workload, ray_type: str, place: Node | None) -> Choice:
    """Those that a model gets that asks for an accelerator by Ray's name, or for any."""
    nodes = node_choice(workload)
    if not ray_type:
        return nodes or Choice(())
    named = accelerators_of_ray(ray_type, workload.environment)
    both = tuple(item for item in named if nodes and item in nodes.candidates)
    return Choice(both or named, place)
