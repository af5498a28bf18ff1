"""What pictures say of a graph of services: its nodes, their steps, and the services they call."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import ABSENT, text, whole_number
from renderer.backends.kserve.graphs.derive import ROUTER
from renderer.backends.kserve.graphs.graph import (
    ENSEMBLE,
    NODE_NAME,
    ROOT,
    SEQUENCE,
    SERVICE_NAME,
    SERVICE_URL,
    SPLITTER,
    SWITCH,
    GraphNode,
    graph_nodes,
    reached_nodes,
)
from renderer.backends.kserve.plain_objects import SERVICE, has_service
from renderer.derive.drawn_units import images, namespace_place
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.kubernetes.pods import Field
from renderer.text.wording import counted
from renderer.values.derivations import Applied, Derivation
from renderer.values.picture import (
    Card,
    DrawnSpec,
    DrawnUnit,
    Exposure,
    Link,
    LinkKind,
    PictureRow,
    Place,
)

_HOW = {
    SEQUENCE: "all steps, one after the other",
    SPLITTER: "one step, by weight",
    ENSEMBLE: "all steps at once",
    SWITCH: "the first step whose condition holds",
}

#: What steps call that is no node, and what people call it.
_CALLED = {SERVICE_NAME: SERVICE, SERVICE_URL: "address"}


def draw_graph(applied: Applied, derivation: Derivation) -> DrawnSpec:
    """One graph: the router, which follows the nodes, and the services that steps call."""
    place = namespace_place(applied)
    nodes = _sort_nodes(graph_nodes(applied.tree.get("spec") or ABSENT))
    return DrawnSpec(
        f"{counted(len(nodes), 'node')}, {counted(_step_count(nodes.values()), 'step')}",
        place,
        (
            *_draw_router(derivation, place),
            *(_draw_node(node, place) for node in nodes.values()),
            *_draw_services(applied, nodes.values(), place),
        ),
        lines=(counted(len(nodes), "node"),),
        links=tuple(_links(nodes)),
        unit_noun="node",
    )


def _sort_nodes(nodes: dict[str, GraphNode]) -> dict[str, GraphNode]:
    """As requests reach them; those that none reaches come last."""
    names = dict.fromkeys([*reached_nodes(nodes), *nodes])
    return {name: nodes[name] for name in names}


def _step_count(nodes: Iterable[GraphNode]) -> int:
    return sum(len(node.steps) for node in nodes)


def _draw_router(derivation: Derivation, place: Place) -> Iterator[DrawnUnit]:
    """The pods that take requests and follow the steps."""
    for unit in derivation.units:
        size = bounds_text(unit_bounds(unit), "replica") if unit.pods else ""
        lines = filter(None, (unit.problem, *images(unit), size))
        urls = [item.url for item in unit.addresses]
        requests = PictureRow(ROUTER, "requests", "http", "".join(urls[:1]), "", Exposure.OTHERS)
        row = PictureRow(ROUTER, ROUTER, size, note=unit.problem, exposure=Exposure.OTHERS)
        yield DrawnUnit(Card(ROUTER, (), tuple(lines), (requests,)), row, place, unit)


def _draw_node(node: GraphNode, place: Place) -> DrawnUnit:
    how, key = _HOW.get(node.router, ""), _node_key(node.name)
    steps = [_step_row(node, index, step) for index, step in enumerate(node.steps)]
    row = PictureRow(key, f"node {node.name}", node.router, note=how)
    lines = tuple(filter(None, (how,)))
    card = Card(node.name, (node.router,), lines, (PictureRow(key, "requests"), *steps))
    return DrawnUnit(card, row, place)


def _node_key(name: str) -> str:
    return f"node/{name}"


def _step_key(node: GraphNode, index: int) -> str:
    return f"step/{node.name}/{index}"


def _step_row(node: GraphNode, index: int, step: Field) -> PictureRow:
    """A step: to where, how often or when, and what it gets."""
    kind, target = _target(step)
    title = text(step.node, "name") or f"step {index + 1}"
    weight, condition = whole_number(step.node, "weight"), text(step.node, "condition")
    tag = f"if {condition}" if condition else "" if weight is None else f"weight {weight}"
    data = text(step.node, "data")
    notes = [f"gets {data}"] if data else []
    notes += ["must succeed"] if text(step.node, "dependency") == "Hard" else []
    to = f"node {target}" if kind == NODE_NAME else target
    return PictureRow(_step_key(node, index), title, tag, to, ", ".join(notes))


def _target(step: Field) -> tuple[str, str]:
    """What a step leads to, and its name; nothing if it leads nowhere."""
    for kind in (NODE_NAME, SERVICE_NAME, SERVICE_URL):
        if name := text(step.node, kind):
            return kind, name
    return "", ""


def _draw_services(
    applied: Applied, nodes: Iterable[GraphNode], place: Place
) -> Iterator[DrawnUnit]:
    """What steps call, each once: services of the namespace, and addresses."""
    for kind, name in dict.fromkeys(_target(step) for node in nodes for step in node.steps):
        if kind in _CALLED:
            key, noun = _target_key(kind, name), _CALLED[kind]
            is_own = kind == SERVICE_NAME and has_service(name, applied)
            where = "applied here" if is_own else "must be there"
            card = Card(name, (noun,), (where,), (PictureRow(key, "requests"),))
            yield DrawnUnit(card, PictureRow(key, f"calls {_host(name)}", noun), place)


def _target_key(kind: str, name: str) -> str:
    return f"{_CALLED[kind]}/{name}" if kind in _CALLED else _node_key(name)


def _host(target: str) -> str:
    """Of an address the host alone, which a row has room for."""
    return target.partition("://")[2].partition("/")[0] or target


def _links(nodes: dict[str, GraphNode]) -> Iterator[Link]:
    if ROOT in nodes:
        yield Link(LinkKind.CALL, "requests", "come in at root", (ROUTER,), (_node_key(ROOT),))
    for node in nodes.values():
        for index, step in enumerate(node.steps):
            kind, target = _target(step)
            if kind in _CALLED or (kind == NODE_NAME and target in nodes):
                row = _step_row(node, index, step)
                verb = "calls" if kind in _CALLED else "goes on at"
                meaning = ", ".join(filter(None, (f"{verb} {target}", row.tag)))
                ends = (row.key,), (_target_key(kind, target),)
                yield Link(LinkKind.CALL, f"{node.name}, {row.title}", meaning, *ends)
