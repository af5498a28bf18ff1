"""How KServe follows edits of LLM services: a table from edits to kinds of change."""

from collections.abc import Mapping

from renderer.backends.kserve.llm.derive.plan import PART_OF
from renderer.backends.kserve.llm.service import LLM_CONFIG
from renderer.backends.kserve.settings import KServeSettings
from renderer.derive.behaviour import (
    ANY,
    Behaviour,
    ChangeKind,
    Row,
    Setting,
    Situation,
    all_of,
)
from renderer.values.changes import Effect, How
from renderer.values.derivations import DerivedObject, DerivedUnit

_TEMPLATE = ("spec", "template")
_GROUPS = ("spec", "leaderWorkerTemplate")
_WORKLOADS, _ROUTE = ("Deployment", "LeaderWorkerSet"), "HTTPRoute"
_SCHEDULER = ("spec", "router", "scheduler")

_KINDS: Mapping[str, ChangeKind] = {
    "number-kept": ChangeKind(
        Effect.IGNORED,
        "`replicas` is gone, and `{workload}` keeps the number of pods that it has.",
        "Write the number that you want.",
    ),
    "config-kept": ChangeKind(
        Effect.IGNORED,
        "{field} changed, and the scheduler keeps the configuration that it has: KServe writes "
        "another one only where the service says it.",
        "Write the configuration in `scheduler.config.inline`.",
    ),
    "rest-kept": ChangeKind(
        Effect.IGNORED,
        "{field} is gone, and stays on `{workload}` and its pods until something else of them "
        "changes.",
    ),
    "route-kept": ChangeKind(
        Effect.IGNORED,
        "{field} says less than before, and the HTTPRoute of the service keeps all that it has: "
        "KServe writes another one only where the service asks for more, or for something else.",
        "Take the route out of the service, and put it in again.",
    ),
    "map-unseen": ChangeKind(
        Effect.IGNORED,
        "{field} of the ConfigMap `{source}` changed, and KServe does not notice: the scheduler "
        "keeps the configuration that it has until something else of the service changes.",
        "Label the ConfigMap with `app.kubernetes.io/part-of: llminferenceservice`.",
    ),
    "moved-to-groups": ChangeKind(
        Effect.RECREATE,
        "{field} changed the shape of `{unit}`: KServe makes {objects} and deletes `{former}` "
        "at once; nobody answers until the new pods are ready.",
        "Add the service in its new shape under another name, and switch its callers.",
    ),
    "settings-rolling": ChangeKind(
        Effect.ROLLING,
        "What the environment says of KServe changed what the pods of `{workload}` are made of: "
        "KServe replaces those of every service of a cluster when it is changed, all at once.",
    ),
    "settings-restarts": ChangeKind(
        Effect.RECREATE,
        "What the environment says of KServe changed what the pods of `{workload}` are made of: "
        "all of them stop before new ones start, and requests are not divided meanwhile.",
    ),
    "config-rolling": ChangeKind(
        Effect.ROLLING,
        "{field} of the configuration `{source}` changed what the pods of `{workload}` are made "
        "of: KServe replaces those of every service that uses it, all services at once.",
    ),
}


def behaviour() -> Behaviour:
    """Of LLM services and of the configurations that they are laid over."""
    return Behaviour(_KINDS, _ROWS, _setting, _words, follows_settings=True)


def _setting(situation: Situation) -> Setting:
    version = str(KServeSettings.of(situation.applied.environment).dialect)
    return Setting("kserve", version, "LLMInferenceService", situation.unit)


def _words(situation: Situation) -> Mapping[str, str]:
    sides = (situation.new_unit, situation.old_unit)
    names = [f"{item.kind} `{item.name}`" if item else "" for item in map(_workload, sides)]
    new, old = map(_workload, sides)
    found = new or old
    words = {"former": old.name if old else ""}
    if found:
        words |= {"workload": found.name, "objects": f"the {names[0] or names[1]}"}
    return words


