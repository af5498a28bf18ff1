"""Graphs of services: what KServe's webhook refuses, and what its router cannot follow."""

from collections.abc import Iterator

from renderer.backends.fields import text, whole_number
from renderer.backends.kserve.dialect import STANDARD
from renderer.backends.kserve.graphs.graph import (
    ENSEMBLE,
    NODE_NAME,
    ROOT,
    SEQUENCE,
    SPLITTER,
    SWITCH,
    TARGETS,
    GraphNode,
    graph_mode,
    graph_nodes,
    loops,
    reached_nodes,
)
from renderer.backends.kserve.plain_objects import GRAPH, ObjectView
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed, suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_WEBHOOK = "kserve/kserve: pkg/apis/serving/v1alpha1/inference_graph_validation.go, cmd/router"
_ALL = 100
#: Fields of a step, and the only nodes whose steps the router reads them of.
_READ_IN = {"weight": (SPLITTER,), "condition": (SWITCH, SEQUENCE), "data": (SEQUENCE,)}


def _steps(view: ObjectView) -> Iterator[tuple[GraphNode, Field]]:
    for node in graph_nodes(view.tree).values():
        yield from ((node, step) for step in node.steps)


@rule("KSV601", Severity.ERROR, GRAPH, since=_SINCE)
def steps_have_one_target(view: ObjectView) -> Iterator[Finding]:
    """A step has one of `serviceName`, `serviceUrl` and `nodeName`.

    KServe's webhook refuses the object.

    Fails: nodes: {root: {routerType: Sequence, steps: [{name: first}]}}
    Passes: nodes: {root: {routerType: Sequence, steps: [{name: first, serviceName: iris}]}}
    """
    for _, step in _steps(view):
        given = [item for item in step.present(TARGETS) if item.text]
        if not given:
            yield step.wrong("the step leads nowhere", f"write one of {listed(TARGETS, 'or')}")
        elif len(given) > 1:
            names = listed(item.name for item in given)
            yield given[1].wrong_key(f"the step has {names}", "keep one of them")


@rule("KSV602", Severity.ERROR, GRAPH, since=_SINCE)
def steps_have_their_own_names(view: ObjectView) -> Iterator[Finding]:
    """The steps of a node have names of their own, where they have any.

    KServe's webhook refuses the object. Answers of an Ensemble are told apart by these names.

    Fails:
        nodes:
          root:
            routerType: Sequence
            steps: [{name: a, serviceName: iris}, {name: a, serviceName: shared}]
    Passes:
        nodes:
          root:
            routerType: Sequence
            steps: [{name: a, serviceName: iris}, {name: b, serviceName: shared}]
    """
    seen: set[tuple[str, str]] = set()
    for node, step in _steps(view):
        name = step.get("name")
        if name and name.text and (node.name, name.text) in seen:
            message = f"another step of {node.name!r} is called {name.text!r}"
            yield name.wrong(message, "give one of the two another name")
        seen.add((node.name, name.text if name else ""))


@rule("KSV603", Severity.ERROR, GRAPH, since=_SINCE)
def weights_add_up(view: ObjectView) -> Iterator[Finding]:
    """Every step of a Splitter has a weight, and together they are 100.

    KServe's webhook refuses the object.

    Fails:
        nodes:
          root:
            routerType: Splitter
            steps: [{serviceName: iris, weight: 80}, {serviceName: shared, weight: 10}]
    Passes:
        nodes:
          root:
            routerType: Splitter
            steps: [{serviceName: iris, weight: 90}, {serviceName: shared, weight: 10}]
    """
    for node in graph_nodes(view.tree).values():
        if node.router != SPLITTER:
            continue
        bare = [step for step in node.steps if step.get("weight") is None]
        for step in bare:
            yield step.wrong("a step of a Splitter has no weight", "write its share of 100")
        total = sum(whole_number(step.node, "weight") or 0 for step in node.steps)
        if not bare and total != _ALL:
            place = node.field.get("steps") or node.field
            yield place.wrong_key(f"the weights add up to {total}, not to {_ALL}", "correct one")


@rule("KSV604", Severity.ERROR, GRAPH, since=_SINCE)
def named_nodes_are_there(view: ObjectView) -> Iterator[Finding]:
    """`nodeName` of a step is a node of the same graph.

    KServe takes the object, and the router answers nothing where the step leads (inferred).

    Fails: nodes: {root: {routerType: Sequence, steps: [{nodeName: breds}]}}
    Passes:
        nodes:
          root: {routerType: Sequence, steps: [{nodeName: breeds}]}
          breeds: {routerType: Sequence, steps: [{serviceName: shared}]}
    """
    nodes = graph_nodes(view.tree)
    for _, step in _steps(view):
        name = step.get(NODE_NAME)
        if name and name.text and name.text not in nodes:
            fix = suggest(name.text, nodes, "add the node, or name a service")
            yield name.wrong(f"the graph has no node {name.text!r}", fix)


