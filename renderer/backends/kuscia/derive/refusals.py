"""What API servers refuse: objects that break the CRDs, and Deployments made of them."""

import re
from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.derive.pods import Amounts
from renderer.kubernetes.quantities import value
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

DEPLOYMENT = "KusciaDeployment"
KINDS = ("requests", "limits")
_MOST = 2**31 - 1
_ALL = 100
_PERCENT = re.compile(r"[0-9]+%")
_TEXTS = {
    DEPLOYMENT: ("initiator", "inputConfig"),
    "parties": ("domainID", "appImageRef"),
    APP_IMAGE: (),
    "image": ("name", "tag"),
    "deployTemplates": ("name",),
    "containers": ("name", "workingDir"),
    "configVolumeMounts": ("mountPath", "subPath"),
    "ports": ("name",),
}
_AMOUNTS = ("maxSurge", "maxUnavailable")
_BOUNDS = tuple(("resources", kind) for kind in KINDS)
_WORDS = {"protocol": ("HTTP", "GRPC"), "scope": ("Cluster", "Domain", "Local")}


@cached_by_identity
def find_refusal(tree: Node) -> str:
    """Why the API server rejects an object by its CRD; empty if it does not."""
    spec, kind = tree.get("spec"), text(tree, "kind")
    if spec is None:
        return "it has no spec"
    lists = ("image", "deployTemplates") if kind == APP_IMAGE else ("parties",)
    missing = next((name for name in lists if spec.get(name) is None), "")
    if missing:
        return f"`{missing}` is missing"
    return next(_faults(spec, (kind,)), "")


def _faults(node: Node, names: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with a value and what it holds; items of a list are called as the list is."""
    if node.items and "networkPolicy" not in names:  # whose ports have no names
        yield from _missing(node, names[-1])
    if fault := _misfit(names, node):
        yield fault
    for child in node.elements:
        yield from _faults(child, names)
    for name, child in node.items.items():
        yield from _faults(child, (*names, name))


def _missing(node: Node, what: str) -> Iterator[str]:
    for name in _TEXTS.get(what, ()):
        given = node.get(name)
        if given is None or not isinstance(given.value, str):
            yield f"`{name}` in `{what}` must be a text"


def _misfit(names: tuple[str, ...], node: Node) -> str:
    name = names[-1]
    if name == "replicas" and (not isinstance(node.value, int) or abs(node.value) > _MOST):
        return f"`replicas` is {node.value}, which is no 32-bit integer"
    if name in _WORDS and names[-2] == "ports" and node.value not in _WORDS[name]:
        return f"`{name}` of a port is {node.value!r}, and must be one of {', '.join(_WORDS[name])}"
    if names[-3:-1] in _BOUNDS and value(str(node.value)) is None:
        return f"`{name}` is {node.value!r}, which is no quantity"
    return ""


def find_strategy_fault(strategy: Node) -> str:
    """Why Kubernetes refuses a Deployment with this strategy; empty if it does not."""
    kind = text(strategy, "type")
    rolling = strategy.get("rollingUpdate")
    if kind not in ("", "RollingUpdate", "Recreate"):
        return f"there is no strategy {kind!r}"
    if kind == "Recreate":
        return "Recreate takes no rollingUpdate" if rolling and rolling.items else ""
    amounts = {name: text(strategy, "rollingUpdate", name) for name in _AMOUNTS}
    for name, amount in amounts.items():
        if amount and not amount.isdecimal() and not _PERCENT.fullmatch(amount):
            return f"{name} {amount!r} is neither a number nor a percentage"
    away = amounts["maxUnavailable"]
    if away.endswith("%") and int(away[:-1]) > _ALL:
        return f"maxUnavailable {away} is more than all pods"
    if all(amount and not amount.rstrip("%").strip("0") for amount in amounts.values()):
        return "maxSurge and maxUnavailable are both 0"
    return ""


def find_amounts_fault(container: str, amounts: dict[str, Amounts]) -> str:
    """Why Kubernetes refuses a container with these requests and limits."""
    for name, least in sorted(amounts["requests"].items()):
        most = amounts["limits"].get(name)
        if least < 0 or (most is not None and most < 0):
            return f"{name} of the container {container!r} is negative"
        if most is not None and least > most:
            return f"the container {container!r} requests more {name} than its limit"
    return ""
