"""How a spec fares by the objects that its platform makes of it, beside those that are there."""

from collections.abc import Iterator

from renderer.derive.pods import unit_bounds
from renderer.kubernetes.status import UNTOLD, Rollout, conditions
from renderer.values.derivations import Derivation, DerivedUnit
from renderer.values.live import NOTHING_LIVE, LiveObject, LiveObjects, Query
from renderer.values.statuses import (
    Health,
    LiveDifference,
    ObjectStatus,
    ObservedObject,
    UnitStatus,
)

_ROLLED = ("Deployment", "StatefulSet")
#: From the worst; a spec fares as the worst of its units.
_ORDER = (Health.FAILED, Health.PROGRESSING, Health.UNKNOWN, Health.SUSPENDED, Health.READY)


def related_objects(derivation: Derivation) -> Iterator[Query]:
    """What the platform makes, wherever it makes it; who may read the rest may not read that."""
    for unit in derivation.units:
        for item in unit.objects:
            version = item.tree.get("apiVersion")
            yield Query(
                unit.destination,
                str(version.value) if version else "",
                item.kind,
                item.namespace,
                required=False,
            )


def derived_status(observed: ObservedObject) -> ObjectStatus:
    """What there is of each unit, in the words of Kubernetes."""
    units = tuple(_unit_status(unit, observed) for unit in observed.derivation.units)
    healths = {unit.health for unit in units}
    health = next((item for item in _ORDER if item in healths), Health.READY)
    return ObjectStatus(
        health.value,
        health,
        units=units,
        differences=tuple(_missing_objects(observed)),
    )


def _unit_status(unit: DerivedUnit, observed: ObservedObject) -> UnitStatus:
    here = observed.live.get(unit.destination, NOTHING_LIVE)
    wanted = unit_bounds(unit)[0]
    rolled = [item for item in unit.objects if item.kind in _ROLLED]
    if any(item.kind in here.unread for item in rolled):
        return UnitStatus(unit.unit, unit.destination, "not visible", Health.UNKNOWN, None, wanted)
    live = [found for item in rolled if (found := here.find(*_place(item.identity)))]
    rollout = Rollout.of(live)
    ready = rollout.ready if rollout else 0
    health, reason, message = _health(live, len(rolled), rollout, wanted)
    return UnitStatus(
        unit.unit, unit.destination, health.value, health, ready, wanted,
        reason=reason, message=message,
    )  # fmt: skip


def _place(identity: tuple[str, str, str, str]) -> tuple[str, str, str, str]:
    group, kind, namespace, name = identity
    return kind, namespace, name, group


def _health(
    live: list[LiveObject], expected: int, rollout: Rollout | None, wanted: int
) -> tuple[Health, str, str]:
    for item in live:
        told = conditions(item.tree)
        failure, progress = (told.get(name, UNTOLD) for name in ("ReplicaFailure", "Progressing"))
        for condition, is_bad in ((failure, failure.is_true), (progress, progress.is_false)):
            if is_bad:
                return Health.FAILED, condition.reason, condition.message
    if len(live) < expected:
        return Health.PROGRESSING, "", "not everything is there yet"
    if rollout and (not rollout.is_done or rollout.ready < wanted):
        return Health.PROGRESSING, "", ""
    return Health.READY, "", ""


def _missing_objects(observed: ObservedObject) -> Iterator[LiveDifference]:
    """Objects that the platform should have made."""
    for unit in observed.derivation.units:
        here: LiveObjects = observed.live.get(unit.destination, NOTHING_LIVE)
        for item in unit.objects:
            if item.kind not in here.unread and not here.find(*_place(item.identity)):
                name = f"{item.kind} {item.namespace}/{item.name}"
                yield LiveDifference("", "made by the platform", None, name)
