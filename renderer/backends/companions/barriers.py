"""Budgets that permit no drain, and policies that keep the requests of a serving out."""

from collections.abc import Iterator

from renderer.backends.companions.selection_rules import BLOCKS_DRAINS, KEEPS_OUT
from renderer.backends.companions.selections import Selection, other_selections
from renderer.backends.fields import elements, text, whole_number
from renderer.text.wording import counted, listed
from renderer.values.diagnostics import Diagnostic
from renderer.values.running import RunningPods
from renderer.values.tree import Node

_LEAST, _MOST = ("spec", "minAvailable"), ("spec", "maxUnavailable")
_INGRESS, _RULES, _TYPES = "Ingress", ("spec", "ingress"), ("spec", "policyTypes")
_TCP = "TCP"


def check_budget(selection: Selection) -> Iterator[Diagnostic]:
    """A budget by which no pod may ever go, or none while there are as few as there may be."""
    least = sum(pods.least for pods in selection.pods)
    wanted, spare = selection.tree.get(*_LEAST), selection.tree.get(*_MOST)
    if not selection.pods:
        return
    if spare and _amount(spare, least) == 0 and str(spare.value) in ("0", "0%"):
        message = f"maxUnavailable: {spare.value} allows no pod to be evicted"
        yield BLOCKS_DRAINS.at(spare.origin, message, "write maxUnavailable: 1")
    kept = _amount(wanted, least) if wanted else None
    if wanted is None or kept is None:
        return
    is_all = str(wanted.value) == "100%"
    if is_all or (least and kept >= least and selection.is_known):
        owners = listed(dict.fromkeys(pods.owner for pods in selection.pods))
        few = "" if is_all else f" while {owners} has its least, {counted(least, 'pod')}"
        message = f"minAvailable: {wanted.value} allows no pod to be evicted{few}"
        fix = "write maxUnavailable: 1 instead" + ("" if least > 1 else ", or run more pods")
        yield BLOCKS_DRAINS.at(wanted.origin, message, fix)


def _amount(node: Node, number: int) -> int | None:
    """A number of pods, or a share of them, rounded up; nothing if it is neither."""
    if isinstance(node.value, int):
        return node.value
    share = str(node.value).removesuffix("%")
    return -(-number * int(share) // 100) if share.isdecimal() else None


def check_policy(selection: Selection) -> Iterator[Diagnostic]:
    """A policy that keeps requests from pods that serve them, unless another one admits these."""
    if not _restricts(selection.tree):
        return
    policies = [one for one in other_selections(selection) if _restricts(one.tree)]
    for pods in selection.pods:
        near = [one for one in policies if pods in one.pods]
        served = _served_ports(pods, selection)
        if not served or any(_admits(one.tree, port) for one in near for port in served):
            continue
        rules = elements(selection.tree, *_RULES)
        if not rules and any(elements(one.tree, *_RULES) for one in near):
            continue  # what is wrong is in the one that admits something
        numbers = listed(dict.fromkeys(str(number or name) for name, number in served))
        where = _port_node(rules) or selection.selector.node
        message = f"nothing gets in to {pods.owner}, which serves at port {numbers}"
        if rules:
            message = f"no policy allows requests to {pods.owner} at its port {numbers}"
        fix = f"add an ingress rule with ports: [{{port: {numbers.partition(',')[0]}}}]"
        yield KEEPS_OUT.at(where.origin, message, fix)


def _restricts(tree: Node) -> bool:
    """Whether it restricts what comes in; without types it does so in any case."""
    types = [item.value for item in elements(tree, *_TYPES)]
    return not types or _INGRESS in types


def _served_ports(pods: RunningPods, selection: Selection) -> list[tuple[str, int]]:
    """The ports that Services forward to, with names if the pods have them by name."""
    named = dict(pods.ports)
    found = []
    for service in selection.around.services:
        labels = dict(pods.labels)
        is_same = service.namespace == pods.namespace and service.selector
        if is_same and all(labels.get(key) == value for key, value in service.selector):
            for port in service.ports:
                number = int(port.target) if port.target.isdecimal() else named.get(port.target, 0)
                name = next((name for name, known in pods.ports if known == number), "")
                found.append((name if port.target.isdecimal() else port.target, number))
    return found


def _admits(tree: Node, port: tuple[str, int]) -> bool:
    return any(_rule_admits(rule, *port) for rule in elements(tree, *_RULES))


def _rule_admits(rule: Node, name: str, number: int) -> bool:
    ports = elements(rule, "ports")
    return not ports or any(_is_admitted(port, name, number) for port in ports)


def _is_admitted(port: Node, name: str, number: int) -> bool:
    node, last = port.get("port"), whole_number(port, "endPort")
    if (text(port, "protocol") or _TCP) != _TCP:
        return False
    if node is None:
        return True
    if isinstance(node.value, int):
        return node.value <= number <= (last or node.value) or not number
    return node.value == name


def _port_node(rules: tuple[Node, ...]) -> Node | None:
    """The first port that is let in."""
    return next((node for rule in rules for port in elements(rule, "ports")
                 if (node := port.get("port"))), None)  # fmt: skip
