"""Edits of workloads, as far as they are not what Kubernetes does with any object of their kind."""

from collections.abc import Mapping

from renderer.backends.companions.sides import new_value, old_value
from renderer.derive.behaviour import ANY, ChangeKind, Row, Situation, all_of
from renderer.values.changes import Effect
from renderer.values.diagnostics import Path

_TEMPLATE: Path = ("spec", "template")

CHANGE_KINDS: Mapping[str, ChangeKind] = {
    "pods-left": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: by its strategy OnDelete pods of the {kind} `{name}` stay until someone "
        "deletes them.",
    ),
    "pods-paused": ChangeKind(
        Effect.DEFERRED,
        "{field} changed, and the {kind} is paused: its pods are replaced when it goes on.",
        "Take `paused` out when they may be.",
    ),
    "pods-stay": ChangeKind(
        Effect.DEFERRED,
        "{field} changed: a {kind} replaces none of its pods, only new ones are made of it.",
        "Delete pods that are to follow.",
    ),
    "restarted": ChangeKind(
        Effect.RECREATE,
        "{field} changed: the container stops, and starts again in the same Pod.",
        pods=False,
    ),
    "job-stopped": ChangeKind(
        Effect.DELETE, "The Job `{name}` is suspended: its pods are deleted until it goes on."
    ),
    "job-resumed": ChangeKind(Effect.RUNS, "The Job `{name}` is no longer suspended: it runs."),
    "strategy-kept": ChangeKind(
        Effect.REFUSED,
        "The API server rejects the object: `{strategy}.rollingUpdate`, which it added itself, "
        "stays beside the new type, and does not go with it.",
        "Change `{strategy}` in the cluster first: with `kubectl edit {resource} {name}` set the "
        "type to {type}, and delete `rollingUpdate`.",
    ),
}


def _waits_for_deletion(situation: Situation) -> bool:
    return new_value(situation, "spec", "updateStrategy", "type") == "OnDelete"


def _is_paused(situation: Situation) -> bool:
    return new_value(situation, "spec", "paused") is True


def _is_changed(situation: Situation) -> bool:
    """Whether something else is stored; to write a default changes nothing."""
    return bool(situation.differences)


def _is_suspended(situation: Situation) -> bool:
    return new_value(situation, "spec", "suspend") is True


#: By kind: the strategy, the type that has no settings of the other one, and these.
_STRATEGIES = {
    "Deployment": ("strategy", "Recreate", frozenset(("maxSurge", "maxUnavailable"))),
    "StatefulSet": ("updateStrategy", "OnDelete", frozenset(("partition",))),
}


def _keeps_strategy(situation: Situation) -> bool:
    """Whether defaults of the former type are left, because Git never had them."""
    strategy, type_, defaults = _STRATEGIES[situation.kind]
    sides = [read(situation, "spec", strategy, "type") for read in (old_value, new_value)]
    given = old_value(situation, "spec", strategy, "rollingUpdate")
    is_known = isinstance(given, dict) and defaults <= given.keys()
    return sides[0] != type_ == sides[1] and not is_known


def _strategy_words(situation: Situation) -> Mapping[str, str]:
    strategy, type_, _ = _STRATEGIES[situation.kind]
    return {"strategy": strategy, "type": type_, "resource": situation.kind.lower()}


def workload_rows() -> tuple[Row, ...]:
    return (
        *(
            Row(
                "strategy-kept",
                ("spec", row[0]),
                of=kind,
                when=_keeps_strategy,
                words=_strategy_words,
            )
            for kind, row in _STRATEGIES.items()
        ),
        Row("pods-paused", _TEMPLATE, of="Deployment", when=all_of(_is_paused, _is_changed)),
        *(
            Row("pods-left", _TEMPLATE, of=kind, when=all_of(_waits_for_deletion, _is_changed))
            for kind in ("DaemonSet", "StatefulSet")
        ),
        *(
            Row("pods-stay", _TEMPLATE, of=kind, when=_is_changed)
            for kind in ("ReplicaSet", "ReplicationController")
        ),
        *(
            Row("restarted", ("spec", key, ANY, "image"), of="Pod", when=_is_changed)
            for key in ("containers", "initContainers")
        ),
        Row("object-in-place", ("spec",), of="Pod"),
        Row("job-stopped", ("spec", "suspend"), of="Job", when=_is_suspended),
        Row("job-resumed", ("spec", "suspend"), of="Job"),
        Row("object-in-place", _TEMPLATE, of="Job"),
    )
