"""How KServe follows edits: a table from edits to kinds of change."""

from collections.abc import Iterator, Mapping

from renderer.backends.kserve import other_objects as objects
from renderer.backends.kserve import runtime_situations as runtime
from renderer.backends.kserve import situations as edit
from renderer.backends.kserve.change_kinds import CHANGE_KINDS
from renderer.backends.kserve.components import PREDICTOR
from renderer.backends.kserve.runtimes import RUNTIME_KINDS as RUNTIMES
from renderer.backends.kserve.settings import KServeSettings
from renderer.backends.kserve.situations import (
    KNATIVE_SERVICE,
    TEMPLATE,
    TRAFFIC,
    WORKLOADS,
)
from renderer.derive.behaviour import (
    ANY,
    Behaviour,
    Condition,
    Row,
    Setting,
    Situation,
    Stage,
    all_of,
    always,
    matches,
)
from renderer.values.changes import How

_NAME = ("spec", PREDICTOR, "name")
_VISIBILITY = ("metadata", "labels", "networking.knative.dev/visibility")


def behaviour() -> Behaviour:
    """Of InferenceServices and of the runtimes that they use."""
    return Behaviour(CHANGE_KINDS, _ROWS, _setting, _words)


def _setting(situation: Situation) -> Setting:
    applied = situation.applied
    version = str(KServeSettings.of(applied.environment).dialect)
    unit = "canary" if edit.is_canary(situation) else situation.unit
    return Setting("kserve", version, " ".join(edit.mode_words(situation)), unit)


def _words(situation: Situation) -> Mapping[str, str]:
    unit = next((u for u in (situation.new_unit, situation.old_unit) if u and u.objects), None)
    workload, former = (
        edit.unit_workload(unit),
        edit.unit_workload(edit.unit_named(situation.former, PREDICTOR)),
    )
    promotion = edit.promotion(situation)
    change = situation.change
    sides = (change.before, change.after) if change else (None, None)
    before, after = (str(edit.node_value(side)) for side in sides)
    words = {
        "stopped": edit.stopped_part(situation),
        "share": _share_text(situation),
        "share_before": before,
        "share_after": after,
        "former": former.name if former else "",
        "promoted": promotion[1].name if promotion else "",
    }
    if workload:
        kind = "Knative Service" if workload.group == "serving.knative.dev" else workload.kind
        words |= {"workload": workload.name, "objects": f"the {kind} `{workload.name}`"}
    return words


def _share_text(situation: Situation) -> str:
    """What part of the requests a new revision gets."""
    share = edit.revision_share(situation)
    if share is None:
        return "all requests go to it"
    if share == 0:
        return "it gets no requests: `canaryTrafficPercent` is 0"
    rest = "the one that was rolled out last, as the status has it, the rest"
    return f"it gets {share} % of the requests, {rest}"


def _runtime_rows(kind: str) -> Iterator[Row]:
    def row(name: str, when: Condition = always, made: str = "") -> Row:
        return Row(name, of=kind, made=made, where=TEMPLATE if made else (), when=when)

    yield row("runtime-refused", runtime.loses_workers)
    yield row("", runtime.names_another_runtime)
    yield row("runtime-frozen", edit.is_update_disabled)
    yield row("", edit.is_stopped_now)
    yield row("", edit.has_new_problem)
    yield row("", all_of(runtime.is_whole_object, edit.keeps_template))
    yield row("runtime-came", runtime.is_new_runtime)
    yield row("runtime-gone", runtime.is_whole_object)
    yield Row("still-broken", of=kind, when=edit.is_still_broken, words=edit.former_problem_words)
    yield row("runtime-enabled", all_of(runtime.is_enabled_again, edit.was_broken))
    yield Row("repaired", of=kind, when=edit.was_broken, words=edit.former_problem_words)
    yield row("runtime-later", all_of(runtime.keeps_spec, edit.changes_template))
    yield row("runtime-unused", runtime.is_not_about_pods)
    yield row("runtime-revision", made=KNATIVE_SERVICE)
    yield row("runtime-recreated", edit.stops_pods_first, made="Deployment")
    yield row("runtime-rolling", made="Deployment")
    yield row("runtime-unused")


