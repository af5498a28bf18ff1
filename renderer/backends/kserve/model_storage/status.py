"""How models fare that are kept apart from their servers: on shared ones, and on nodes."""

from renderer.backends.fields import plain, text, whole_number
from renderer.kubernetes.status import NO_CONDITION, conditions
from renderer.values.statuses import Health, ObjectStatus, ObservedObject

#: What a model does not wait for: its server takes several models and has the memory, or not.
_LASTING = ("IsMMSPredictor", "MemoryResourceAvailable")
_GROUPS = "a node group that it names may be missing"
_FAILED = "KServe does not try again until the Job of the download is deleted"


def model_status(observed: ObservedObject) -> ObjectStatus:
    """A TrainedModel, by its conditions: whether its server has loaded it is in none of them."""
    tree = observed.object.tree
    known = conditions(tree)
    ready = known.get("Ready", NO_CONDITION)
    failed = next(
        (known[kind] for kind in _LASTING if kind in known and known[kind].is_false), None
    )
    cause = failed or ready
    health = Health.READY if ready.is_true else Health.PROGRESSING
    state = {"True": "Ready", "False": "not Ready"}.get(ready.status, "Ready unknown")
    addresses = (text(tree, "status", "url"), text(tree, "status", "address", "url"))
    return ObjectStatus(
        state if known else "no status yet",
        Health.FAILED if failed else health,
        "" if cause.is_true else cause.reason,
        "" if cause.is_true else cause.message,
        ready.since,
        tuple(filter(None, addresses)),
        response=plain(tree, "status"),
    )


def cache_status(observed: ObservedObject) -> ObjectStatus:
    """A LocalModelCache, by its copies: one without a node to be on has all that it can have."""
    tree = observed.object.tree
    response = plain(tree, "status")
    if tree.get("status", "copies") is None:
        return ObjectStatus("no status yet", Health.PROGRESSING, message=_GROUPS, response=response)
    failed, available, total = (
        whole_number(tree, "status", "copies", key) or 0 for key in ("failed", "available", "total")
    )
    state = f"on {available} of {total} nodes"
    if failed > 0:
        state = f"{state}, {failed} failed"
        return ObjectStatus(state, Health.FAILED, message=_FAILED, response=response)
    health = Health.READY if available == total else Health.PROGRESSING
    return ObjectStatus(state, health, response=response)