def _workload(unit: DerivedUnit | None) -> DerivedObject | None:
    return unit.objects[0] if unit and unit.objects else None


def _rolls(situation: Situation) -> bool:
    """Whether pods are replaced one by one; those of a scheduler all stop first."""
    unit = situation.new_unit
    return unit is not None and not any(pods.stop_first for pods in unit.pods)


def _changes_shape(situation: Situation) -> bool:
    """Whether pods on one node become groups over several, or the other way round."""
    old, new = _workload(situation.old_unit), _workload(situation.new_unit)
    return old is not None and new is not None and old.kind != new.kind


def _has_new_problem(situation: Situation) -> bool:
    """Whether KServe fails from now on, which is said of the problem itself."""
    return any(item not in situation.former.problems for item in situation.present.problems)


def _has_no_difference(situation: Situation) -> bool:
    return not situation.differences


def _is_same(situation: Situation) -> bool:
    """Whether nothing of the object changed, but what the environment says of its clusters."""
    return situation.change is None and situation.before is not None


def _is_removed(situation: Situation) -> bool:
    change = situation.change
    return change is not None and change.how is How.REMOVED


def _has_no_scaling(situation: Situation) -> bool:
    """Whether nothing else says how many pods there are."""
    after = situation.after
    return after is not None and after.tree.get(*situation.path[:-1], "scaling") is None


def _has_route(situation: Situation) -> bool:
    """Whether KServe made a route before, and still does."""
    sides = (situation.old_unit, situation.new_unit)
    return all(side and any(item.kind == _ROUTE for item in side.objects) for side in sides)


def _is_unseen(situation: Situation) -> bool:
    """Whether the ConfigMap lacks the label of those that KServe watches."""
    tree = situation.edited.manifest.tree
    key, label = next(iter(PART_OF.items()))
    return tree.text_at("metadata", "labels", key) != label


def _runs(situation: Situation) -> bool:
    return _workload(situation.new_unit) is not None and not situation.present.problems


_STAYS = all_of(_has_no_difference, _runs)
_KEPT = all_of(_STAYS, _is_removed)
_NUMBER_KEPT = all_of(_KEPT, _has_no_scaling)
_ROUTE_KEPT = all_of(_STAYS, _has_route)
_ROWS = (
    Row("", of=ANY, when=_has_new_problem),
    *(
        Row("moved-to-groups", of=kind, made=made, how=How.ADDED, when=_changes_shape)
        for kind in ("", LLM_CONFIG)
        for made in _WORKLOADS
    ),
    Row("", of=ANY, when=_changes_shape),
    Row("settings-rolling", made="LeaderWorkerSet", where=_GROUPS, when=_is_same),
    Row("settings-rolling", made="Deployment", where=_TEMPLATE, when=all_of(_is_same, _rolls)),
    Row("settings-restarts", made="Deployment", where=_TEMPLATE, when=_is_same),
    Row("map-unseen", of="ConfigMap", when=_is_unseen),
    Row("config-rolling", of=LLM_CONFIG, made="LeaderWorkerSet", where=_GROUPS),
    Row("config-rolling", of=LLM_CONFIG, made="Deployment", where=_TEMPLATE, when=_rolls),
    Row("number-kept", at=("spec", "replicas"), when=_NUMBER_KEPT),
    Row("number-kept", at=("spec", "prefill", "replicas"), when=_NUMBER_KEPT),
    Row("config-kept", at=(*_SCHEDULER, "config"), when=_KEPT),
    Row("route-kept", at=("spec", "router", "route", "http", "spec"), when=_ROUTE_KEPT),
    Row("route-kept", at=("spec", "router", "gateway", "refs"), when=_ROUTE_KEPT),
    *(
        Row("rest-kept", at=(*place, key), when=_KEPT)
        for place in (("metadata",), ("spec",), ("spec", "prefill"))
        for key in ("labels", "annotations")
    ),
)
