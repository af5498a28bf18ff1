"""What changed of the parties: who takes part, of which AppImage, with which overrides."""

from collections.abc import Iterator

from renderer.backends.fields import members, plain
from renderer.backends.kuscia.impact.app_image_differences import (
    Side,
    compare_images,
    has_duplicate_ports,
)
from renderer.backends.kuscia.impact.change_kinds import NAME_RACE
from renderer.backends.kuscia.impact.deployment import (
    KINDS,
    Deployment,
    amounts,
    effective_amounts,
    overrides,
)
from renderer.backends.kuscia.impact.differences import Difference, PathPattern, item
from renderer.backends.kuscia.impact.refusals import find_amounts_fault
from renderer.backends.kuscia.serving import Party
from renderer.text.wording import listed
from renderer.values.tree import Node

PARTIES = ("spec", "parties")
_ROLLS = frozenset(("image-now", "image-resources-now"))
_COUNTS = ("containers", "affinity")
_FORM = ("name", "workingDir", "resources")


def party_place(*parties: Party) -> PathPattern:
    """Where a party stands, which may have moved."""
    return (*PARTIES, item(parties[-1].unit, *(party.number for party in parties)))


def compare_membership(before: Deployment, after: Deployment) -> Iterator[Difference]:
    """Parties that are on one side only, and the order of the others."""
    gone = [party for party in before.parties if party.unit not in after.units]
    for party in (party for party in after.parties if party.unit not in before.units):
        former = next((other for other in gone if _became(other, party)), None)
        yield from _added(former, party, before, after)
    for party in gone:
        yield Difference("party-removed", party_place(party), (party,), {"before": party.unit})
    yield from _reordered(before, after)


def _became(old: Party, new: Party) -> bool:
    """Whether one party was edited into the other: its role, or in its place its domain."""
    return old.domain == new.domain or (old.number == new.number and old.role == new.role)


def _added(
    former: Party | None, party: Party, before: Deployment, after: Deployment
) -> Iterator[Difference]:
    plane = after.plane(party.domain)
    known = any(before.plane(other.domain) == plane for other in before.parties)
    kind = "party-added"
    if former:
        kind = "party-role" if former.domain == party.domain else "party-domain"
    words = {"before": former.unit if former else "", "after": party.unit}
    if known:
        yield Difference(kind, party_place(party), after.beside(party.domain), words)
    else:
        running = (other for other in after.parties if other.unit in before.units)
        reached = (party, *running)
        yield Difference("party-added-elsewhere", party_place(party), reached, words)


def _reordered(before: Deployment, after: Deployment) -> Iterator[Difference]:
    old = [unit for unit in before.units if unit in after.units]
    new = [unit for unit in after.units if unit in before.units]
    if old != new:
        running = tuple(after.units[unit] for unit in new)
        yield Difference("parties-reordered", PARTIES, running, order=True)


def compare_references(
    old: Party, new: Party, before: Deployment, after: Deployment
) -> Iterator[Difference]:
    """What follows from another `appImageRef`; nothing if it is the same."""
    if old.image_name == new.image_name:
        return
    place = (*party_place(old, new), "appImageRef")
    words = {"image": new.image_name}
    if failure := find_obstacle(new, after, place):
        yield failure
    elif not after.place(new.domain):
        yield Difference("image-ref-partner", place, (new,), words)
    else:
        words["race"] = "" if before.image_manifest(new) else f" {NAME_RACE}"
        yield from _compared(side_of(old, before), side_of(new, after), place, words)


def find_obstacle(party: Party, deployment: Deployment, place: PathPattern) -> Difference | None:
    """Why Kuscia cannot put together what a party needs; all parties beside it then wait."""
    stuck = deployment.beside(party.domain)
    if deployment.image_manifest(party) is None:
        return Difference("image-missing", place, stuck, {"image": party.image_name})
    if party.template is None:
        return without_template(party, place, stuck)
    if has_duplicate_ports(party.template):
        return Difference("rejected", place, stuck, {"reason": "two ports have one name"})
    return None


