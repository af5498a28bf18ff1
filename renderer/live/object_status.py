"""How an object fares: by what runs of it, beside what its platform says."""

from collections.abc import Iterator, Sequence

from renderer.backends.base import KindFunctions
from renderer.live.units import (
    judge_unit,
    live_workloads,
    unreadable_unit,
    unreported_unit,
    worst,
)
from renderer.text.wording import listed
from renderer.values.derivations import DerivedUnit
from renderer.values.live import NOTHING_LIVE, LiveObject
from renderer.values.statuses import (
    Health,
    LiveDifference,
    ObjectStatus,
    ObservedObject,
    UnitStatus,
)

_NOT_FOLLOWED = "what runs is not what the object says"


def object_status(
    observed: ObservedObject, functions: KindFunctions, platform: str
) -> ObjectStatus:
    """The state that a platform reports, judged by the objects that run each unit."""
    if functions.status is None:
        return _unreported_status(observed, functions)
    reported = functions.status(observed)
    if reported.health is Health.SUSPENDED:
        return reported
    units = tuple(_unit_status(unit, reported, observed, functions) for unit in reported.units)
    status = reported._replace(health=_health(reported, units), units=units)
    return status._replace(disagreement=_disagreement(reported, status, platform))


def _unit_status(
    reported: UnitStatus,
    whole: ObjectStatus,
    observed: ObservedObject,
    functions: KindFunctions,
) -> UnitStatus:
    derived = observed.derivation.units
    place = reported.destination, reported.unit
    unit = next((item for item in derived if (item.destination, item.unit) == place), None)
    if unit is None or (unit.problem and not unit.objects):
        return reported
    found = _workloads(unit, observed, functions)
    if found is None:
        return unreadable_unit(reported, unit)
    is_waited_for = whole.health is not Health.READY
    return judge_unit(reported, unit, found, is_waited_for=is_waited_for)


def _health(reported: ObjectStatus, units: tuple[UnitStatus, ...]) -> Health:
    """What a platform knows beside its pods counts as well: routes, models, applications.

    It knows as well what it says of each unit itself.
    """
    if reported.differences:
        return Health.FAILED
    if reported.sums_up_units and units and reported.health is not Health.FAILED:
        return worst([unit.health for unit in units])
    pairs = zip(units, reported.units, strict=True)
    found = [unit.health for unit, former in pairs if unit.health is not former.health]
    return worst([reported.health, *found])


def _disagreement(reported: ObjectStatus, judged: ObjectStatus, platform: str) -> str:
    """One sentence where what runs is not in the state that the platform says."""
    if reported.health is judged.health or Health.UNKNOWN in (reported.health, judged.health):
        return ""
    units = [item for item in judged.units if item.health is judged.health]
    is_old = reported.written and any(item.since > reported.written for item in units)
    when = f", and has not looked since {reported.written}" if is_old else ""
    return f"{platform} says {reported.state}{when}; {'; '.join(_facts(units)) or _NOT_FOLLOWED}"


def _facts(units: Sequence[UnitStatus]) -> Iterator[str]:
    """`bob has 0 of 1 pods available`, or what else is with some units."""
    messages: dict[str, list[str]] = {}
    for item in units:
        if item.wanted is not None and item.ready is not None and item.ready < item.wanted:
            yield f"{item.unit} has {item.ready} of {item.wanted} pods available"
        else:
            messages.setdefault(item.message or str(item.health), []).append(item.unit)
    yield from (f"{listed(names)}: {message}" for message, names in messages.items())


def _workloads(
    unit: DerivedUnit, observed: ObservedObject, functions: KindFunctions
) -> Sequence[LiveObject] | None:
    """The live objects that run a unit, nothing if they cannot be read."""
    if functions.workloads:
        return functions.workloads(observed, unit)
    return live_workloads(unit, observed.live)


def _unreported_status(observed: ObservedObject, functions: KindFunctions) -> ObjectStatus:
    """Of a kind whose platform says nothing: what there is of each unit."""
    units = []
    for item in observed.derivation.units:
        reported = unreported_unit(item, observed.live)
        found = _workloads(item, observed, functions)
        units.append(reported if found is None else judge_unit(reported, item, found))
    health = worst([unit.health for unit in units])
    differences = tuple(_missing_objects(observed))
    return ObjectStatus(health.value, health, units=tuple(units), differences=differences)


def _missing_objects(observed: ObservedObject) -> Iterator[LiveDifference]:
    """Objects that the platform should have made."""
    for unit in observed.derivation.units:
        here = observed.live.get(unit.destination, NOTHING_LIVE)
        for item in unit.objects:
            found = here.find(item.kind, item.namespace, item.name, item.group)
            if item.kind not in here.unread and not found:
                name = f"{item.kind} {item.namespace}/{item.name}"
                yield LiveDifference("", "made by the platform", None, name)
