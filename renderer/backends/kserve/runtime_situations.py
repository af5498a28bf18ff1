"""What the rows of KServe's behaviour ask of an edit of a runtime and a service that uses it."""

from renderer.backends.kserve.components import PREDICTOR
from renderer.backends.kserve.situations import has_no_difference, node_value
from renderer.derive.behaviour import Situation
from renderer.values.derivations import Applied, DerivedUnit

#: What a runtime says of itself and not of pods.
_RUNTIME_ONLY_FIELDS = frozenset(
    ("supportedModelFormats", "protocolVersions", "disabled", "multiModel")
)


def loses_workers(situation: Situation) -> bool:
    change = situation.edited
    if not change.before or not change.after or change.is_renamed:
        return False
    had, has = (side.tree.get("spec", "workerSpec") for side in (change.before, change.after))
    return had is not None and has is None


def names_another_runtime(situation: Situation) -> bool:
    """Whether the service names another runtime now, which its own edit reports."""
    old, new = situation.old_unit, situation.new_unit
    if old is None or new is None:
        return True
    pairs = ((old, situation.before), (new, situation.after))
    names = [_runtime_name(side, unit) if side else None for unit, side in pairs]
    return names[0] != names[1]


def _runtime_name(applied: Applied, unit: DerivedUnit) -> object:
    place = (*unit.path, PREDICTOR) if "/" in unit.unit else unit.path
    return node_value(applied.tree.get(*place, "model", "runtime"))


def is_enabled_again(situation: Situation) -> bool:
    """A service without a runtime has none in its status, by which KServe finds it (observed)."""
    return situation.path == ("spec", "disabled")


def is_whole_object(situation: Situation) -> bool:
    return situation.change is None or situation.edited.is_renamed


def is_new_runtime(situation: Situation) -> bool:
    return is_whole_object(situation) and situation.edited.after is not None


def keeps_spec(situation: Situation) -> bool:
    """Whether nothing of the runtime's spec changed, which is all that KServe looks at."""
    sides = (situation.edited.before, situation.edited.after)
    specs = [side.tree.get("spec") if side else None for side in sides]
    return (specs[0].plain() if specs[0] else None) == (specs[1].plain() if specs[1] else None)


def is_not_about_pods(situation: Situation) -> bool:
    path = situation.path
    is_about_itself = path[:1] == ("metadata",) or (
        path[1:] and str(path[1]) in _RUNTIME_ONLY_FIELDS
    )
    return has_no_difference(situation) or bool(is_about_itself)
