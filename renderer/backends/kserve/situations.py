"""What the rows of KServe's behaviour ask of an edit and the unit that it reaches."""

from collections.abc import Iterator, Mapping

from renderer.backends.kserve.components import AUTOSCALER, HPA, PREDICTOR, TRANSFORMER
from renderer.backends.kserve.derive.service_plan import (
    applied_mode,
    is_component_stopped,
    is_frozen,
    is_stopped,
)
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.model import MODEL
from renderer.backends.kserve.runtimes import RUNTIME_KINDS as RUNTIMES
from renderer.backends.object_places import MANAGED_BY
from renderer.derive.behaviour import ANY, Condition, Situation, negated
from renderer.values.changes import How
from renderer.values.derivations import (
    Applied,
    Derivation,
    DerivedObject,
    DerivedUnit,
    Problem,
)
from renderer.values.diagnostics import Path
from renderer.values.tree import Node

KNATIVE_SERVICE = "Service.serving.knative.dev"
WORKLOADS = ("Deployment", KNATIVE_SERVICE)
TEMPLATE = ("spec", "template")
TRAFFIC = ("spec", ANY, "canaryTrafficPercent")
HPA_KIND, SCALED_OBJECT = AUTOSCALERS = ("HorizontalPodAutoscaler", "ScaledObject")
_SCALING = frozenset((
    "maxReplicas", "minReplicas", "scaleTarget", "scaleMetric", "scaleMetricType", "autoScaling",
))  # fmt: skip
_ALL = 100
_CANARY_DEPTH = 4  # spec.canary.0.predictor


def _mode(situation: Situation) -> str:
    return applied_mode(situation.applied, situation.former.source)


def mode_words(situation: Situation) -> Iterator[str]:
    """All of a service that decides what KServe does with an edit of another field."""
    yield _mode(situation)
    scaler = situation.applied.annotation(AUTOSCALER) or HPA
    if scaler != HPA:
        yield scaler
    if is_frozen(situation.applied):
        yield "frozen"
    if is_stopped(situation.applied):
        yield "stopped"


def is_knative(situation: Situation) -> bool:
    return _mode(situation) == KNATIVE


def is_model_mesh(situation: Situation) -> bool:
    return _mode(situation) == MODEL_MESH


is_standard = negated(is_knative)


def is_update_disabled(situation: Situation) -> bool:
    return situation.after is not None and is_frozen(situation.after)


def is_stopped_now(situation: Situation) -> bool:
    return _is_unit_stopped(situation.after, situation.new_unit)


def was_stopped(situation: Situation) -> bool:
    return _is_unit_stopped(situation.before, situation.old_unit)


def _is_unit_stopped(applied: Applied | None, unit: DerivedUnit | None) -> bool:
    if applied is None:
        return False
    return is_stopped(applied) or (unit is not None and is_component_stopped(applied, unit.path))


def stopped_part(situation: Situation) -> str:
    """What is or was stopped: the whole service, or a component."""
    sides = (situation.before, situation.after)
    return "service" if any(side and is_stopped(side) for side in sides) else situation.unit


def is_canary(situation: Situation) -> bool:
    return "/" in situation.unit


def is_transformer(situation: Situation) -> bool:
    return situation.unit == TRANSFORMER


def has_no_difference(situation: Situation) -> bool:
    return not situation.differences


def has_new_problem(situation: Situation) -> bool:
    """Whether the change is put down to a problem, which was reported already."""
    former = situation.former.problems
    problems = [item for item in situation.present.problems if item not in former]
    if situation.source in RUNTIMES:
        return bool(problems)
    return any(_overlaps(item.path, situation.path) for item in problems)


def is_still_broken(situation: Situation) -> bool:
    """Whether the controller fails at what it failed at before."""
    return any(item in situation.present.problems for item in _former_problems(situation))


def was_broken(situation: Situation) -> bool:
    """Whether the controller failed before, and does no more."""
    return any(_former_problems(situation)) and not situation.present.problems


def _former_problems(situation: Situation) -> Iterator[Problem]:
    unit = situation.new_unit or situation.old_unit
    key = (unit.destination, unit.unit) if unit else ()
    return (item for item in situation.former.problems if not item.units or key in item.units)


def former_problem_words(situation: Situation) -> Mapping[str, str]:
    found = list(_former_problems(situation))
    lasting = (item for item in found if item in situation.present.problems)
    problem = next(lasting, found[0])
    return {"reason": problem.reason, "remedy": problem.remedy}


def _overlaps(one: Path, other: Path) -> bool:
    """Whether one of two places is the other one or below it."""
    return all(first == second for first, second in zip(one, other, strict=False))


def adds_managed_label(situation: Situation) -> bool:
    """Whether a label came that marks what servingctl rendered."""
    change = situation.change
    if change is None or change.how is not How.ADDED:
        return False
    return change.path[-1] == MANAGED_BY or bool(change.after and MANAGED_BY in change.after.items)