def without_template(party: Party, place: PathPattern, reached: tuple[Party, ...]) -> Difference:
    """A party for whose role its AppImage has nothing."""
    role = f"`{party.role}`" if party.role else "none"
    return Difference("no-template", place, reached, {"image": party.image_name, "role": role})


def side_of(party: Party, deployment: Deployment) -> Side | None:
    """A party with its AppImage and template, if it has them."""
    image, template = party.image, party.template
    return Side(deployment, party, image, template) if image and template else None


def _compared(
    old: Side | None, new: Side | None, place: PathPattern, words: dict[str, str]
) -> Iterator[Difference]:
    """The reference itself, and fields of the AppImage that no object's change speaks of."""
    if new is None:
        return
    found = list(compare_images(old, new, now=True)) if old else []
    kinds = {item.kind for item in found}
    kind = "image-ref" if kinds & _ROLLS or old is None else "image-ref-same"
    yield Difference(kind, place, (new.party,), words)
    if pinned := next((item for item in found if item.kind == "image-pinned"), None):
        yield pinned._replace(place=place)
    if old and old.spec != new.spec:
        stuck = new.deployment.beside(new.party.domain)
        for item in found:
            if item.kind not in _ROLLS | {"image-pinned"}:
                reached = stuck if item.stops_all else item.parties
                yield item._replace(place=place, parties=reached)


def compare_overrides(old: Party, new: Party, after: Deployment) -> Iterator[Difference]:
    """Overrides of containers, and pod fields that Kuscia does not read."""
    place = (*party_place(old, new), "template", "spec")
    was, now = (party.node.get("template", "spec") for party in (old, new))
    for field in _changed(was, now, _COUNTS):
        yield Difference("pod-field", (*place, field), (new,), {"field": field})
    theirs, ours = overrides(old), overrides(new)
    for name in [*ours, *(name for name in theirs if name not in ours)]:
        at = (*place, "containers", item(name, *_indexes(name, theirs, ours)))
        for field in _changed(theirs.get(name), ours.get(name), _FORM):
            words = {"field": f"containers[{name}].{field}"}
            yield Difference("pod-field", (*at, field), (new,), words)
        given = (theirs.get(name), ours.get(name))
        if any(amounts(given[0], kind) != amounts(given[1], kind) for kind in KINDS):
            yield from _amounts(name, (old, new), after, (*at, "resources"))


def _changed(old: Node | None, new: Node | None, known: tuple[str, ...]) -> list[str]:
    """The members that differ, apart from known ones."""
    names = {*members(old), *members(new)} - {*known}
    return sorted(name for name in names if plain(old, name) != plain(new, name))


def _indexes(name: str, *sides: dict[str, Node]) -> Iterator[int]:
    return (list(side).index(name) for side in sides if name in side)


def _amounts(
    name: str,
    parties: tuple[Party, Party],
    after: Deployment,
    place: PathPattern,
) -> Iterator[Difference]:
    """What the container asks for when the override is laid over the AppImage's template."""
    new = parties[1]
    old_template, template = (party.template for party in parties)
    words = {"container": name}
    known = template.containers if template else ()
    if old_template and name not in old_template.containers and name in known:
        yield Difference("resources-not-running", place, (new,), words)
        return
    if template and name not in template.containers:
        words["containers"] = listed(template.containers)
        yield Difference("resources-unknown", place, (new,), words)
        return
    live = effective_amounts(new, template)[name] if template else None
    was = effective_amounts(parties[0], old_template).get(name) if old_template else None
    if live and (reason := find_amounts_fault(name, live)):
        yield Difference("rejected", place, after.beside(new.domain), {"reason": reason})
    else:
        same = live is not None and live == was
        yield Difference("resources-same" if same else "resources", place, (new,), words)
