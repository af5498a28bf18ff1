"""From an AppImage to the parties that run of it, in the control plane that it changes in."""

from collections.abc import Iterator

from renderer.backends.fields import plain, text
from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.impact.app_image_differences import compare_images
from renderer.backends.kuscia.impact.deployment import (
    Deployment,
    cluster,
    find_deployments,
    rendered_image,
)
from renderer.backends.kuscia.impact.differences import (
    ANY,
    CausedImpact,
    Difference,
    distinct,
    find_impacts,
)
from renderer.backends.kuscia.impact.party_differences import (
    find_obstacle,
    side_of,
    without_template,
)
from renderer.backends.kuscia.impact.refusals import find_refusal
from renderer.backends.kuscia.serving import Party
from renderer.values.changes import ObjectChange, State

_ROLES = ("spec", "deployTemplates", ANY, "role")


@distinct
def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What an AppImage's change does in its control plane to parties that are not new."""
    names = {text(side.tree, "metadata", "name") for side in change.sides}
    for new in find_deployments(after, change.environment, before):
        old = _before(new, before, after)
        if old and any(p.image_name in names for p in (*old.parties, *new.parties)):
            yield from _on_parties(old, new, change)
            yield from _on_left(old, new, change)


def _on_parties(old: Deployment, new: Deployment, change: ObjectChange) -> Iterator[CausedImpact]:
    """What it does to the parties that stay: to those here, as far as any of them refers to it."""
    reason = find_refusal(change.after, new.state) if change.after else ""
    place = cluster(new.environment, change.destination)
    here = tuple(party for party in new.parties if new.plane(party.domain) == place)
    for party in new.parties if here else ():
        if not _refers(party, old, change):
            continue
        if reason:
            words = {"kind": APP_IMAGE, "reason": reason}
            yield from find_impacts(Difference("refused", (), here, words), new, ())
        elif party in here and _has_moved(party, old, new):
            yield from _moved(party, old, new)
        elif party in here:
            for difference in _of_party(party, old, new, change):
                reached = here if difference.stops_all else difference.parties
                yield from find_impacts(difference._replace(parties=reached), new, change.changes)
        elif failure := _partner_obstacle(party, change):
            yield from find_impacts(failure._replace(parties=here), new, change.changes)


def _on_left(old: Deployment, new: Deployment, change: ObjectChange) -> Iterator[CausedImpact]:
    """What its end means for parties that are gone from the deployment, but go on running."""
    if change.before is None or change.after:
        return
    place = cluster(old.environment, change.destination)
    name = text(change.before.tree, "metadata", "name")
    for party in old.parties:
        here = old.plane(party.domain) == place
        if here and party.image_name == name and party.unit not in new.units:
            words = {"image": name, "party": party.unit}
            yield from find_impacts(Difference("image-deleted-left", (), (party,), words), old, ())


def _has_moved(party: Party, old: Deployment, new: Deployment) -> bool:
    """Whether the party's domain is of another control plane of ours now."""
    known = old.place(party.domain) and new.place(party.domain)
    return bool(known) and old.plane(party.domain) != new.plane(party.domain)


def _moved(party: Party, old: Deployment, new: Deployment) -> Iterator[CausedImpact]:
    """A party that is made anew in one control plane, and left behind in another."""
    places = {"before": old.place(party.domain), "after": new.place(party.domain)}
    words = {"domain": party.domain, "party": party.unit, **places}
    yield from find_impacts(Difference("domain-came", (), (party,), words), new, ())
    yield from find_impacts(Difference("domain-left", (), (party,), words), old, ())


def _before(new: Deployment, before: State, after: State) -> Deployment | None:
    found = before.at(new.manifest.path)
    return Deployment.of(found, before, after) if found else None


def _refers(party: Party, old: Deployment, change: ObjectChange) -> bool:
    """Whether a party that there was already follows the AppImage from its old to its new state."""
    former = old.units.get(party.unit)
    names = [text(item.tree, "metadata", "name") for item in (change.before, change.after) if item]
    return bool(former and former.image_name == names[0] and party.image_name == names[-1])


def _of_party(
    party: Party, old: Deployment, new: Deployment, change: ObjectChange
) -> Iterator[Difference]:
    """What a party's own AppImage does to it."""
    now = change.is_renamed or _is_touched(party, old, new)
    words = {"image": party.image_name}
    if change.before is None:
        yield Difference("image-created-now" if now else "image-created", (), (party,), words)
        return
    if change.after is None:
        yield Difference("image-deleted", (), (party,), words)
        return
    former, present = side_of(old.units[party.unit], old), side_of(party, new)
    if failure := find_obstacle(party, new, _ROLES):
        yield failure
    elif former and present:
        yield from compare_images(former, present, now=now)


def _is_touched(party: Party, old: Deployment, new: Deployment) -> bool:
    """Whether the party's Kuscia looks at the deployment; partners are sent its spec, no more."""
    if new.plane(party.domain) == new.home:
        return old.manifest.text != new.manifest.text
    return plain(old.manifest.tree, "spec") != plain(new.manifest.tree, "spec")


def _partner_obstacle(party: Party, change: ObjectChange) -> Difference | None:
    """A partner's AppImage must be whole here too: Kuscia puts together every party's needs."""
    if change.after is None:
        return Difference("image-deleted", (), (), {"image": party.image_name})
    image = rendered_image(change.after)
    if image is None or image.template_for(party.role) is None:
        return without_template(party, _ROLES, ())
    return None
