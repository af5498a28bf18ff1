"""Values of start parameters that `ray start` refuses, and parameters of the wrong kind of node."""

import json
from collections.abc import Callable, Iterator

from renderer.backends.kuberay.rules import START
from renderer.backends.kuberay.start_params import FLAG, NUMBER, START_OPTIONS, TEXT, keeps_value
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.backends.kuberay.workloads import Group, PlacelessWorkload
from renderer.text.expressions import expression
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_FIELD = "rayStartParams"
_FRACTION = expression(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_YES, _NO = ("1", "on", "t", "true", "y", "yes"), ("0", "off", "f", "false", "n", "no", "")
_FIRST_FREE, _LAST = 1024, 65535
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
#: What only heads take, and what else counts only on a node whose resources are isolated.
_HEAD_OPTIONS = ("port", "redis-shard-ports", "include-dashboard")
_ISOLATION = "enable-resource-isolation"
_ISOLATION_OPTIONS = ("cgroup-path", "system-reserved-cpu", "system-reserved-memory")


def _is_one_of(*words: str) -> Callable[[str], bool]:
    return lambda value: value.lower() in words


def _is_port(value: str) -> bool:
    return not value.isdecimal() or _FIRST_FREE <= int(value) <= _LAST


def _is_port_or_any(value: str) -> bool:
    return value == "0" or (not value.startswith("-") and _is_port(value))


def _are_ports(value: str) -> bool:
    return all(item.strip().isdecimal() and _is_port(item.strip()) for item in value.split(","))


def _is_object(value: str) -> bool:
    try:
        return isinstance(json.loads(value.strip("'\" ")), dict)
    except ValueError:
        return False


#: Options that take some values only: which ones, and what to write.
_VALUES: dict[str, tuple[Callable[[str], bool], str]] = {
    "log-color": (_is_one_of("auto", "false", "true"), "auto, true or false"),
    "log-style": (_is_one_of("auto", "record", "pretty"), "auto, record or pretty"),
    "include-dashboard": (_is_one_of(*_YES, *_NO), "true or false"),
    "include-log-monitor": (_is_one_of(*_YES, *_NO), "true or false"),
    "min-worker-port": (_is_port_or_any, "0, or 1024 to 65535"),
    "max-worker-port": (_is_port_or_any, "0, or 1024 to 65535"),
    "runtime-env-agent-port": (_is_port_or_any, "1024 to 65535"),
    "ray-client-server-port": (_is_port, "1024 to 65535"),
    "worker-port-list": (_are_ports, "ports from 1024 to 65535, with commas between them"),
    "node-ip-address": (bool, "an address, or delete it"),
    "resources": (bool, "a JSON object, or delete it"),
    "system-reserved-cpu": (lambda value: bool(_FRACTION.fullmatch(value)), "a number of cores"),
    "system-config": (_is_object, "a JSON object, in single quotes inside those of YAML"),
    "temp-dir": (lambda value: value.startswith("/"), "an absolute path"),
}


@rule("RAY281", Severity.ERROR, "RayCluster", since="0.2.0")
def options_take_their_values(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The value of a start parameter is one that its option takes.

    `ray start` refuses others (observed with Ray 2.52 and 2.60), and the pod starts again and
    again. The operator writes `true` as an option without a value, and `false` not at all.

    Fails: headGroupSpec: {rayStartParams: {log-style: json}}
    Passes: headGroupSpec: {rayStartParams: {log-style: record}}
    """
    for group in workload.groups:
        for name, value in group.start_params.items():
            if "$" not in value and (wanted := _expected_value(name, value, workload)):
                message = f"--{name} does not take {visible(value[:60])!r}"
                yield workload.wrong((*group.path, _FIELD, name), message, f"write {wanted}")


def _expected_value(name: str, value: str, workload: PlacelessWorkload) -> str:
    """What an option takes, if that is not what it is given."""
    if name not in START_OPTIONS:
        return ""
    takes, word = FLAG if name == "verbose" else START_OPTIONS[name].takes, value.lower()
    if word in ("true", "false") and not keeps_value(name, workload.settings.dialect):
        return "a value" if word == "true" and takes == TEXT else ""
    if name == "verbose" or (not value.strip() and takes in (NUMBER, FLAG)):
        return "a number, or delete it" if takes == NUMBER else "true, or delete it"
    fits, wanted = _VALUES.get(name, (bool, ""))
    return wanted if wanted and not fits(value) else ""


@rule("RAY282", Severity.ERROR, "RayCluster", since="0.2.0")
def options_are_of_the_node(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Workers have no start parameters of a head, and none of another cluster.

    `ray start` refuses port, redis-shard-ports and include-dashboard on a worker (observed). With
    head: "true" the worker is a head itself, of a cluster of its own, and with an address it joins
    another cluster than the one it is made for.

    Fails: workerGroupSpecs: [{groupName: small, rayStartParams: {head: "true"}}]
    Passes: workerGroupSpecs: [{groupName: small, rayStartParams: {num-cpus: "1"}}]
    """
    for group in workload.workers:
        for name, value in group.start_params.items():
            if message := _wrong_node_problem(group, name, value, workload):
                path = (*group.path, _FIELD, name)
                yield workload.wrong(path, message, "delete it", at_key=True)


def _wrong_node_problem(group: Group, name: str, value: str, workload: PlacelessWorkload) -> str:
    """What a parameter makes of a worker, if not one of its cluster."""
    is_left_out = value.lower() == "false" and name != "include-dashboard"
    if name in _HEAD_OPTIONS and not is_left_out:
        return f"--{name} is an option of heads, and Ray does not start {group.title} with it"
    if name == "head" and value.lower() == "true":
        return f"the workers of {group.title} start as heads, each of a cluster of its own"
    if name == "address" and "$" not in value and f"{workload.name}-head-svc" not in value:
        return f"the workers of {group.title} do not join the head, but what is at this address"
    return ""


@rule("RAY283", Severity.ERROR, "RayCluster", since="0.2.0")
def isolation_is_on(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What is reserved for Ray itself counts with `enable-resource-isolation: "true"` only.

    Without it, `ray start` refuses cgroup-path, system-reserved-cpu and system-reserved-memory
    (observed with Ray 2.52 and 2.60).

    Fails: headGroupSpec: {rayStartParams: {system-reserved-cpu: "1"}}
    Passes with: headGroupSpec: {rayStartParams: {enable-resource-isolation: "true"}}
    """
    for group in workload.groups:
        given = group.start_params
        if given.get(_ISOLATION, "").lower() != "true":
            for name in (
                name
                for name in _ISOLATION_OPTIONS
                if given.get(name, "").lower() not in ("", "false")
            ):
                message = f"--{name} is refused without --{_ISOLATION}"
                fix = f'add {_ISOLATION}: "true", or delete it'
                yield workload.wrong((*group.path, _FIELD, name), message, fix, at_key=True)


def _hidden_dashboard(workload: PlacelessWorkload, consequence: str) -> Iterator[Finding]:
    """Parameters that keep others from the dashboard."""
    head, found = workload.cluster.head, dict[str, str]()
    if head.start_params.get("include-dashboard", "true").lower() in _NO:
        found["include-dashboard"] = "there is no dashboard"
    host = head.start_params.get("dashboard-host", "")
    if host.strip("'\"") in _LOCAL_HOSTS:
        found["dashboard-host"] = f"the dashboard listens at {host} alone, in the head's own pod"
    for name, what in found.items():
        path = (*head.path, _FIELD, name)
        yield workload.wrong(path, f"{what}: {consequence}", "delete it", at_key=True)


@rule("RAY284", Severity.ERROR, "RayCluster", since="0.2.0")
def jobs_and_services_have_a_dashboard(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The head of a job or service has a dashboard that others reach.

    The operator submits jobs and applications there. With include-dashboard: "false", or with a
    dashboard-host that is only the pod's own, they wait and are never submitted (inferred).

    Fails: rayClusterConfig: {headGroupSpec: {rayStartParams: {dashboard-host: 127.0.0.1}}}
    Passes: rayClusterConfig: {headGroupSpec: {rayStartParams: {dashboard-host: 0.0.0.0}}}
    """
    if workload.kind != CLUSTER:
        yield from _hidden_dashboard(workload, "the operator cannot submit anything")


@rule("RAY285", Severity.WARNING, "RayCluster", since="0.2.0")
def clusters_have_a_dashboard(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The head of a cluster has a dashboard that others reach.

    Without one no job can be submitted to the cluster, and the operator's probes of the head's pod
    may fail (inferred).

    Fails: headGroupSpec: {rayStartParams: {include-dashboard: "false"}}
    Passes: headGroupSpec: {rayStartParams: {include-dashboard: "true"}}
    """
    if workload.kind == CLUSTER:
        yield from _hidden_dashboard(workload, "nobody can submit jobs to the cluster")


RULES = rules_with_source(
    (
        options_take_their_values,
        options_are_of_the_node,
        isolation_is_on,
        jobs_and_services_have_a_dashboard,
        clusters_have_a_dashboard,
    ),
    START,
)
