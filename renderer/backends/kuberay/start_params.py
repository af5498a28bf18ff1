"""The parameters that `ray start` gets in a pod: those of the group, and what the operator adds."""

import json
from collections.abc import Iterator, Mapping
from math import ceil

from renderer.backends.fields import members, text
from renderer.backends.kuberay.workloads import Group
from renderer.kubernetes.quantities import value
from renderer.values.tree import Node

#: Ray's names for accelerators that are no GPUs.
_ACCELERATORS = {"google.com/tpu": "TPU", "aws.amazon.com/neuroncore": "neuron_cores"}
_MIG = "nvidia.com/mig-"
#: Flags that are passed with the value false instead of being left out.
_SAID_WHEN_FALSE = frozenset(("log-color", "include-dashboard", "include-log-monitor"))
#: How Ray calls what a group's `resources` may give, and the parameter that says it.
_OF_RESOURCES = {"CPU": "num-cpus", "GPU": "num-gpus", "memory": "memory"}
GCS_PORT = "6379"


def gcs_port(head: Group) -> str:
    """Where workers find the head."""
    return head.start_params.get("port", GCS_PORT)


def start_params(group: Group, address: str = "") -> dict[str, str]:
    """All parameters by name. `address` is that of the head, which workers are told."""
    params = dict(group.start_params)
    if group.is_head:
        params.setdefault("dashboard-host", "0.0.0.0")  # noqa: S104 - what the operator sets
    elif address:
        params.setdefault("address", address)
    params.setdefault("metrics-export-port", "8080")
    params.setdefault("dashboard-agent-listen-port", "52365")
    params["block"] = "true"
    for name, amount in _amounts(group):
        params.setdefault(name, amount)
    return dict(sorted(params.items()))


def command_line(params: Mapping[str, str], *, is_head: bool) -> str:
    """What the container runs: flags that are true stand alone, most that are false not at all."""
    words = ["ray start", *(["--head"] if is_head else [])]
    for name, given in sorted(params.items()):
        if given.lower() == "true":
            words.append(f"--{name}")
        elif given.lower() != "false" or name in _SAID_WHEN_FALSE:
            words.append(f"--{name}={given}")
    return " ".join(words)


def _amounts(group: Group) -> Iterator[tuple[str, str]]:
    """What the operator reads off the group's own resources, or off its container."""
    given = members(group.node, "resources")
    if given:
        yield from _stated(given)
        return
    container = group.container.node if group.container else None
    limits = members(container, "resources", "limits")
    requests = members(container, "resources", "requests")
    if (cpu := limits.get("cpu") or requests.get("cpu")) and (cores := _number(cpu)):
        yield "num-cpus", str(ceil(cores))
    if (memory := limits.get("memory")) and (size := _number(memory)):
        yield "memory", str(int(size))
    accelerators = [(name, node) for name, node in sorted(limits.items()) if _number(node)]
    if gpu := next((node for name, node in accelerators if _is_gpu(name)), None):
        yield "num-gpus", str(ceil(_number(gpu) or 0))
    if "resources" not in group.start_params:
        others = ((_ACCELERATORS.get(name), node) for name, node in accelerators)
        if found := next(((name, node) for name, node in others if name), None):
            yield "resources", _quoted({found[0]: float(_number(found[1]) or 0)})


def _stated(given: Mapping[str, Node]) -> Iterator[tuple[str, str]]:
    others: dict[str, float] = {}
    for name, node in given.items():
        if name in _OF_RESOURCES:
            yield _OF_RESOURCES[name], str(node.value)
        else:
            others[name] = float(_number(node) or 0)
    if others:
        yield "resources", _quoted(others)


def _quoted(amounts: Mapping[str, float]) -> str:
    """Ray reads JSON here, and a shell stands before it."""
    return f"'{json.dumps(dict(sorted(amounts.items())), separators=(',', ':'))}'"


def _is_gpu(name: str) -> bool:
    return name.endswith("gpu") or name.startswith(_MIG)


def _number(node: Node) -> float | None:
    amount = value(text(node))
    return float(amount) if amount is not None else None
