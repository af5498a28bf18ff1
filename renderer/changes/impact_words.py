"""The words that sentences about an impact may use, each worked out when a sentence has it."""

from collections.abc import Callable, Iterable, Mapping

from renderer.backends.kinds import owner_of
from renderer.derive.behaviour import Difference, Situation, Stage
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.text.wording import add_article, listed, path_text
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


def _object_text(item: DerivedObject) -> str:
    return f"the {item.kind} `{item.name}`"


def _changed(situation: Situation) -> str:
    return next((_object_text(item.object) for item in situation.differences), "it")


def _listed_objects(items: Iterable[DerivedObject]) -> str:
    return listed(map(_object_text, items))


def _moved_port(situation: Situation) -> str:
    """Where a Service asks new pods at another port: it asks the old ones there, too."""
    moved = (item for item in situation.differences if _is_moved_port(item))
    found = next(moved, None)
    if found is None or found.change.after is None:
        return ""
    return (
        f". But {_object_text(found.object)} sends requests to port {found.change.after.value} at "
        "once: those that reach old pods fail until the rollout ends"
    )


def _is_moved_port(item: Difference) -> bool:
    path = item.change.path
    is_service = item.object.kind == "Service" and path[-1:] == ("targetPort",)
    return is_service and item.change.before is not None


def _new_numbers(situation: Situation) -> str:
    before, after = (
        bounds_text(unit_bounds(unit)) for unit in (situation.old_unit, situation.new_unit)
    )
    if before == after:
        return ""
    return f"; `{_workload(situation)}` now has {after} (before: {before})"


_WORDS: Mapping[str, Callable[[Situation], str]] = {
    "maker": lambda situation: owner_of(situation.kind).maker,
    "what": _place,
    "field": _field,
    "unit": lambda situation: situation.unit,
    "name": lambda situation: situation.applied.name,
    "kind": lambda situation: situation.kind,
    "a_kind": lambda situation: add_article(situation.kind),
    "source": lambda situation: object_name(situation.edited.manifest)[2],
    "before": lambda situation: _names(situation)[0],
    "after": lambda situation: _names(situation)[1],
    "workload": _workload,
    "objects": _objects,
    "changed": _changed,
    "made": lambda situation: _listed_objects(situation.new_objects),
    "gone": lambda situation: _listed_objects(situation.gone_objects),
    "moved_port": _moved_port,
    "new_numbers": _new_numbers,
    "pods_before": lambda situation: bounds_text(unit_bounds(situation.old_unit)),
    "pods_after": lambda situation: bounds_text(unit_bounds(situation.new_unit)),
    "gap": lambda situation: situation.present.gap,
    "reason": lambda _: "",
    "remedy": lambda _: "",
}