_RUNTIME_ROWS = tuple(row for kind in RUNTIMES for row in _runtime_rows(kind))
#: In order: what holds for the whole service, for components that come and go, for fields.
_SERVICE_ROWS = (
    Row("", stage=Stage.CREATED, when=edit.is_stopped_now),
    Row("not-known", when=edit.is_model_mesh),
    Row("frozen", when=edit.is_update_disabled),
    Row("not-running", when=all_of(edit.is_stopped_now, edit.was_stopped)),
    Row("", when=edit.has_new_problem),
    Row("still-broken", when=edit.is_still_broken, words=edit.former_problem_words),
    Row("repaired", when=edit.was_broken, words=edit.former_problem_words),
    *(
        Row(
            "stopped",
            made=kind,
            how=How.REMOVED,
            when=edit.is_stopped_now,
            words=objects.companions,
        )
        for kind in WORKLOADS
    ),
    *(
        Row(
            "started",
            made=kind,
            how=How.ADDED,
            when=edit.was_stopped,
            words=objects.companions,
        )
        for kind in WORKLOADS
    ),
    Row("", when=objects.moves_entrance),
    # components
    Row("", when=all_of(edit.has_other_name, lambda item: not matches(_NAME, item.path))),
    Row(
        "autoscaler-left",
        when=objects.leaves_hpa,
        words=objects.left_object_words((edit.HPA_KIND,)),
        goes_on=True,
    ),
    Row(
        "scaled-object-left",
        when=objects.leaves_scaled_object,
        words=objects.left_object_words((edit.SCALED_OBJECT,)),
        goes_on=True,
    ),
    Row("object-deleted", when=objects.deletes_hpa, words=objects.number_words, goes_on=True),
    Row(
        "entrance-left",
        when=objects.leaves_entrance,
        words=objects.left_object_words(("Ingress",)),
        goes_on=True,
    ),
    Row("promoted", made="Deployment", when=edit.is_promoted),
    Row("promoted-changed", made="Deployment", when=edit.is_promoted_changed),
    Row("other-name-left", when=all_of(edit.has_other_name, edit.is_knative)),
    Row("other-name", when=edit.has_other_name),
    Row("canary-created", made="Deployment", how=How.ADDED, when=edit.is_canary),
    Row("canary-deleted", made="Deployment", how=How.REMOVED, when=edit.is_canary),
    *(
        Row("transformer-created", made=kind, how=How.ADDED, when=edit.is_transformer)
        for kind in WORKLOADS
    ),
    *(Row("left", made=kind, how=How.REMOVED, words=objects.left_parts) for kind in WORKLOADS),
    # fields
    Row(
        "hidden",
        made=KNATIVE_SERVICE,
        where=_VISIBILITY,
        when=objects.is_hidden,
        goes_on=True,
    ),
    Row("shown", made=KNATIVE_SERVICE, where=_VISIBILITY, when=objects.is_shown, goes_on=True),
    Row("rolling", at=("spec",), when=edit.has_workers),
    Row("adopted", made="Deployment", where=TEMPLATE, when=edit.adds_managed_label),
    Row("adopted-revision", made=KNATIVE_SERVICE, where=TEMPLATE, when=edit.adds_managed_label),
    Row("percent", at=TRAFFIC, when=edit.is_standard),
    Row("traffic-same", at=TRAFFIC, when=edit.keeps_share),
    Row("traffic-later", at=TRAFFIC, when=edit.splits_no_requests),
    Row("promoted-revision", at=TRAFFIC, when=edit.gets_share(None)),
    Row("rolled-back", at=TRAFFIC, when=edit.gets_share(0)),
    Row("traffic", at=TRAFFIC),
    Row(
        "canary-traffic", at=("spec", "canary", ANY, "trafficPercent"), when=edit.has_no_difference
    ),
    Row(
        "no-zero",
        when=all_of(
            edit.has_field("minReplicas"), edit.has_no_difference, edit.is_standard, edit.is_zero
        ),
    ),
    Row("unscaled", when=all_of(edit.has_no_difference, edit.is_unscaled)),
    Row(
        "timeout", when=all_of(edit.has_field("timeout"), edit.has_no_difference, edit.is_standard)
    ),
    Row(
        "concurrency",
        when=all_of(
            edit.has_field("containerConcurrency"), edit.has_no_difference, edit.is_standard
        ),
    ),
    Row("batcher-timeout", at=("spec", ANY, "batcher", "timeout"), when=edit.has_no_difference),
    Row("later-pods", made="Pod", where=("spec",), when=edit.keeps_template),
    Row("knative-service", made=KNATIVE_SERVICE, where=("metadata",), when=edit.keeps_template),
)
_ROWS = (*_RUNTIME_ROWS, *_SERVICE_ROWS)
