"""From an AppImage to the parties that run of it, in the control plane that it changes in."""

from collections.abc import Iterator

from renderer.backends.kuscia.impact import images
from renderer.backends.kuscia.impact.differences import ANY, Difference, plain
from renderer.backends.kuscia.impact.references import broken_kit, side_of
from renderer.backends.kuscia.impact.refusals import refusal
from renderer.backends.kuscia.impact.rows import ROWS
from renderer.backends.kuscia.impact.telling import Caused, tell
from renderer.backends.kuscia.running import (
    IMAGE,
    Deployment,
    Party,
    below,
    cluster,
    deployments,
    template_of,
)
from renderer.backends.kuscia.serving import text
from renderer.values.changes import Effect, ObjectChange, State

_ROLES = ("spec", "deployTemplates", ANY, "role")


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[Caused]:
    """What an AppImage's change does in its control plane to parties that are not new."""
    for new in deployments(after, change.environment, before):
        if old := _before(new, before, after):
            yield from _on_parties(old, new, change)
            yield from _on_left(old, new, change)


def _on_parties(old: Deployment, new: Deployment, change: ObjectChange) -> Iterator[Caused]:
    """What it does to the parties that stay: to those here, as far as any of them refers to it."""
    reason = refusal(change.after) if change.after else ""
    place = cluster(new.environment, change.destination)
    here = tuple(party for party in new.parties if new.plane(party.domain) == place)
    for party in new.parties if here else ():
        if not _refers(party, old, change):
            continue
        if reason:
            words = {"kind": IMAGE, "reason": reason}
            yield from tell(Difference("refused", (), here, words), new, ())
        elif party in here and _has_moved(party, old, new):
            yield from _moved(party, old, new)
        elif party in here:
            for difference in _of_party(party, old, new, change):
                wide = _is_wide(difference)
                told = difference._replace(parties=here) if wide else difference
                yield from tell(told, new, change.changes)
        elif failure := _partner_kit(party, change):
            yield from tell(failure._replace(parties=here), new, change.changes)


def _on_left(old: Deployment, new: Deployment, change: ObjectChange) -> Iterator[Caused]:
    """What its end means for parties that are gone from the deployment, but go on running."""
    if change.before is None or change.after:
        return
    place = cluster(old.environment, change.destination)
    name = text(change.before.tree, "metadata", "name")
    for party in old.parties:
        here = old.plane(party.domain) == place
        if here and party.image == name and party.unit not in new.units:
            words = {"image": name, "party": party.unit}
            yield from tell(Difference("image-deleted-left", (), (party,), words), old, ())


def _has_moved(party: Party, old: Deployment, new: Deployment) -> bool:
    """Whether the party's domain is of another control plane of ours now."""
    known = old.place(party.domain) and new.place(party.domain)
    return bool(known) and old.plane(party.domain) != new.plane(party.domain)


def _moved(party: Party, old: Deployment, new: Deployment) -> Iterator[Caused]:
    """A party that is made anew in one control plane, and left behind in another."""
    places = {"before": old.place(party.domain), "after": new.place(party.domain)}
    words = {"domain": party.domain, "party": party.unit, **places}
    yield from tell(Difference("domain-came", (), (party,), words), new, ())
    yield from tell(Difference("domain-left", (), (party,), words), old, ())


def _before(new: Deployment, before: State, after: State) -> Deployment | None:
    path = new.manifest.path
    found = next((item for item in below(before, path) if item.path == path), None)
    return Deployment.of(found, before, after) if found else None


def _refers(party: Party, old: Deployment, change: ObjectChange) -> bool:
    """Whether a party that there was already follows the AppImage from its old to its new state."""
    former = old.units.get(party.unit)
    names = [text(item.tree, "metadata", "name") for item in (change.before, change.after) if item]
    return bool(former and former.image == names[0] and party.image == names[-1])


def _of_party(
    party: Party, old: Deployment, new: Deployment, change: ObjectChange
) -> Iterator[Difference]:
    """What a party's own AppImage does to it."""
    now = change.is_renamed or _is_touched(party, old, new)
    words = {"image": party.image}
    if change.before is None:
        yield Difference("image-created-now" if now else "image-created", (), (party,), words)
        return
    if change.after is None:
        yield Difference("image-deleted", (), (party,), words)
        return
    former = side_of(old.units[party.unit], old)
    present = side_of(party, new)
    failure = broken_kit(party, new, _ROLES)
    if failure:
        yield failure
    elif former and present:
        yield from images.differences(former, present, now=now)


def _is_touched(party: Party, old: Deployment, new: Deployment) -> bool:
    """Whether the party's Kuscia looks at the deployment; partners are sent its spec, no more."""
    if new.plane(party.domain) == new.home:
        return old.manifest.text != new.manifest.text
    former, present = (plain(side.manifest.tree.get("spec")) for side in (old, new))
    return former != present


def _partner_kit(party: Party, change: ObjectChange) -> Difference | None:
    """A partner's AppImage must be whole here too: Kuscia puts together every party's needs."""
    if change.after is None:
        return Difference("image-deleted", (), (), {"image": party.image})
    if template_of(change.after, party.role) is None:
        role = f"`{party.role}`" if party.role else "none"
        words = {"image": party.image, "role": role}
        return Difference("no-template", _ROLES, (), words)
    return None


def _is_wide(difference: Difference) -> bool:
    """Whether it stops the whole reconcile of a deployment, and so every party of it there."""
    return ROWS[difference.row].effect is Effect.BREAKS
