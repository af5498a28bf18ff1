"""The parameters of `ray start`: those of a group, what the operator adds, and what Ray takes."""

import json
from collections.abc import Iterator, Mapping
from math import ceil

from renderer.backends.fields import members, text
from renderer.backends.kuberay.dialect import Dialect, Version
from renderer.backends.kuberay.serve_config.applications import CPU, GPU, MEMORY
from renderer.backends.kuberay.workloads import Group
from renderer.kubernetes.quantities import value
from renderer.text.expressions import expression
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: Ray's names for accelerators that are no GPUs.
_ACCELERATORS = {"aws.amazon.com/neuroncore": "neuron_cores", "google.com/tpu": "TPU"}
#: Devices that the operator does not count, and Ray finds in a pod: how their names begin, and
#: Ray's names for them.
DETECTED_DEVICES = {
    "aws.amazon.com/neuron": "neuron_cores",
    "habana.ai/": "HPU",
    "huawei.com/Ascend": "NPU",
}
_GPU = expression(r".*gpu|.*nvidia\.com/mig-[0-9]+g\.[0-9]+gb")
#: Flags that are passed with their value even if that is true or false, and since when.
_KEEPS_VALUE_SINCE = {
    "log-color": (1, 0, 0),
    "include-dashboard": (1, 0, 0),
    "include-log-monitor": (1, 7, 0),
}
GCS_PORT = "6379"
_AGENT_PORT, _METRICS_PORT = "52365", "8080"
#: What the operator strips from `resources` before it reads them (pods-quoted-resources).
_QUOTES = "'\"` "
FLAG, NUMBER, TEXT = "flag", "number", "text"


def gcs_port(head: Group) -> str:
    """Where workers find the head."""
    return head.start_params.get("port", GCS_PORT)


@cached_by_identity
def own_params(group: Group) -> Mapping[str, str]:
    """All parameters that a group by itself tells, by name."""
    return start_params(group)


def start_params(group: Group, address: str = "") -> dict[str, str]:
    """All parameters by name. `address` is that of the head, for workers."""
    params = {**group.start_params, **dict(_group_resources(members(group.node, "resources")))}
    if labels := members(group.node, "labels"):
        params["labels"] = ",".join(f"{key}={n.value}" for key, n in sorted(labels.items()))
    if group.is_head:
        params.setdefault("dashboard-host", "0.0.0.0")  # noqa: S104 - what the operator sets
    elif address:
        params.setdefault("address", address)
    params.setdefault("metrics-export-port", _METRICS_PORT)
    params.setdefault("dashboard-agent-listen-port", _AGENT_PORT)
    params["block"] = "true"
    container = group.container.node if group.container else None
    for name, amount in _amounts(container):
        params.setdefault(name, amount)
    params.update(_accelerators(params, members(container, "resources", "limits")))
    return dict(sorted(params.items()))


def command_line(
    params: Mapping[str, str], *, is_head: bool, dialect: Dialect | None = None
) -> str:
    """What the container runs, to the last space: flags that are true stand alone."""
    dialect = dialect or Dialect()
    words = ["ray start --head " if is_head else "ray start "]
    for name, given in sorted(params.items()):
        if given.lower() not in ("true", "false") or keeps_value(name, dialect):
            words.append(f" --{name}={given} ")
        elif given.lower() == "true":
            words.append(f" --{name} ")
    return "".join(words)


def keeps_value(name: str, dialect: Dialect) -> bool:
    """Whether a flag is written with its value, even if that is true or false."""
    since = _KEEPS_VALUE_SINCE.get(name)
    return since is not None and dialect.knows(since)


def node_resources(params: Mapping[str, str]) -> dict[str, float]:
    """What Ray counts a node as, by its own names; what it finds out by itself is not there.

    It finds no GPUs in a pod that asks for none.
    """
    names = {CPU: "num-cpus", GPU: "num-gpus", MEMORY: "memory"}
    found = {name: _decimal(params[key]) for name, key in names.items() if key in params}
    found.setdefault(GPU, 0.0)
    found.update(_custom_resources(params) or {})
    return {name: amount for name, amount in found.items() if amount is not None}


def detected_devices(group: Group) -> set[str]:
    """What Ray offers of a pod's devices in amounts that are known only there (inferred)."""
    container = group.container.node if group.container else None
    names = tuple(members(container, "resources", "limits"))
    found = DETECTED_DEVICES.items()
    return {ours for start, ours in found if any(name.startswith(start) for name in names)}


def _amounts(container: Node | None) -> Iterator[tuple[str, str]]:
    """What the operator reads off the container that runs Ray."""
    limits = members(container, "resources", "limits")
    requests = members(container, "resources", "requests")
    if cores := _quantity(limits.get("cpu")) or _quantity(requests.get("cpu")):
        yield "num-cpus", str(ceil(cores))
    if size := _quantity(limits.get("memory")):
        yield "memory", str(ceil(size))


