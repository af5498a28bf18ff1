"""What becomes of the objects beside a component's pods: autoscalers, Services and ways in."""

from collections.abc import Callable, Iterator, Mapping

from renderer.backends.kserve.components import AUTOSCALER, EXTERNAL
from renderer.backends.kserve.situations import (
    AUTOSCALERS,
    HPA_KIND,
    SCALED_OBJECT,
    is_canary,
    is_knative,
    is_stopped_now,
    stopped_part,
)
from renderer.derive.behaviour import Difference, Situation
from renderer.text.wording import listed
from renderer.values.changes import How
from renderer.values.derivations import DerivedUnit

_ENTRANCES = ("Ingress", "Service", "ConfigMap")
#: With their groups: a Service of Knative is a workload.
_COMPANIONS = (
    "Service.", "HorizontalPodAutoscaler.autoscaling", "ScaledObject.keda.sh",
    "Ingress.networking.k8s.io",
)  # fmt: skip


def _left_objects(situation: Situation, kinds: tuple[str, ...]) -> Iterator[Difference]:
    """Objects that a unit has no more, and that no other unit has."""
    kept = {item.identity for unit in situation.present.units for item in unit.objects}
    for item in situation.differences:
        is_gone = item.is_whole and item.change.how is How.REMOVED
        if is_gone and item.object.kind in kinds and item.object.identity not in kept:
            yield item


def leaves_hpa(situation: Situation) -> bool:
    """KServe deletes an HPA that is turned off, but none that is exchanged (observed).

    Nor does it delete that of a workload which goes; a canary's has no owner.
    """
    if is_stopped_now(situation) or not any(_left_objects(situation, (HPA_KIND,))):
        return False
    is_exchanged = any(situation.differs(kind, how=How.ADDED) for kind in AUTOSCALERS)
    return is_exchanged or is_canary(situation)


def leaves_scaled_object(situation: Situation) -> bool:
    """What turns an autoscaler off knows HPAs alone: the object of KEDA stays (observed)."""
    is_left = any(_left_objects(situation, (SCALED_OBJECT,)))
    return is_left and situation.new_unit is not None and not is_stopped_now(situation)


def deletes_hpa(situation: Situation) -> bool:
    """Whether an HPA is turned off, and its workload stays."""
    is_gone = any(_left_objects(situation, (HPA_KIND,))) and situation.new_unit is not None
    return is_gone and not is_stopped_now(situation) and not leaves_hpa(situation)


def leaves_entrance(situation: Situation) -> bool:
    is_left = any(_left_objects(situation, ("Ingress",)))
    return is_left and situation.new_unit is not None and not is_stopped_now(situation)


def moves_entrance(situation: Situation) -> bool:
    """Whether all that differs is which component has the entrance of the service."""
    sides = (situation.former, situation.present)
    known = [{item.identity for unit in side.units for item in unit.objects} for side in sides]
    return bool(situation.differences) and all(
        item.is_whole
        and item.object.kind in _ENTRANCES
        and all(item.object.identity in side for side in known)
        for item in situation.differences
    )


def left_object_words(kinds: tuple[str, ...]) -> Callable[[Situation], Mapping[str, str]]:
    def words(situation: Situation) -> Mapping[str, str]:
        found = next(_left_objects(situation, kinds)).object
        return {"left": f"{found.kind} `{found.name}`"}

    return words


def number_words(situation: Situation) -> Mapping[str, str]:
    """What becomes of the number of pods when an HPA goes, and another program is to scale."""
    unit = situation.new_unit
    if unit is None or situation.applied.annotation(AUTOSCALER) != EXTERNAL:
        return {}
    keeps = f"; `{unit.objects[0].name}` keeps as many pods as it has, until another program"
    return {"new_numbers": f"{keeps} scales it"}


def left_parts(situation: Situation) -> Mapping[str, str]:
    """What is to be deleted beside a workload; in Knative all else belongs to it."""
    return {"parts": "" if is_knative(situation) else ", with its Service and its autoscaler"}


def companions(situation: Situation) -> Mapping[str, str]:
    """What comes or goes with the workload of a unit, in words.

    The way into the service does so only with the service as a whole (observed).
    """
    names = list(_companion_names(situation))
    return {"companions": f", and with it {listed(names)}" if names else ""}


def _companion_names(situation: Situation) -> Iterator[str]:
    is_whole = stopped_part(situation) == "service"
    for item in (*situation.new_objects, *situation.gone_objects):
        is_way_in = item.name == situation.applied.name
        if f"{item.kind}.{item.group}" in _COMPANIONS and (is_whole or not is_way_in):
            yield f"the {item.kind} `{item.name}`"
            if is_way_in and is_knative(situation):
                yield "the VirtualService of that name"


# who reaches a component


def _is_reached_from_outside(unit: DerivedUnit | None) -> bool:
    return unit is not None and any(item.through for item in unit.addresses)


def is_hidden(situation: Situation) -> bool:
    """Whether callers outside the cluster do not reach a component of Knative any more."""
    units = (situation.old_unit, situation.new_unit)
    return [_is_reached_from_outside(unit) for unit in units] == [True, False]


def is_shown(situation: Situation) -> bool:
    units = (situation.old_unit, situation.new_unit)
    return [_is_reached_from_outside(unit) for unit in units] == [False, True]