def stops_pods_first(situation: Situation) -> bool:
    unit = situation.new_unit
    return unit is not None and any(pods.stop_first for pods in unit.pods)


def changes_template(situation: Situation) -> bool:
    return any(situation.differs(kind, TEMPLATE) for kind in WORKLOADS)


keeps_template = negated(changes_template)


# names of workloads


def unit_workload(unit: DerivedUnit | None) -> DerivedObject | None:
    """The object that runs a unit, which is its first."""
    return unit.objects[0] if unit and unit.objects else None


def _workloads(derivation: Derivation) -> dict[str, DerivedObject]:
    found = (unit_workload(unit) for unit in derivation.units)
    return {item.name: item for item in found if item}


def has_other_name(situation: Situation) -> bool:
    """Whether the predictor's workload is made anew under another name."""
    old, new = unit_workload(situation.old_unit), unit_workload(situation.new_unit)
    return old is not None and new is not None and old.name != new.name


def promotion(situation: Situation) -> tuple[DerivedObject, DerivedObject] | None:
    """A canary's workload before, and the predictor's after, if that is the same one."""
    if is_canary(situation) and situation.new_unit:
        return None
    now = unit_workload(unit_named(situation.present, PREDICTOR))
    old = unit_workload(unit_named(situation.former, PREDICTOR))
    if now is None or old is None or now.name == old.name:
        return None
    was = _workloads(situation.former).get(now.name)
    if was is None or (is_canary(situation) and unit_workload(situation.old_unit) is not was):
        return None
    return was, now


def unit_named(derivation: Derivation, name: str) -> DerivedUnit | None:
    return next((unit for unit in derivation.units if unit.unit == name), None)


def is_promoted(situation: Situation) -> bool:
    found = promotion(situation)
    return found is not None and _template(found[0]) == _template(found[1])


def is_promoted_changed(situation: Situation) -> bool:
    return promotion(situation) is not None


def _template(workload: DerivedObject) -> object:
    found = workload.tree.get(*TEMPLATE)
    return found.plain() if found else None


# what only some fields do


def changed_field(path: Path) -> str:
    """The field of a component or of its model that a change is about."""
    if path[:1] == ("metadata",):
        return str(path[1]) if path[1:] else ""
    rest = path[_CANARY_DEPTH:] if path[:2] == ("spec", "canary") else path[2:]
    if path[-1:] == ("trafficPercent",):
        return "minReplicas"  # all that it decides is how many pods there are
    rest = rest[1:] if rest[:1] == (MODEL,) and len(rest) > 1 else rest
    return str(rest[0]) if rest else MODEL


def has_field(*names: str) -> Condition:
    return lambda situation: (
        changed_field(situation.path) in names and situation.path[:1] == ("spec",)
    )


def is_zero(situation: Situation) -> bool:
    change = situation.change
    return change is not None and change.after is not None and change.after.value == 0


def is_unscaled(situation: Situation) -> bool:
    """Whether a field is for an autoscaler that is not made, or that does not read it."""
    field = changed_field(situation.path)
    if field not in _SCALING or situation.path[:1] != ("spec",):
        return False
    if field == "scaleMetricType" or (is_knative(situation) and field == "autoScaling"):
        return True
    unit = situation.new_unit
    kinds = {item.kind for item in unit.objects} if unit else set[str]()
    return is_standard(situation) and kinds.isdisjoint(AUTOSCALERS)


def has_workers(situation: Situation) -> bool:
    """With workers on other nodes, pods have the object's generation in their template.

    So each edit of the object replaces them.
    """
    found = situation.applied.tree.get("spec", PREDICTOR, "workerSpec")
    return found is not None and situation.unit == PREDICTOR


def revision_share(situation: Situation) -> int | None:
    """The part of the requests that the newest revision gets; nothing if it gets all."""
    return _share(situation.after, situation.unit)


def _share(applied: Applied | None, unit: str) -> int | None:
    found = applied.tree.get("spec", unit, TRAFFIC[-1]) if applied else None
    value = found.value if found else None
    return value if type(value) is int and value < _ALL else None


def keeps_share(situation: Situation) -> bool:
    """Whether the newest revision gets the part that it got: 100 is the same as nothing."""
    return _share(situation.before, situation.unit) == revision_share(situation)


def splits_no_requests(situation: Situation) -> bool:
    """Whether a share is said where the newest revision has all requests, and stays the newest.

    It is the one that was rolled out last, too, so that it gets both parts (observed).
    """
    workloads = (unit_workload(unit) for unit in (situation.old_unit, situation.new_unit))
    old, new = (_template(item) if item else None for item in workloads)
    return _share(situation.before, situation.unit) is None and old == new


def gets_share(share: int | None) -> Condition:
    """Whether the newest revision gets such a part; nothing stands for all."""
    return lambda situation: revision_share(situation) == share


def node_value(node: Node | None) -> object:
    return node.value if node else None
