"""The nodes of a graph of services, and the steps that lead from one to another."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import text
from renderer.backends.kserve.components import MODE
from renderer.backends.kserve.dialect import parse_mode
from renderer.backends.kserve.plain_objects import ObjectView
from renderer.kubernetes.pods import Field
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: Where requests come in.
ROOT = "root"
SEQUENCE, SPLITTER, ENSEMBLE, SWITCH = "Sequence", "Splitter", "Ensemble", "Switch"
NODE_NAME, SERVICE_NAME, SERVICE_URL = "nodeName", "serviceName", "serviceUrl"
TARGETS = (NODE_NAME, SERVICE_NAME, SERVICE_URL)


class GraphNode(NamedTuple):
    """A node: its name, how its steps are run, and the steps."""

    name: str
    field: Field

    @property
    def router(self) -> str:
        return text(self.field.node, "routerType")

    @property
    def steps(self) -> list[Field]:
        return list(self.field.each("steps"))

    @property
    def next_nodes(self) -> list[Field]:
        """Where its steps name other nodes."""
        return [found for step in self.steps if (found := step.get(NODE_NAME)) and found.text]


def graph_nodes(tree: Node, place: tuple[str, ...] = ()) -> dict[str, GraphNode]:
    """The nodes of a graph by name; `place` is where its spec is."""
    return {key: GraphNode(key, item) for key, item in Field(place, tree).members("nodes").items()}


def reached_nodes(nodes: Mapping[str, GraphNode]) -> list[str]:
    """The nodes that requests may come to, in the order in which steps name them."""
    found: list[str] = [ROOT] if ROOT in nodes else []
    for name in found:
        names = [item.text for item in nodes[name].next_nodes]
        found += [item for item in dict.fromkeys(names) if item in nodes and item not in found]
    return found


def loops(nodes: Mapping[str, GraphNode]) -> Iterator[tuple[Field, list[str]]]:
    """The steps that lead back to a node that they come from, each with the nodes on the way."""
    done: set[str] = set()
    for start in nodes:
        way: list[str] = []
        pending: list[tuple[int, Field | None, str]] = [(0, None, start)]
        while pending:
            depth, step, name = pending.pop()
            del way[depth:]
            if step and name in way:
                yield step, [*way[way.index(name) :], name]
            elif name in nodes and name not in done:
                way.append(name)
                ahead = reversed(nodes[name].next_nodes)
                pending.append((depth + 1, None, ""))  # all steps were followed
                pending += [(depth + 1, item, item.text) for item in ahead]
            elif not name:
                done.add(way[-1])


def graph_mode(view: ObjectView) -> str:
    """The mode of a graph: that of its annotation, else the default of the cluster."""
    return parse_mode(text(view.tree, "annotations", MODE)) or view.settings.default_mode
