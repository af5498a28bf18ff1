"""What matters of the objects that KubeRay makes, without what differs from run to run."""

from typing import Any

from conformance.kubernetes.client import Object
from conformance.operators.plain import cleaned

#: What the API server writes into pods, Jobs and Services, besides what it does elsewhere.
_DEFAULTS: dict[str, tuple[Any, ...]] = {
    "allocateLoadBalancerNodePorts": (True,),
    "apiVersion": ("v1",),
    "completionMode": ("NonIndexed",),
    "completions": (1,),
    "defaultMode": (420,),
    "divisor": ("0",),
    "enableServiceLinks": (True,),
    "externalTrafficPolicy": ("Cluster",),
    "manualSelector": (False,),
    "parallelism": (1,),
    "podReplacementPolicy": ("TerminatingOrFailed",),
    "preemptionPolicy": ("PreemptLowerPriority",),
    "priority": (0,),
    "suspend": (False,),
}
#: Numbers of a single run, and identities of Jobs.
_DRAWN = (
    "nodePort",
    "healthCheckNodePort",
    "batch.kubernetes.io/controller-uid",
    "controller-uid",
    "batch.kubernetes.io/job-name",
    "job-name",
)
_TOLERATED = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_TIMES = (
    "endTime",
    "lastTransitionTime",
    "lastUpdateTime",
    "startTime",
    "stateTransitionTimes",
    "lastTrafficMigratedTime",
)
#: With a submitter beside the head, a job's identity, which is drawn, is in what is hashed.
_SUBMITTER = "ray-job-submitter"
#: Its argument is a script of KubeRay's; it waits for the head.
_SCRIPTED = "wait-gcs-ready"
_HASH = "ray.io/upgrade-strategy-recreate-hash"
_SIDES = ("activeServiceStatus", "pendingServiceStatus")
_NODE_PORTS = range(30000, 32768)


def content_of(thing: Object) -> Object:
    """Kind and name are in the key already, and the namespace is that of all."""
    if thing["kind"] == "RayCluster":
        return {key: value for key, value in _labelled(thing).items() if value} | {
            "spec": thing["spec"]
        }
    plain = cleaned(thing)
    rest = {key: plain[key] for key in plain if key not in ("apiVersion", "kind", "metadata")}
    content: Object = _without({**_labelled(plain), **rest})
    if "data" in content:
        content["data"] = dict.fromkeys(content["data"], "drawn")
    if thing["kind"] == "Service":
        content["spec"].get("ports", []).sort(key=lambda port: str(port.get("name")))
    if thing["kind"] == "Pod":
        _clean_pod(content)
    return content


def _clean_pod(content: Object) -> None:
    if any(container["name"] == _SUBMITTER for container in content["spec"]["containers"]):
        content["annotations"][_HASH] = "drawn"
    for container in content["spec"].get("initContainers", ()):
        if container["name"] == _SCRIPTED:
            container.pop("args", None)


def _labelled(thing: Object) -> Object:
    kept = {key: thing["metadata"].get(key) for key in ("labels", "annotations")}
    return {key: value for key, value in kept.items() if value}


def _without(tree: Any) -> Any:
    if isinstance(tree, list):
        return [_without(item) for item in tree if not _is_default_toleration(item)]
    if not isinstance(tree, dict):
        return tree
    found = {
        key: _without(value)
        for key, value in tree.items()
        if key not in _DRAWN and value not in _DEFAULTS.get(key, ())
    }
    return {key: value for key, value in found.items() if key != "tolerations" or value}


def _is_default_toleration(item: Any) -> bool:
    return isinstance(item, dict) and item.get("key") in _TOLERATED and "effect" in item


def status_of(thing: Object) -> Object:
    """Of the Ray cluster of a service or a job there is a copy, of some moment; it is left out."""
    found: Object = _timeless(thing.get("status", {}))
    for part in (found, *(found.get(side, {}) for side in _SIDES)):
        part.pop("rayClusterStatus", None)
    return found


def _timeless(tree: Any) -> Any:
    """Without times and addresses; conditions as a table of their own."""
    if isinstance(tree, list):
        return [_timeless(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    found = {
        key: _timeless(value)
        for key, value in tree.items()
        if key not in _TIMES and key != "serviceIP"
    }
    if "conditions" in tree:
        found["conditions"] = {item["type"]: _condition(item) for item in tree["conditions"]}
    if "endpoints" in tree:
        found["endpoints"] = {key: _port(value) for key, value in tree["endpoints"].items()}
    return found


def _condition(item: Object) -> str:
    return " ".join(filter(None, (item["status"], item.get("reason"), item.get("message"))))


def _port(number: str) -> str:
    return "drawn" if int(number) in _NODE_PORTS else number
