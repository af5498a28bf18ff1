"""Parties that came, went or changed their order: ports and peers are settled at creation."""

from collections.abc import Iterator

from renderer.backends.kuscia.impact.differences import Difference, Place, item
from renderer.backends.kuscia.running import Deployment, Party

PARTIES = ("spec", "parties")


def place_of(*parties: Party) -> Place:
    """Where a party stands, which may have moved."""
    return (*PARTIES, item(parties[-1].unit, *(party.number for party in parties)))


def differences(before: Deployment, after: Deployment) -> Iterator[Difference]:
    """Parties that are on one side only, and the order of the others."""
    gone = [party for party in before.parties if party.unit not in after.units]
    for party in (party for party in after.parties if party.unit not in before.units):
        former = next((other for other in gone if _became(other, party)), None)
        yield from _added(former, party, before, after)
    for party in gone:
        yield Difference("party-removed", place_of(party), (party,), {"before": party.unit})
    yield from _reordered(before, after)


def _became(old: Party, new: Party) -> bool:
    """Whether one party was edited into the other: its role, or in its place its domain."""
    return old.domain == new.domain or (old.number == new.number and old.role == new.role)


def _added(
    former: Party | None, party: Party, before: Deployment, after: Deployment
) -> Iterator[Difference]:
    plane = after.plane(party.domain)
    known = any(before.plane(other.domain) == plane for other in before.parties)
    row = "party-added"
    if former:
        row = "party-role" if former.domain == party.domain else "party-domain"
    words = {"before": former.unit if former else "", "after": party.unit}
    if known:
        yield Difference(row, place_of(party), after.beside(party.domain), words)
    else:
        running = (other for other in after.parties if other.unit in before.units)
        reached = (party, *running)
        yield Difference("party-added-elsewhere", place_of(party), reached, words)


def _reordered(before: Deployment, after: Deployment) -> Iterator[Difference]:
    old = [unit for unit in before.units if unit in after.units]
    new = [unit for unit in after.units if unit in before.units]
    if old != new:
        running = tuple(after.units[unit] for unit in new)
        yield Difference("parties-reordered", PARTIES, running, order=True)
