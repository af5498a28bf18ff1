"""How an LLMInferenceService fares: its conditions, its gateways, and the pods of its roles."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, plain, text, whole_number
from renderer.backends.kserve.llm.derive.plan import MAIN, SCHEDULER_UNIT
from renderer.backends.kserve.llm.service import PREFILL
from renderer.kubernetes.status import NO_CONDITION, READS, Condition, conditions
from renderer.values.derivations import Applied, DerivedUnit
from renderer.values.live import LiveObject, Query
from renderer.values.statuses import Health, ObjectStatus, ObservedObject, UnitStatus

_NAME = "app.kubernetes.io/name"
_KINDS = (("apps/v1", "Deployment"), ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"))
_LASTING = ("RefsInvalid", "ScalingCRDNotFound", "ProgressDeadlineExceeded")
_ASIDE = ("GroupReady", "GroupDegraded", "OciImageVolumeCompatible")
_STOPPED, _COMBINED = "Stopped", "PresetsCombined"
#: How the status calls the roles, and where each says how many pods it wants.
_ROLES = (("primary", ("spec",)), ("prefill", ("spec", "prefill")))
#: The conditions of a role: on a node each, then in groups.
_CONDITIONS = {
    MAIN: ("MainWorkloadReady", "WorkerWorkloadReady"),
    PREFILL: ("PrefillWorkloadReady", "PrefillWorkerWorkloadReady"),
    SCHEDULER_UNIT: ("SchedulerWorkloadReady",),
}


def related(applied: Applied, destination: str) -> Iterator[Query]:
    """The workloads of all services in the namespace, by the label that names the service."""
    for version, kind in _KINDS:
        where = applied.namespace
        yield Query(destination, version, kind, where, _NAME, required=False, reads=READS)


def workloads(observed: ObservedObject, unit: DerivedUnit) -> list[LiveObject] | None:
    """What runs a role: the Deployment or LeaderWorkerSet that KServe makes for it."""
    wanted = unit.objects[0] if unit.objects else None
    if wanted is None:
        return []
    if wanted.kind in observed.here.unread:
        return None
    found = observed.here.find(wanted.kind, wanted.namespace, wanted.name, wanted.group)
    return [found] if found else []


def status(observed: ObservedObject) -> ObjectStatus:
    """What KServe says of a service; its observedGeneration is its own."""
    found = observed.object
    known = conditions(found.tree)
    health, worst = _health(found, known)
    ready = known.get("Ready", NO_CONDITION)
    is_ready = health is Health.READY
    listed = [text(item, "url") for item in elements(found.tree, "status", "addresses")]
    addresses = dict.fromkeys([text(found.tree, "status", "url"), *listed])
    return ObjectStatus(
        _state(known, health),
        health,
        "" if is_ready else worst.reason,
        "" if is_ready else worst.message,
        ready.since,
        tuple(filter(None, addresses)),
        tuple(_units(observed, known)),
        response=plain(found.tree, "status"),
    )


def _health(found: LiveObject, known: Mapping[str, Condition]) -> tuple[Health, Condition]:
    """How it is, and the condition that says so."""
    ready, combined = known.get("Ready", NO_CONDITION), known.get(_COMBINED, NO_CONDITION)
    seen, newest = (
        whole_number(found.tree, *place)
        for place in (("status", "observedGeneration"), ("metadata", "generation"))
    )
    if not known or (None not in (seen, newest) and seen != newest):
        return Health.PROGRESSING, ready
    if ready.is_false and ready.reason == _STOPPED:
        return Health.SUSPENDED, ready
    for kind, item in known.items():
        is_lasting = item.reason.endswith("Error") or item.reason in _LASTING
        if item.status == "False" and kind not in _ASIDE and (kind == _COMBINED or is_lasting):
            return Health.FAILED, item
    is_ready = ready.is_true and combined.is_true and not _lacks_pods(found)
    return (Health.READY if is_ready else Health.PROGRESSING), ready


def _lacks_pods(found: LiveObject) -> bool:
    """Whether a role asks for pods by number, and none of them is ready."""
    for role, place in _ROLES:
        wanted = whole_number(found.tree, *place, "replicas") or 0
        listed = found.tree.get("status", "workloads", role)
        if wanted > 0 and listed and not whole_number(listed, "readyReplicas"):
            return True
    return False


def _state(known: Mapping[str, Condition], health: Health) -> str:
    if not known:
        return "no status yet"
    if health is Health.SUSPENDED:
        return _STOPPED
    if known.get(_COMBINED, NO_CONDITION).status == "False":
        return "no spec to run"
    ready = known.get("Ready", NO_CONDITION).status
    return {"True": "Ready", "False": "not Ready"}.get(ready, "Ready unknown")


def _units(observed: ObservedObject, known: Mapping[str, Condition]) -> Iterator[UnitStatus]:
    for unit in observed.derivation.units:
        found = (known[kind] for kind in _CONDITIONS[unit.unit] if kind in known)
        ready = next(found, NO_CONDITION)
        yield UnitStatus(
            unit.unit,
            unit.destination,
            {"True": "Ready", "False": "not Ready"}.get(ready.status, "unknown"),
            _unit_health(ready),
            reason="" if ready.is_true else ready.reason,
            message="" if ready.is_true else ready.message,
            since=ready.since,
        )


def _unit_health(ready: Condition) -> Health:
    if ready.is_true:
        return Health.READY
    if ready.reason == _STOPPED:
        return Health.SUSPENDED
    return Health.FAILED if ready.reason.endswith("Error") else Health.PROGRESSING