def _accelerators(
    params: Mapping[str, str], limits: Mapping[str, Node]
) -> Iterator[tuple[str, str]]:
    """GPUs, and the first accelerator of another kind; neither if `resources` cannot be read.

    Recorded: pods-gpu-and-tpu, pods-tpu-and-resources-broken.
    """
    custom = _custom_resources(params)
    if custom is None:
        return
    given = [(name, amount) for name in sorted(limits) if (amount := _quantity(limits[name]))]
    gpus = next((amount for name, amount in given if _GPU.fullmatch(name)), None)
    if gpus and "num-gpus" not in params:
        yield "num-gpus", str(ceil(gpus))
    others = ((_ACCELERATORS[name], amount) for name, amount in given if name in _ACCELERATORS)
    first = next(others, None)
    if first and not custom.keys() & set(_ACCELERATORS.values()):
        yield "resources", _shell_json({**custom, first[0]: first[1]})


def _group_resources(given: Mapping[str, Node]) -> Iterator[tuple[str, str]]:
    """What a group's own `resources` say, which go before everything else."""
    others: dict[str, float] = {}
    for name, node in given.items():
        amount, lower = _quantity(node), name.lower()
        if amount is None:
            continue
        if lower in ("cpu", "memory"):
            yield "num-cpus" if lower == "cpu" else "memory", str(ceil(amount))
        elif _GPU.fullmatch(lower):
            yield "num-gpus", str(ceil(amount))
        else:
            others[name] = amount
    if others:
        yield "resources", _shell_json(others)


def _custom_resources(params: Mapping[str, str]) -> dict[str, float] | None:
    """The resources that a parameter names; nothing if it cannot be read as such."""
    given = params.get("resources")
    if given is None:
        return {}
    try:
        read = json.loads(given.strip(_QUOTES))
    except ValueError:
        return None
    if not isinstance(read, dict) or not all(type(n) in (int, float) for n in read.values()):
        return None
    return {name: float(amount) for name, amount in read.items()}


def _shell_json(amounts: Mapping[str, float]) -> str:
    """Ray reads JSON here, and a shell stands before it."""
    short = {name: int(n) if n.is_integer() else n for name, n in sorted(amounts.items())}
    return f"'{json.dumps(short, separators=(',', ':'))}'"


def _quantity(node: Node | None) -> float | None:
    amount = value(text(node)) if node else None
    return float(amount) if amount is not None else None


def _decimal(given: str) -> float | None:
    try:
        return float(given)
    except ValueError:
        return None


class StartOption(NamedTuple):
    """An option; the version that brought it, and the one that took it away."""

    takes: str = TEXT
    since: Version | None = None
    until: Version | None = None

    def is_in(self, version: Version | None) -> bool:
        """Whether a version has it; some version, if it is not known which."""
        if version is None:
            return True
        return not ((self.since and version < self.since) or (self.until and version >= self.until))


_NUMBERS = (
    "dashboard-agent-grpc-port", "dashboard-agent-listen-port", "dashboard-port", "max-worker-port",
    "memory", "metrics-export-port", "min-worker-port", "node-manager-port", "num-cpus", "num-gpus",
    "object-manager-port", "object-store-memory", "port", "ray-client-server-port",
)  # fmt: skip
_FLAGS = (
    "block", "disable-usage-stats", "enable-object-reconstruction", "head", "no-monitor",
    "no-redirect-output", "ray-debugger-external",
)  # fmt: skip
_TEXTS = (
    "address", "autoscaling-config", "dashboard-host", "include-dashboard", "log-color",
    "log-style", "node-ip-address", "node-name", "plasma-directory", "redis-password",
    "redis-shard-ports", "resources", "system-config", "temp-dir", "tracing-startup-hook",
    "verbose", "worker-port-list",
)  # fmt: skip
_2_41, _2_45, _2_48 = (2, 41, 0), (2, 45, 0), (2, 48, 0)

START_OPTIONS: dict[str, StartOption] = {
    **dict.fromkeys(_NUMBERS, StartOption(NUMBER)),
    **dict.fromkeys(_FLAGS, StartOption(FLAG)),
    **dict.fromkeys(_TEXTS, StartOption()),
    "cgroup-path": StartOption(since=_2_45),
    "dashboard-grpc-port": StartOption(NUMBER, (2, 5, 0), _2_48),
    "enable-resource-isolation": StartOption(FLAG, _2_45),
    "gcs-server-port": StartOption(NUMBER, until=_2_48),
    "include-log-monitor": StartOption(since=_2_41),
    "labels": StartOption(since=(2, 6, 0)),
    "labels-file": StartOption(since=_2_45),
    "object-spilling-directory": StartOption(since=_2_45),
    "plasma-store-socket-name": StartOption(until=_2_48),
    "proxy-server-url": StartOption(since=(2, 55, 0)),
    "raylet-socket-name": StartOption(until=_2_48),
    "redis-max-memory": StartOption(NUMBER, until=(2, 44, 0)),
    "redis-username": StartOption(since=_2_41),
    "runtime-env-agent-port": StartOption(NUMBER, (2, 8, 0)),
    "storage": StartOption(until=_2_48),
    "system-reserved-cpu": StartOption(since=_2_45),
    "system-reserved-memory": StartOption(NUMBER, _2_45),
}
