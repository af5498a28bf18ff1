"""The status of a serving, in the words of Kuscia's Serving API."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.derived_objects import PREFIX
from renderer.backends.kuscia.settings import owners
from renderer.backends.kuscia.status.copies import GROUP, KIND, NAMESPACE
from renderer.backends.kuscia.status.derived import OwnParty, own_parties, ports_missing, stale
from renderer.backends.kuscia.status.parties import (
    FAILURES,
    RETRIED,
    STATES,
    SUMMARY,
    PartyStatus,
    party_statuses,
    state_of,
    unit_status,
)
from renderer.backends.kuscia.status.response import query_response
from renderer.text.wording import listed
from renderer.values.derivations import Applied
from renderer.values.live import NOTHING_LIVE, Query
from renderer.values.statuses import Health, ObjectStatus, ObservedObject

_VERSION = f"{GROUP}/v1alpha1"
_MADE_BY = f"{PREFIX}controller={KIND}"
_MADE = (("apps/v1", "Deployment"), ("v1", "Service"), ("v1", "ConfigMap"))
_NOT_FOLLOWED = (
    "Kuscia does not say that an update failed, and some edits it never takes over: `diff` says "
    "which, and what to do"
)
_NOT_RETRIED = (
    "Kuscia does not try again by itself: mend the cause, then touch the object; if a partner's "
    "control plane failed, touch the copy there"
)
_TRIES_AGAIN = (
    "Kuscia tries again by itself: mend the cause, often a Domain that is missing or an update "
    "that the API server refuses, and wait"
)
_TOUCH = "kubectl annotate --overwrite -n {} kusciadeployment {} touched=$(date +%s)"


def related(applied: Applied, destination: str) -> Iterator[Query]:
    """What Kuscia made for the parties of our own domains, copies and what partners report."""
    owned = owners(applied.environment)
    for party in elements(applied.tree, "spec", "parties"):
        domain = text(party, "domainID")
        places = [item.name for item in owned.get(domain, ())]
        if destination not in places:
            yield Query(destination, _VERSION, SUMMARY, domain, required=False)
        for place in places:
            yield Query(place, _VERSION, KIND, NAMESPACE, required=False)
            for version, kind in _MADE:
                yield Query(place, version, kind, domain, _MADE_BY, required=False)


def status(observed: ObservedObject) -> ObjectStatus:
    """What Kuscia says, and where what it made is not what it should have made."""
    tree = observed.object.tree
    state = state_of(text(tree, "status", "phase"))
    reason, message = text(tree, "status", "reason"), text(tree, "status", "message")
    parties = list(party_statuses(observed))
    own = list(own_parties(observed))
    differences = tuple(item for party in own for item in stale(party))
    health = Health.FAILED if reason in FAILURES else STATES.get(state, Health.UNKNOWN)
    notes = [
        *_advice(observed, reason if health is Health.FAILED else "", parties),
        *([_NOT_FOLLOWED] if differences and health is not Health.FAILED else ()),
        *_missing_numbers(own),
    ]
    return ObjectStatus(
        "Failed" if health is Health.FAILED else state,
        health,
        reason,
        message,
        text(tree, "metadata", "creationTimestamp"),
        units=tuple(map(unit_status, parties)),
        differences=differences,
        notes=tuple(notes),
        response=query_response(observed.object, state, reason, message, parties),
        sums_up_units=True,
        written=text(tree, "status", "lastReconcileTime"),
    )


def _missing_numbers(own: Sequence[OwnParty]) -> Iterator[str]:
    return filter(None, map(ports_missing, own))


def _advice(observed: ObservedObject, reason: str, parties: Sequence[PartyStatus]) -> Iterator[str]:
    """What to do about a failure, here or at a partner's control plane."""
    failed = {item.cause.copy_at: item.cause.reason for item in parties if item.cause.copy_at}
    for place, why in failed.items():
        yield _TRIES_AGAIN if why == RETRIED else _remedy(observed, place)
    places = dict.fromkeys(item.destination for item in parties if item.destination)
    for place in places:
        if place not in (*failed, observed.destination):
            yield from _hidden_failure(observed, place)
    if reason and not failed:
        yield _TRIES_AGAIN if reason == RETRIED else _NOT_RETRIED


def _remedy(observed: ObservedObject, place: str) -> str:
    """How a copy is mended that failed; where the object itself is does not matter (observed)."""
    absent = _absent_images(observed, place)
    first = f"apply the AppImage {listed(absent)} at {place}, then " if absent else ""
    return (
        f"Kuscia failed at {place} and does not try again: {first}touch the copy there "
        f"({_touch(observed)}); to touch the object at {observed.destination} does not help. "
        "AppImages must be at every control plane before the KusciaDeployment is applied"
    )


def _hidden_failure(observed: ObservedObject, place: str) -> Iterator[str]:
    """A copy says Available although it cannot be updated (observed)."""
    if absent := _absent_images(observed, place):
        yield (
            f"{place} does not have the AppImage {listed(absent)}: Kuscia fails at each update "
            f"there and does not say so; apply it, then touch the copy there ({_touch(observed)})"
        )


def _absent_images(observed: ObservedObject, place: str) -> list[str]:
    here = observed.live.get(place, NOTHING_LIVE)
    if "AppImage" in here.unread:
        return []
    parties = elements(observed.object.tree, "spec", "parties")
    names = dict.fromkeys(text(party, "appImageRef") for party in parties)
    return [name for name in names if not here.find("AppImage", "", name, GROUP)]


def _touch(observed: ObservedObject) -> str:
    return _TOUCH.format(NAMESPACE, observed.object.name)
