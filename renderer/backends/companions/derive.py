"""What runs of a companion that is a workload: one unit with its pods."""

from collections.abc import Iterator, Sequence

from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.table import SCALERS, PodCount
from renderer.backends.companions.workloads import Bounds, group_bounds
from renderer.backends.fields import text, whole_number
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.values.derivations import Applied, Derivation, DerivedObject, DerivedUnit, Pods
from renderer.values.live import LiveObject
from renderer.values.statuses import ObservedObject
from renderer.values.tree import Node

#: What the unit of every workload is called.
UNIT = "pods"
_RECREATE = "Recreate"


def derive(applied: Applied, former: Derivation | None) -> Derivation:  # noqa: ARG001
    """The object is what runs its pods: Kubernetes makes nothing else that has a known name."""
    sorts = tuple(_sorts(applied))
    if not sorts:
        return Derivation((DerivedUnit(applied.destination, UNIT, problem="it has no pods"),))
    unit = DerivedUnit(applied.destination, UNIT, sorts, path=("spec",))
    made = DerivedObject(applied.tree, (("pods", bounds_text(unit_bounds(unit))),))
    return Derivation((unit._replace(objects=(made,)),))


def own_workload(observed: ObservedObject, unit: DerivedUnit) -> Sequence[LiveObject]:  # noqa: ARG001
    """The live object that runs the unit: the companion itself."""
    return (observed.object,)


def _sorts(applied: Applied) -> Iterator[Pods]:
    """The pods of each place; the first of a group are like the others unless they are given."""
    row, tree = row_of(applied.spec.kind.name), applied.tree
    if row.numbers is None:
        return
    bounds = group_bounds(tree, row.numbers, _scalers(applied))
    nodes = [tree.get(*place) for place in row.pods]
    if not row.numbers.size:
        yield from (_pods(tree, bounds, node, row.numbers) for node in nodes if node)
        return
    first, others = nodes
    others_number = max((whole_number(tree, *row.numbers.size) or 1) - 1, 0)
    if leader := first or others:
        yield _pods(tree, bounds, leader, row.numbers)
    if others and others_number:
        yield _pods(tree, _times(bounds, others_number), others, row.numbers)


def _scalers(applied: Applied) -> Iterator[Node]:
    """The objects that scale others, in the namespace of the object."""
    for (kind, namespace, _), tree in applied.needed.get(applied.cluster, {}).items():
        if kind in SCALERS and namespace == applied.namespace:
            yield tree


def _times(bounds: Bounds, number: int) -> Bounds:
    most = None if bounds.most is None else bounds.most * number
    return Bounds(bounds.least * number, most, bounds.start * number)


def _pods(tree: Node, bounds: Bounds, spec: Node, count: PodCount) -> Pods:
    surge = text(tree, *count.surge) if count.surge else ""
    stop_first = bool(count.strategy) and text(tree, *count.strategy) == _RECREATE
    return Pods(*bounds, spec, surge or count.usual_surge, stop_first)
