"""The parties of a serving as Kuscia's objects tell of them, with the addresses to call."""

import re
from collections.abc import Iterator, Mapping

from renderer.backends.fields import text
from renderer.backends.kuscia.derived_objects import DEPLOYMENT_NAME, PREFIX, deployment_name
from renderer.backends.kuscia.serving import rendered_parties
from renderer.backends.kuscia.settings import owners
from renderer.backends.kuscia.status.copies import GROUP, copy_at
from renderer.backends.kuscia.summaries import unit_name
from renderer.values.live import NOTHING_LIVE, LiveObject, LiveObjects
from renderer.values.named_tuple import NamedTuple
from renderer.values.statuses import Health, ObservedObject, UnitStatus
from renderer.values.tree import Node, constant

_SCOPE = f"{PREFIX}port-scope"
_NOTHING = constant({}, "not in the status")
STATES: Mapping[str, Health] = {
    "Pending": Health.PROGRESSING,
    "Progressing": Health.PROGRESSING,
    "PartialAvailable": Health.PROGRESSING,
    "Available": Health.READY,
    "Failed": Health.FAILED,
}
SUMMARY = "KusciaDeploymentSummary"
#: The reason of the only failure that Kuscia tries again by itself.
RETRIED = "RetryProcessingFailed"
#: Reasons with which Kuscia gives up; beside them, a phase is left over from before.
FAILURES = frozenset(
    (
        "ValidateFailed",
        "BuildPartyKitInfoFailed",
        "GetSelfPartyKitInfoFailed",
        "AllocatePortsFailed",
        "FillPartyClusterDefinesFailed",
        "CreateServiceFailed",
        "CreateConfigMapFailed",
        "CreateDeploymentFailed",
        RETRIED,
    )
)
#: What Kuscia says of a container, or of pods that it looked for in vain.
_OF_A_POD = re.compile(r"domainID: (?P<domain>[^,]+), reason: (?!kd's pods)(?P<reason>.+)")


def state_of(phase: str) -> str:
    """As the Serving API calls a phase."""
    return (phase if phase in STATES else "Unknown") if phase else "Pending"


class Endpoint(NamedTuple):
    """A port that others may call, and where."""

    port: str
    scope: str
    address: str


class Cause(NamedTuple):
    """Why a party does not run, as far as Kuscia or its AppImages say so.

    With `copy_at` it failed at that control plane, which has a copy of the KusciaDeployment.
    """

    reason: str = ""
    message: str = ""
    is_failure: bool = False
    copy_at: str = ""


class PartyStatus(NamedTuple):
    """A party, what its control plane says of it, and its Services as far as they can be read."""

    domain: str
    role: str
    destination: str
    status: Node
    cause: Cause
    endpoints: tuple[Endpoint, ...]

    @property
    def state(self) -> str:
        return "Failed" if self.cause.is_failure else state_of(text(self.status, "phase"))

    def number(self, key: str) -> int | None:
        node = self.status.get(key)
        value = node.value if node else None
        return value if type(value) is int else None


def party_statuses(observed: ObservedObject) -> Iterator[PartyStatus]:
    """Those that the live object has, in its order."""
    found = observed.object
    owned = owners(observed.environment)
    problems = {unit.unit: unit.problem for unit in observed.derivation.units}
    for party in rendered_parties(found.tree, lambda _domain, _name: None):
        deployment = deployment_name(found.name, party.role)
        path = ("status", "partyDeploymentStatuses", party.domain, deployment)
        places = owned.get(party.domain, ())
        destination = places[0].name if places else ""
        here = observed.live.get(destination, NOTHING_LIVE)
        copy = copy_at(observed, [item.name for item in places])
        summary = observed.here.find(SUMMARY, party.domain, found.name, GROUP)
        reporters = [item for item in (copy, found, summary) if item]
        status = next(filter(None, (item.tree.get(*path) for item in reporters)), _NOTHING)
        cause = Cause("", problems.get(party.unit, ""), is_failure=True)
        if not cause.message:
            elsewhere = copy if copy and copy is not found else None if status.items else summary
            cause = _cause(party.domain, found, elsewhere, destination)
        addresses = tuple(_endpoints(here, party.domain, deployment))
        yield PartyStatus(party.domain, party.role, destination, status, cause, addresses)


def _cause(domain: str, found: LiveObject, elsewhere: LiveObject | None, destination: str) -> Cause:
    """A failure where the party runs, or the reason of one of its pods."""
    if elsewhere:
        reason, message = failure(elsewhere)
        if reason:
            return Cause(reason, message, is_failure=True, copy_at=destination)
    for item in filter(None, (elsewhere, found)):
        match = _OF_A_POD.match(text(item.tree, "status", "reason"))
        if match and match["domain"] == domain:
            return Cause(match["reason"], text(item.tree, "status", "message"))
    return Cause()


def failure(item: LiveObject) -> tuple[str, str]:
    """The reason and message with which Kuscia gave up, if it did."""
    phase, reason, message = (
        text(item.tree, "status", key) for key in ("phase", "reason", "message")
    )
    is_failure = phase == "Failed" or reason in FAILURES
    return (reason or phase, message) if is_failure else ("", "")


def _endpoints(here: LiveObjects, domain: str, deployment: str) -> Iterator[Endpoint]:
    """By the Services of a party: through the gateway for those of the scope Cluster."""
    for service in here.objects_with_label("Service", domain, DEPLOYMENT_NAME, deployment):
        scope, host = service.label(_SCOPE), f"{service.name}.{domain}.svc"
        port, number = _port(service)
        yield Endpoint(port, scope, host if scope == "Cluster" else f"{host}:{number}")


def _port(service: LiveObject) -> tuple[str, str]:
    first = service.tree.get("spec", "ports", 0) or _NOTHING
    return text(first, "name"), text(first, "port")


def unit_status(party: PartyStatus) -> UnitStatus:
    """A party as a unit; of a partner that tells nothing, nothing is known."""
    is_reported, is_ours = bool(party.status.items or party.cause.reason), bool(party.destination)
    unit = unit_name(party.domain, party.role)
    if not is_reported and not is_ours:
        return UnitStatus(unit, "", "not visible here", Health.UNKNOWN, message=_ELSEWHERE)
    return UnitStatus(
        unit,
        party.destination,
        party.state,
        STATES.get(party.state, Health.UNKNOWN),
        party.number("availableReplicas"),
        party.number("replicas"),
        tuple(item.address for item in party.endpoints),
        party.cause.reason,
        party.cause.message,
        text(party.status, "creationTimestamp"),
    )


_ELSEWHERE = "it runs at a partner's control plane"
