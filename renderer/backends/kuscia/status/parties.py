"""The parties of a serving as Kuscia's status has them, with the addresses to call."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kuscia.derived_objects import DEPLOYMENT_NAME, PREFIX, deployment_name
from renderer.backends.kuscia.serving import rendered_parties
from renderer.backends.kuscia.settings import owners
from renderer.backends.kuscia.status.copies import copy_at
from renderer.backends.kuscia.summaries import unit_name
from renderer.values.live import NOTHING_LIVE, LiveObject, LiveObjects
from renderer.values.statuses import Health, ObservedObject, UnitStatus
from renderer.values.tree import Node, constant

_SCOPE = f"{PREFIX}port-scope"
_NOTHING = constant({}, "not told")
STATES: Mapping[str, Health] = {
    "Pending": Health.PROGRESSING,
    "Progressing": Health.PROGRESSING,
    "PartialAvailable": Health.PROGRESSING,
    "Available": Health.READY,
    "Failed": Health.FAILED,
}


def state_of(phase: str) -> str:
    """As the Serving API calls a phase."""
    return (phase if phase in STATES else "Unknown") if phase else "Pending"


class Endpoint(NamedTuple):
    """A port that others may call, and where."""

    port: str
    scope: str
    address: str


class PartyStatus(NamedTuple):
    """A party, what its control plane says of it, and its Services as far as they can be read."""

    domain: str
    role: str
    destination: str
    told: Node
    endpoints: tuple[Endpoint, ...]

    @property
    def state(self) -> str:
        return state_of(text(self.told, "phase"))

    def number(self, key: str) -> int | None:
        node = self.told.get(key)
        value = node.value if node else None
        return value if type(value) is int else None


def party_statuses(observed: ObservedObject) -> Iterator[PartyStatus]:
    """Those that the live object has, in its order."""
    tree = observed.object.tree
    owned = owners(observed.environment)
    for party in rendered_parties(tree, lambda _domain, _name: None):
        deployment = deployment_name(observed.object.name, party.role)
        path = ("status", "partyDeploymentStatuses", party.domain, deployment)
        places = owned.get(party.domain, ())
        destination = places[0].name if places else ""
        here = observed.live.get(destination, NOTHING_LIVE)
        addresses = tuple(_endpoints(here, party.domain, deployment))
        copy = copy_at(observed, [item.name for item in places])
        told = (copy and copy.tree.get(*path)) or tree.get(*path) or _NOTHING
        yield PartyStatus(party.domain, party.role, destination, told, addresses)


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
    is_told, is_ours = bool(party.told.items), bool(party.destination)
    unit = unit_name(party.domain, party.role)
    if not is_told and not is_ours:
        return UnitStatus(unit, "", "not visible here", Health.UNKNOWN, message=_ELSEWHERE)
    return UnitStatus(
        unit,
        party.destination,
        party.state,
        STATES.get(party.state, Health.UNKNOWN),
        party.number("availableReplicas"),
        party.number("replicas"),
        tuple(item.address for item in party.endpoints),
        since=text(party.told, "creationTimestamp"),
    )


_ELSEWHERE = "it runs at a partner's control plane"
