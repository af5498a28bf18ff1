"""The status of a serving, in the words of Kuscia's Serving API."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.derived_objects import PREFIX
from renderer.backends.kuscia.settings import owners
from renderer.backends.kuscia.status.copies import GROUP, KIND, NAMESPACE
from renderer.backends.kuscia.status.derived import OwnParty, own_parties, ports_missing, stale
from renderer.backends.kuscia.status.parties import STATES, party_statuses, state_of, unit_status
from renderer.backends.kuscia.status.response import query_response
from renderer.values.derivations import Applied
from renderer.values.live import Query
from renderer.values.statuses import Health, LiveDifference, ObjectStatus, ObservedObject

_MADE_BY = f"{PREFIX}controller={KIND}"
_MADE = (("apps/v1", "Deployment"), ("v1", "Service"), ("v1", "ConfigMap"))
#: Reasons with which Kuscia gives up; beside them, a phase is left over from before.
_FAILURES = frozenset(
    (
        "ValidateFailed",
        "BuildPartyKitInfoFailed",
        "GetSelfPartyKitInfoFailed",
        "AllocatePortsFailed",
        "FillPartyClusterDefinesFailed",
        "CreateServiceFailed",
        "CreateConfigMapFailed",
        "CreateDeploymentFailed",
        "RetryProcessingFailed",
    )
)
_NOT_FOLLOWED = (
    "what runs is not what the KusciaDeployment says, although it is {}: Kuscia hides failed "
    "updates, and does not take over everything"
)
_NOT_RETRIED = "Kuscia does not try again by itself: mend the cause, then touch the object"


def related(applied: Applied, _destination: str) -> Iterator[Query]:
    """What Kuscia made for the parties of our own domains, and copies at their control planes."""
    owned = owners(applied.environment)
    for party in elements(applied.tree, "spec", "parties"):
        domain = text(party, "domainID")
        for place in owned.get(domain, ()):
            yield Query(place.name, f"{GROUP}/v1alpha1", KIND, NAMESPACE, required=False)
            for version, kind in _MADE:
                yield Query(place.name, version, kind, domain, _MADE_BY, required=False)


def status(observed: ObservedObject) -> ObjectStatus:
    """What Kuscia says, checked against what it should have made."""
    tree = observed.object.tree
    state = state_of(text(tree, "status", "phase"))
    reason, message = text(tree, "status", "reason"), text(tree, "status", "message")
    parties = list(party_statuses(observed))
    own = list(own_parties(observed)) if _is_looked_into(observed) else []
    differences = tuple(item for party in own for item in stale(party))
    health = Health.FAILED if reason in _FAILURES else STATES.get(state, Health.UNKNOWN)
    return ObjectStatus(
        state,
        health,
        reason,
        message,
        text(tree, "metadata", "creationTimestamp"),
        units=tuple(map(unit_status, parties)),
        differences=differences,
        notes=tuple(_notes(state, health, own, differences)),
        response=query_response(observed.object, state, reason, message, parties),
    )


def _is_looked_into(observed: ObservedObject) -> bool:
    """Whether Kuscia got as far as to make something; else its status says why not."""
    return bool(observed.object.tree.get("status", "partyDeploymentStatuses"))


def _notes(
    state: str, health: Health, own: Sequence[OwnParty], differences: Sequence[LiveDifference]
) -> Iterator[str]:
    if health is Health.FAILED:
        yield _NOT_RETRIED
    elif differences:
        yield _NOT_FOLLOWED.format(state)
    yield from filter(None, map(ports_missing, own))
