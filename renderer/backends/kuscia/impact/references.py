"""A party that refers to another AppImage: its image and resources are taken over, no more."""

from collections.abc import Iterator

from renderer.backends.kuscia.impact import images
from renderer.backends.kuscia.impact.differences import Difference, Place
from renderer.backends.kuscia.impact.images import Side, has_duplicate_ports
from renderer.backends.kuscia.impact.parties import place_of
from renderer.backends.kuscia.impact.rows import ROWS
from renderer.backends.kuscia.running import Deployment, Party
from renderer.values.changes import Effect

_ROLLS = frozenset(("image-now", "image-resources-now"))


def differences(
    old: Party, new: Party, before: Deployment, after: Deployment
) -> Iterator[Difference]:
    """What follows from another `appImageRef`; nothing if it is the same."""
    if old.image == new.image:
        return
    place = (*place_of(old, new), "appImageRef")
    words = {"image": new.image}
    if failure := broken_kit(new, after, place):
        yield failure
    elif not after.place(new.domain):
        yield Difference("image-ref-partner", place, (new,), words)
    else:
        yield from _compared(side_of(old, before), side_of(new, after), place, words)


def broken_kit(party: Party, deployment: Deployment, place: Place) -> Difference | None:
    """Why Kuscia cannot put together what a party needs; all parties beside it then wait."""
    image, template = deployment.image(party), deployment.template(party)
    stuck = deployment.beside(party.domain)
    role = f"`{party.role}`" if party.role else "none"
    words = {"image": party.image, "role": role}
    if image is None:
        return Difference("image-missing", place, stuck, words)
    if template is None:
        return Difference("no-template", place, stuck, words)
    if has_duplicate_ports(template):
        return Difference("rejected", place, stuck, {"reason": "two ports have one name"})
    return None


def side_of(party: Party, deployment: Deployment) -> Side | None:
    """A party with its AppImage and template, if it has them."""
    image, template = deployment.image(party), deployment.template(party)
    return Side(deployment, party, image, template) if image and template else None


def _compared(
    old: Side | None, new: Side | None, place: Place, words: dict[str, str]
) -> Iterator[Difference]:
    """The reference itself, and fields of the AppImage that no object's change speaks of."""
    if new is None:
        return
    found = list(images.differences(old, new, now=True)) if old else []
    rows = {item.row for item in found}
    pinned = next((item for item in found if item.row == "image-pinned"), None)
    if pinned:
        yield pinned._replace(place=place)
    else:
        row = "image-ref" if rows & _ROLLS or old is None else "image-ref-same"
        yield Difference(row, place, (new.party,), words)
    if old and old.image.spec.identity != new.image.spec.identity:
        stuck = new.deployment.beside(new.party.domain)
        for item in found:
            if item.row not in _ROLLS | {"image-pinned"}:
                wide = ROWS[item.row].effect is Effect.BREAKS
                yield item._replace(place=place, parties=stuck if wide else item.parties)
