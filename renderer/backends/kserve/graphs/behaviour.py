"""What an edit of a graph does that is not what Kubernetes itself would do."""

from collections.abc import Mapping

from renderer.backends.kserve.components import MODE
from renderer.backends.kserve.derive.service_plan import applied_mode
from renderer.derive.behaviour import Behaviour, ChangeKind, Row, Situation
from renderer.values.changes import Effect

_KINDS: Mapping[str, ChangeKind] = {
    "graph-mode-changed": ChangeKind(
        Effect.ORPHANS,
        "KServe makes the router anew in the mode {mode}, and deletes nothing of what it made in "
        "the mode {former_mode}: both routers run.",
        "Delete what is left by hand, or give the graph of the new mode another name.",
    ),
}


def _changes_mode(situation: Situation) -> bool:
    """Whether both sides have a router, each in another mode."""
    old, new = situation.before, situation.after
    return old is not None and new is not None and applied_mode(old) != applied_mode(new)


def _modes(situation: Situation) -> Mapping[str, str]:
    sides = situation.before or situation.applied, situation.after or situation.applied
    return {"former_mode": applied_mode(sides[0]), "mode": applied_mode(sides[1])}


def behaviour() -> Behaviour:
    """A graph goes the way of a Deployment or of a Knative Service, but for its mode."""
    at = ("metadata", "annotations", MODE)
    return Behaviour(_KINDS, (Row("graph-mode-changed", at, when=_changes_mode, words=_modes),))
