"""The words that sentences about an impact may use, each worked out when a sentence has it."""

from collections.abc import Callable, Mapping

from renderer.backends.kinds import owner_of
from renderer.derive.behaviour import Situation, Stage
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.text.wording import path_text
from renderer.values.derivations import DerivedObject, object_name
from renderer.values.diagnostics import Path

_LISTS = {"labels": "label", "annotations": "annotation"}


class Words(dict[str, str]):
    """Words of a situation; those that are given count, the others are looked up."""

    def __init__(self, situation: Situation, given: Mapping[str, str]) -> None:
        super().__init__(given)
        self._situation = situation

    def __missing__(self, name: str) -> str:
        return _WORDS[name](self._situation)


def _place(situation: Situation) -> str:
    path = situation.path
    return place_text(path) if path else "the object"


def place_text(path: Path) -> str:
    """A path in words."""
    if path[:1] == ("metadata",) and path[2:] and str(path[1]) in _LISTS:
        return f"the {_LISTS[str(path[1])]} `{path[-1]}`"
    return f"`{path_text(path[1:] if path[:1] == ('spec',) else path)}`"


def _field(situation: Situation) -> str:
    what = _place(situation)
    return what[:1].upper() + what[1:]


def _names(situation: Situation) -> tuple[str, str]:
    """What an object was and is called, or where it was and is."""
    if situation.stage is Stage.MOVED:
        return situation.places
    sides = (situation.before, situation.after)
    old, new = (side.name if side else "" for side in sides)
    if situation.stage is Stage.RENAMED and old == new:
        old, new = (side.namespace if side else "" for side in sides)
    return old, new


def _workload(situation: Situation) -> str:
    """The name of the first object of a unit, which is the one that runs it."""
    first = _first_object(situation)
    return first.name if first else situation.unit


def _objects(situation: Situation) -> str:
    first = _first_object(situation)
    return f"the {first.kind} `{first.name}`" if first else f"`{situation.unit}`"


def _first_object(situation: Situation) -> DerivedObject | None:
    unit = situation.new_unit or situation.old_unit
    return unit.objects[0] if unit and unit.objects else None


def _changed(situation: Situation) -> str:
    names = (f"the {item.object.kind} `{item.object.name}`" for item in situation.differences)
    return next(names, "it")


_WORDS: Mapping[str, Callable[[Situation], str]] = {
    "maker": lambda situation: owner_of(situation.kind).maker,
    "what": _place,
    "field": _field,
    "unit": lambda situation: situation.unit,
    "name": lambda situation: situation.applied.name,
    "kind": lambda situation: situation.kind,
    "source": lambda situation: object_name(situation.edited.manifest)[2],
    "before": lambda situation: _names(situation)[0],
    "after": lambda situation: _names(situation)[1],
    "workload": _workload,
    "objects": _objects,
    "changed": _changed,
    "pods_before": lambda situation: bounds_text(unit_bounds(situation.old_unit)),
    "pods_after": lambda situation: bounds_text(unit_bounds(situation.new_unit)),
    "gap": lambda situation: situation.present.gap,
    "reason": lambda _: "",
    "remedy": lambda _: "",
}
