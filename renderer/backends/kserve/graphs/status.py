"""How an InferenceGraph fares: what KServe says of its router."""

from renderer.backends.fields import plain, text
from renderer.backends.kserve.graphs.derive import ROUTER
from renderer.kubernetes.status import NO_CONDITION, conditions
from renderer.values.statuses import Health, ObjectStatus, ObservedObject, UnitStatus

#: Without a status: KServe writes none before all services of the graph have addresses.
_WAITS = "a service that it calls may be missing, or have no address yet"


def status(observed: ObservedObject) -> ObjectStatus:
    """The condition Ready, which in Standard mode stays true once a pod has been there."""
    tree = observed.object.tree
    known = conditions(tree)
    ready, stopped = (known.get(name, NO_CONDITION) for name in ("Ready", "Stopped"))
    if stopped.is_true:
        state, health = "Stopped", Health.SUSPENDED
    elif ready.is_true:
        state, health = "Ready", Health.READY
    elif ready.is_false:
        state, health = "not Ready", Health.FAILED
    else:
        state, health = ("Ready unknown" if known else "no status yet"), Health.PROGRESSING
    reason, message = ("", "") if ready.is_true else (ready.reason, ready.message)
    address = text(tree, "status", "url")
    found = ObjectStatus(
        state,
        health,
        reason,
        message if known else _WAITS,
        ready.since,
        (address,) if address else (),
        response=plain(tree, "status"),
    )
    units = (
        UnitStatus(ROUTER, unit.destination, state, health, since=ready.since)
        for unit in observed.derivation.units
    )
    return found._replace(units=tuple(units))
