"""Specs in pictures: what a derivation alone says of them, and what the kinds share."""

from collections.abc import Iterator

from renderer.derive.pods import bounds_text, unit_bounds
from renderer.text.wording import counted
from renderer.values.derivations import Applied, Derivation, DerivedUnit, ObjectName
from renderer.values.picture import (
    Card,
    DrawnSpec,
    DrawnUnit,
    Exposure,
    PictureRow,
    Place,
    SharedThing,
)
from renderer.values.unit_details import Address


def draw_units(applied: Applied, derivation: Derivation) -> DrawnSpec:
    """A card for each unit: what runs in it, where it is called, and what it needs."""
    return DrawnSpec(
        counted(len(derivation.units), "unit"),
        namespace_place(applied),
        tuple(_draw_unit(applied, unit) for unit in derivation.units),
        tuple(_shared_things(applied, derivation)),
    )


def namespace_place(applied: Applied, *tags: str, destination: str = "") -> Place:
    """The namespace of an object at a destination: the one that it is applied to, or another."""
    name = destination or applied.destination
    title = name or "no destination"
    if not applied.namespace:
        return Place(title, tags, noun="destination")
    cluster = applied._replace(destination=name).cluster
    return Place(f"{title}, namespace {applied.namespace}", tags, cluster=cluster)


def images(unit: DerivedUnit) -> list[str]:
    """Those of all containers of a unit, each once."""
    listings = (pods.spec.get("containers") for pods in unit.pods)
    containers = (item for listing in listings if listing for item in listing.elements)
    return list(dict.fromkeys(str(node.value) for c in containers if (node := c.get("image"))))


def _draw_unit(applied: Applied, unit: DerivedUnit) -> DrawnUnit:
    number = bounds_text(unit_bounds(unit)) if unit.pods else ""
    problem = f"nothing: {unit.problem}" if unit.problem else ""
    lines = (problem, *images(unit), number)
    key = f"{unit.destination}/{unit.unit}"
    rows = [_address_row(key, item) for item in unit.addresses]
    if number and not rows:  # links lead to rows
        rows.append(PictureRow(key, "pods", number))
    return DrawnUnit(
        Card(unit.unit, (), tuple(filter(None, lines)), tuple(rows)),
        PictureRow(key, unit.unit, number, note=unit.problem),
        namespace_place(applied, destination=unit.destination),
        unit,
    )


def _address_row(key: str, item: Address) -> PictureRow:
    exposure = Exposure.ANYWHERE if item.through else Exposure.OTHERS
    return PictureRow(f"{key}/{item.name}", item.name, "", item.url, item.callers, exposure)


def _shared_things(applied: Applied, derivation: Derivation) -> Iterator[SharedThing]:
    users: dict[ObjectName, list[str]] = {}
    for unit in derivation.units:
        for need in unit.needs:
            users.setdefault(need, []).append(f"{unit.destination}/{unit.unit}")
    known = applied.needed.get(applied.cluster, {})
    for need, found in users.items():
        note = "applied here" if need in known else "must be there"
        yield SharedThing(need[0], need[2], note, "is used by", tuple(found))
