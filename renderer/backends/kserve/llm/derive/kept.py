"""What KServe leaves as it was: it compares what it wants with what is there, one way only."""

from renderer.backends.kserve.llm.derive.plan import SCHEDULER_UNIT, LlmPlan
from renderer.values.derivations import Derivation, DerivedObject, DerivedUnit
from renderer.values.tree import Node

_COMPARED_ONE_WAY = frozenset(("Deployment", "LeaderWorkerSet", "HTTPRoute", "Service"))
_SELECTOR = ("spec", "selector")
#: Where fewer values are another value all the same: pods, and what a Deployment cannot change.
_EXACT = (
    _SELECTOR,
    ("spec", "template", "spec"),
    ("spec", "leaderWorkerTemplate", "leaderTemplate", "spec"),
    ("spec", "leaderWorkerTemplate", "workerTemplate", "spec"),
)
_PLACES = (("spec",), ("metadata", "labels"), ("metadata", "annotations"))
_NUMBER = ("spec", "replicas")


def keep(plan: LlmPlan, unit: DerivedUnit, former: DerivedUnit | None) -> DerivedUnit:
    """A unit with what stays of it: removed annotations and numbers, for example."""
    if former is None or not former.objects or not unit.objects:
        return unit
    fields = next((item.fields for item in plan.workloads() if item.unit == unit.unit), None)
    known = {item.identity: item for item in former.objects}
    objects = list(unit.objects)
    last = known.get(objects[0].identity)
    if last and fields is not None and not {"replicas", "scaling"} & fields.keys():
        objects[0] = _with_number(objects[0], last)
        same = len(unit.pods) == len(former.pods)
        pods = zip(unit.pods, former.pods, strict=False)
        if same:
            unit = unit._replace(
                pods=tuple(
                    new._replace(least=old.least, most=old.most, start=old.start)
                    for new, old in pods
                )
            )
    done = tuple(_kept(item, known.get(item.identity)) for item in objects)
    return unit._replace(objects=done)


def _with_number(made: DerivedObject, former: DerivedObject) -> DerivedObject:
    """Without a number of its own, a workload keeps the one that it has."""
    number = former.tree.get(*_NUMBER)
    spec = made.tree.get("spec")
    if number is None or spec is None:
        return made
    whole = spec.with_members({**spec.items, "replicas": number})
    return made._replace(tree=made.tree.with_members({**made.tree.items, "spec": whole}))


def _kept(made: DerivedObject, former: DerivedObject | None) -> DerivedObject:
    if former is None or made.kind not in _COMPARED_ONE_WAY:
        return made
    if any(_plain(made.tree, place) != _plain(former.tree, place) for place in _EXACT):
        return made
    is_same = all(says_no_more(made.tree.get(*place), former.tree.get(*place)) for place in _PLACES)
    return former if is_same else made


def _plain(tree: Node, place: tuple[str, ...]) -> object:
    found = tree.get(*place)
    return found.plain() if found else None


def says_no_more(wanted: Node | None, there: Node | None) -> bool:
    """Whether all that is wanted is there already; what is not said is not compared."""
    if wanted is None or wanted.value in (None, "", {}, ()):
        return True
    if there is None:
        return False
    if isinstance(wanted.value, dict):
        return all(says_no_more(node, there.step(key)) for key, node in wanted.items.items())
    if isinstance(wanted.value, tuple):
        pairs = zip(wanted.elements, there.elements, strict=False)
        return len(wanted.elements) <= len(there.elements) and all(
            says_no_more(one, other) for one, other in pairs
        )
    return wanted.value == there.value


def changed_selector(unit: DerivedUnit, former: Derivation) -> str:
    """The Deployment whose selector cannot be changed to what the service wants; or nothing.

    That of a scheduler stops nothing else.
    """
    known = {item.identity: item for old in former.units for item in old.objects[:1]}
    for item in unit.objects[: unit.unit != SCHEDULER_UNIT]:
        last = known.get(item.identity)
        is_changed = last and _plain(item.tree, _SELECTOR) != _plain(last.tree, _SELECTOR)
        if item.kind == "Deployment" and is_changed:
            return item.name
    return ""