@rule("KSV605", Severity.ERROR, GRAPH, since=_SINCE)
def steps_lead_forward(view: ObjectView) -> Iterator[Finding]:
    """No step leads back to a node that its request came through.

    KServe takes the object; a request that comes into the loop never ends (inferred).

    Fails: nodes: {root: {routerType: Sequence, steps: [{nodeName: root}]}}
    Passes: nodes: {root: {routerType: Sequence, steps: [{serviceName: iris}]}}
    """
    for step, way in loops(graph_nodes(view.tree)):
        message = f"the step leads back: {' → '.join(way)}"
        yield step.wrong(message, "lead it to another node or to a service")


@rule("KSV606", Severity.WARNING, GRAPH, since=_SINCE)
def nodes_are_reached(view: ObjectView) -> Iterator[Finding]:
    """Every node is reached from `root`.

    Fails:
        nodes:
          root: {routerType: Sequence, steps: [{serviceName: iris}]}
          rest: {routerType: Sequence, steps: [{serviceName: shared}]}
    Passes:
        nodes:
          root: {routerType: Sequence, steps: [{serviceName: iris}, {nodeName: rest}]}
          rest: {routerType: Sequence, steps: [{serviceName: shared}]}
    """
    nodes = graph_nodes(view.tree)
    for name in sorted({*nodes} - {*reached_nodes(nodes)}) if ROOT in nodes else ():
        fix = f"name it as nodeName of a step, or delete it; requests come in at {ROOT}"
        yield nodes[name].field.wrong_key(f"no step leads to the node {name!r}", fix)


@rule("KSV607", Severity.WARNING, GRAPH, since=_SINCE)
def switches_have_conditions(view: ObjectView) -> Iterator[Finding]:
    """Every step of a Switch has a condition.

    The router takes the first step whose condition finds something in the request; without one a
    step is never taken (inferred), also not as the last resort.

    Fails: nodes: {root: {routerType: Switch, steps: [{serviceName: iris}]}}
    Passes: nodes: {root: {routerType: Switch, steps: [{serviceName: iris, condition: rows}]}}
    """
    for node, step in _steps(view):
        if node.router == SWITCH and not text(step.node, "condition"):
            fix = "write a condition; one that always holds is '@this'"
            yield step.wrong("a step of a Switch has no condition, and is never taken", fix)


@rule("KSV608", Severity.WARNING, GRAPH, since=_SINCE)
def steps_have_no_idle_fields(view: ObjectView) -> Iterator[Finding]:
    """Steps have fields that the router reads in such a node.

    `data` and `condition` count in a Sequence, `condition` in a Switch, `weight` in a Splitter.

    Fails: nodes: {root: {routerType: Sequence, steps: [{serviceName: iris, weight: 10}]}}
    Passes: nodes: {root: {routerType: Sequence, steps: [{serviceName: iris}]}}
    """
    for node, step in _steps(view):
        for key, routers in _READ_IN.items():
            given = step.get(key)
            known = node.router in (SEQUENCE, SPLITTER, ENSEMBLE, SWITCH)
            if given and known and node.router not in routers:
                message = f"{key} has no effect in a node of the type {node.router}"
                yield given.wrong_key(message, f"delete it; it counts in {listed(routers, 'or')}")


@rule("KSV609", Severity.WARNING, GRAPH, since=_SINCE)
def nodes_have_steps(view: ObjectView) -> Iterator[Finding]:
    """Every node has steps.

    KServe takes a node without steps, and the router has nothing to answer there.

    Fails: nodes: {root: {routerType: Sequence, steps: []}}
    Passes: nodes: {root: {routerType: Sequence, steps: [{serviceName: iris}]}}
    """
    for node in graph_nodes(view.tree).values():
        if not node.steps and node.router != SPLITTER:
            yield node.field.wrong_key(f"the node {node.name!r} has no steps", "write its steps")


@rule("KSV610", Severity.WARNING, GRAPH, since=_SINCE)
def timeout_is_read(view: ObjectView) -> Iterator[Finding]:
    """`timeout` of a graph counts in Knative alone.

    In the mode Standard nothing reads it; `routerTimeouts` counts in both.

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        timeout: 60
    Passes:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        routerTimeouts: {serverWrite: 60}
    """
    given = Field((), view.tree).get("timeout")
    if given and graph_mode(view) == STANDARD:
        message = "timeout has no effect on a graph in the mode Standard"
        yield given.wrong_key(message, "write routerTimeouts: {serverWrite: …}, or delete it")


RULES = rules_with_source(
    (
        steps_have_one_target,
        steps_have_their_own_names,
        weights_add_up,
        named_nodes_are_there,
        steps_lead_forward,
        nodes_are_reached,
        switches_have_conditions,
        steps_have_no_idle_fields,
        nodes_have_steps,
        timeout_is_read,
    ),
    _WEBHOOK,
)
