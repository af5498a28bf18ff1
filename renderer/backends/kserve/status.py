"""How an InferenceService fares: its conditions, its model, and the pods of its components."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import elements, plain, text
from renderer.backends.kserve.derive.service_plan import applied_mode
from renderer.backends.kserve.dialect import KNATIVE
from renderer.kubernetes.status import NO_CONDITION, READS, Condition, conditions
from renderer.values.derivations import Applied, DerivedUnit
from renderer.values.live import LiveObject, Query
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import Health, ObjectStatus, ObservedObject, UnitStatus
from renderer.values.tree import Node, constant

_OWNER = "serving.kserve.io/inferenceservice"
_KNATIVE = "serving.knative.dev"
_REVISION = f"{_KNATIVE}/revision"
_BROKEN = ("InvalidSpec", "BlockedByFailedLoad")
_FAILED = "ReconcileFailed"
_NOTHING = constant({}, "not in the status")


def related(applied: Applied, destination: str) -> Iterator[Query]:
    """The Deployments of all services in the namespace; those of Knative have the label as well.

    In Knative mode also its Services, which notice first that a revision fails.
    """
    namespace = text(applied.tree, "metadata", "namespace")
    kinds = [("apps/v1", "Deployment")]
    if applied_mode(applied) == KNATIVE:
        kinds.append((f"{_KNATIVE}/v1", "Service"))
    for version, kind in kinds:
        yield Query(destination, version, kind, namespace, _OWNER, required=False, reads=READS)


def workloads(observed: ObservedObject, unit: DerivedUnit) -> list[LiveObject] | None:
    """What runs a component: its Deployments, and in Knative mode the Service that makes them."""
    here = observed.here
    service = _knative_service(observed, unit)
    if "Deployment" in here.unread:
        return [service] if service else None
    found = [*_deployments(observed, unit)]
    if service is None:
        return found
    in_use = _revisions_in_use(service)
    return [service, *(item for item in found if item.label(_REVISION) in in_use)]


def _deployments(observed: ObservedObject, unit: DerivedUnit) -> Iterator[LiveObject]:
    """By the label of the component; canaries are known by their names as well."""
    found = observed.object
    kind = unit.unit.partition("/")[0]
    names = {item.objects[0].name: item.unit for item in observed.derivation.units if item.objects}
    own = observed.here.objects_with_label("Deployment", found.namespace, _OWNER, found.name)
    for item in own:
        # A name that no unit has is no canary's: those of Knative have the names of revisions.
        if item.label("component") == kind and names.get(item.name, kind) == unit.unit:
            yield item


def _knative_service(observed: ObservedObject, unit: DerivedUnit) -> LiveObject | None:
    wanted = next((item for item in unit.objects if item.group == _KNATIVE), None)
    return (
        observed.here.find("Service", wanted.namespace, wanted.name, _KNATIVE) if wanted else None
    )


def _revisions_in_use(service: LiveObject) -> set[str]:
    """Those with traffic and the newest; others may have failed long ago, and stay."""
    traffic = elements(service.tree, "status", "traffic")
    latest = text(service.tree, "status", "latestCreatedRevisionName")
    return {latest, *(text(item, "revisionName") for item in traffic)}


class _Service(NamedTuple):
    """A live service and what it says of itself."""

    object: LiveObject
    conditions: Mapping[str, Condition]

    @property
    def tree(self) -> Node:
        return self.object.tree

    @property
    def ready(self) -> Condition:
        return self.conditions.get("Ready", NO_CONDITION)

    @property
    def transition(self) -> str:
        return text(self.tree, "status", "modelStatus", "transitionStatus")

    @property
    def is_stopped(self) -> bool:
        return self.conditions.get("Stopped", NO_CONDITION).is_true

    @property
    def failure(self) -> tuple[str, str]:
        """Why it cannot become ready, as the model or the first condition says."""
        model = self.tree.get("status", "modelStatus", "lastFailureInfo") or _NOTHING
        if self.transition in _BROKEN and model.items:
            return text(model, "reason"), text(model, "message")
        return self.ready.reason, self.ready.message

    @property
    def is_rolling(self) -> bool:
        """Whether a newer revision is not there yet."""
        parts = self.tree.get("status", "components") or _NOTHING
        return any(
            text(part, "latestCreatedRevision") != text(part, "latestReadyRevision")
            for part in parts.items.values()
        )

    @property
    def health(self) -> Health:
        if not self.conditions:
            return Health.PROGRESSING
        if self.is_stopped:
            return Health.SUSPENDED
        if self.transition in _BROKEN or self.ready.reason == _FAILED:
            return Health.FAILED
        is_ready = self.ready.is_true and not self.is_rolling
        return Health.READY if is_ready else Health.PROGRESSING


def status(observed: ObservedObject) -> ObjectStatus:
    """What KServe says of a service; its observedGeneration is that of something else."""
    found = observed.object
    service = _Service(found, conditions(found.tree))
    reason, message = ("", "") if service.health is Health.READY else service.failure
    addresses = (text(found.tree, "status", "url"), text(found.tree, "status", "address", "url"))
    return ObjectStatus(
        _state(service),
        service.health,
        reason,
        message,
        service.ready.since,
        tuple(filter(None, addresses)),
        tuple(_units(service, observed)),
        response=plain(found.tree, "status"),
    )


def _state(service: _Service) -> str:
    """The condition in a word, as nobody else has one."""
    if not service.conditions:
        return "no status yet"
    if service.is_stopped:
        return "Stopped"
    if service.transition in _BROKEN:
        return service.transition
    return {"True": "Ready", "False": "not Ready"}.get(service.ready.status, "Ready unknown")


def _units(service: _Service, observed: ObservedObject) -> Iterator[UnitStatus]:
    """The components that KServe makes, and what it says of each."""
    for unit in observed.derivation.units:
        ready = _condition(service, unit.unit)
        yield UnitStatus(
            unit.unit,
            unit.destination,
            {"True": "Ready", "False": "not Ready"}.get(ready.status, "unknown"),
            _unit_health(service, ready),
            endpoints=tuple(_addresses(service, unit.unit)),
            reason="" if ready.is_true else ready.reason,
            message="" if ready.is_true else ready.message,
            since=ready.since,
        )


def _condition(service: _Service, unit: str) -> Condition:
    kind, _, canary = unit.partition("/")
    if not canary:
        return service.conditions.get(f"{kind.capitalize()}Ready", NO_CONDITION)
    for item in elements(service.tree, "status", "canaryStatuses"):
        if text(item, "name") == canary:
            ready = item.get("ready")
            return Condition("True" if ready and ready.value is True else "False")
    return NO_CONDITION


def _unit_health(service: _Service, ready: Condition) -> Health:
    if ready.is_true:
        return Health.READY
    if ready.reason == _FAILED:
        return Health.FAILED
    return Health.SUSPENDED if service.is_stopped else Health.PROGRESSING


def _addresses(service: _Service, unit: str) -> Iterator[str]:
    part = service.tree.get("status", "components", unit) or _NOTHING
    yield from filter(None, (text(part, "url"), text(part, "address", "url")))
