"""How a companion fares: by kstatus' conditions, and what some kinds say in their own words."""

from collections.abc import Mapping

from renderer.backends.fields import text
from renderer.kubernetes.status import Condition, conditions
from renderer.values.live import LiveObject
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import Health, ObjectStatus, ObservedObject

_READY, _STALLED, _RECONCILING = "Ready", "Stalled", "Reconciling"
_UNSEEN = "its controller has not seen the latest spec yet"


class _Phases(NamedTuple):
    """The words of a phase and what they mean, and what is said of some."""

    healths: Mapping[str, Health]
    messages: Mapping[str, str] = {}


class _Says(NamedTuple):
    """The condition by which a kind says that it is ready, and what it means if that is false."""

    condition: str
    if_false: Health


#: Kinds without conditions that tell all, by the phase in their status.
_PHASES = {
    "PersistentVolumeClaim": _Phases(
        {"Bound": Health.READY, "Pending": Health.PROGRESSING, "Lost": Health.FAILED},
        {"Pending": "no volume is bound to it; some storage classes wait for a pod that uses it"},
    ),
    "PersistentVolume": _Phases(
        {
            "Available": Health.READY,
            "Bound": Health.READY,
            "Released": Health.READY,
            "Pending": Health.PROGRESSING,
            "Failed": Health.FAILED,
        }
    ),
    "Namespace": _Phases({"Active": Health.READY, "Terminating": Health.PROGRESSING}),
}
#: Others say Ready, and false means that their controllers are still at it, as kstatus takes it.
_USUAL = _Says(_READY, Health.PROGRESSING)
_CONDITIONS = {
    "ExternalSecret": _Says(_READY, Health.FAILED),
    "ClusterExternalSecret": _Says(_READY, Health.FAILED),
    "SecretStore": _Says(_READY, Health.FAILED),
    "ClusterSecretStore": _Says(_READY, Health.FAILED),
    "SealedSecret": _Says("Synced", Health.FAILED),
    "Gateway.gateway.networking.k8s.io": _Says("Programmed", Health.PROGRESSING),
    "LocalQueue": _Says("Active", Health.FAILED),
    "ClusterQueue": _Says("Active", Health.FAILED),
    "HorizontalPodAutoscaler": _Says("ScalingActive", Health.FAILED),
}


def status(observed: ObservedObject) -> ObjectStatus:
    """The state of a live object; one that says nothing of itself is fine where it is there."""
    found = observed.object
    if _is_unseen(found):
        return ObjectStatus("not seen", Health.PROGRESSING, message=_UNSEEN)
    name = observed.spec.kind.name
    phase = text(found.tree, "status", "phase")
    if name in _PHASES and phase:
        health = _PHASES[name].healths.get(phase, Health.UNKNOWN)
        return ObjectStatus(phase, health, message=_PHASES[name].messages.get(phase, ""))
    return _judge_conditions(conditions(found.tree), _CONDITIONS.get(name, _USUAL))


def _judge_conditions(given: Mapping[str, Condition], says: _Says) -> ObjectStatus:
    stalled, busy = given.get(_STALLED), given.get(_RECONCILING)
    if stalled and stalled.is_true:
        return _status(_STALLED, Health.FAILED, stalled)
    if busy and busy.is_true:
        return _status(_RECONCILING, Health.PROGRESSING, busy)
    ready = given.get(says.condition)
    if ready is None:
        return ObjectStatus("stored", Health.READY)
    if ready.is_true:
        return _status(says.condition, Health.READY, ready)
    health = says.if_false if ready.is_false else Health.PROGRESSING
    state = f"not {says.condition}" if ready.is_false else f"{says.condition} unknown"
    return _status(state, health, ready)


def _status(state: str, health: Health, condition: Condition) -> ObjectStatus:
    message = "" if health is Health.READY else condition.message
    reason = "" if health is Health.READY else condition.reason
    return ObjectStatus(state, health, reason, message, condition.since)


def _is_unseen(item: LiveObject) -> bool:
    """Whether a controller notes which generation it has seen, and has not seen the last one."""
    seen = item.tree.get("status", "observedGeneration")
    latest = item.tree.get("metadata", "generation")
    if not seen or not latest:
        return False
    numbers = seen.value, latest.value
    return all(isinstance(number, int) for number in numbers) and numbers[0] != numbers[1]
