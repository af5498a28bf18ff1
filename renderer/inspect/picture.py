"""What a picture is made of: a spec, or all specs of an environment, by what becomes of them."""

from collections.abc import Iterable, Iterator, Sequence

from renderer.backends.base import Backend
from renderer.backends.kinds import backends_of, functions_of, owner_of
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.errors import UsageError
from renderer.inspect.applied_specs import Derived
from renderer.text.wording import counted
from renderer.values.derivations import Address, Applied, Derivation, DerivedUnit
from renderer.values.model import Environment, Spec
from renderer.values.picture import Card, Exposure, Group, Picture, PictureRow, join

#: Of more units, specs are counted instead of named.
_MOST_UNITS = 60
_COUNTED = "Specs are counted; draw one by its name to see it whole."


def draw_spec(applied: Applied, derivation: Derivation) -> Picture:
    """One spec, with all that it connects."""
    draw = functions_of(applied.spec.kind.name).picture or picture_of_units
    return draw(applied, derivation)


def draw_environment(environment: Environment, found: Sequence[Derived]) -> Picture:
    """All that runs, on all platforms of the environment."""
    if not environment.destinations:
        reason = "is only inherited from; it has no destinations"
        raise UsageError(f"the environment {environment.name!r} {reason}")
    return join(environment.name, _overviews(environment, found))


def _overviews(environment: Environment, found: Sequence[Derived]) -> Iterator[Picture]:
    for backend in backends_of(environment):
        own = [item for item in found if owner_of(item[0].spec.kind.name) is backend]
        if draw := backend.load().overview:
            yield draw(environment, own)
        elif own:
            yield overview_of_units(environment, backend, own)


def picture_of_units(applied: Applied, derivation: Derivation) -> Picture:
    """A card for each unit, with what runs in it and where it is called."""
    spec, name = applied.spec, applied.environment.name
    own = PictureRow(f"{spec}/applied", f"{spec.kind.name} {applied.name}", note="applied here")
    cards: dict[str, list[Card]] = {place_title(applied, applied.destination): []}
    for unit in derivation.units:
        cards.setdefault(place_title(applied, unit.destination), []).append(_unit_card(spec, unit))
    groups = (
        Group(title, (), () if number else (own,), tuple(inside))
        for number, (title, inside) in enumerate(cards.items())
    )
    units = counted(len(derivation.units), "unit")
    maker = owner_of(spec.kind.name).maker
    return Picture(f"{applied.name} in {name}", f"{units}, {maker}", tuple(groups))


def place_title(applied: Applied, destination: str) -> str:
    """A destination and the namespace there."""
    name = destination or "no destination"
    return f"{name}, namespace {applied.namespace}" if applied.namespace else name


def unit_lines(unit: DerivedUnit) -> Iterator[str]:
    """The images of a unit, and how many pods it has."""
    if unit.problem:
        yield f"nothing: {unit.problem}"
    if unit.pods:
        yield from images(unit)
        yield bounds_text(unit_bounds(unit))


def images(unit: DerivedUnit) -> list[str]:
    """Those of all containers of a unit, each once."""
    listings = (pods.spec.get("containers") for pods in unit.pods)
    containers = (item for listing in listings if listing for item in listing.elements)
    return list(dict.fromkeys(str(node.value) for c in containers if (node := c.get("image"))))


def _unit_card(spec: Spec, unit: DerivedUnit) -> Card:
    rows = tuple(_address_row(f"{spec}/{unit.unit}", item) for item in unit.addresses)
    return Card(unit.unit, (), tuple(unit_lines(unit)), rows)


def _address_row(key: str, item: Address) -> PictureRow:
    exposure = Exposure.ANYWHERE if item.through else Exposure.OTHERS
    return PictureRow(f"{key}/{item.name}", item.name, "", item.url, item.callers, exposure)


def overview_of_units(
    environment: Environment, backend: Backend, found: Sequence[Derived]
) -> Picture:
    """A card for each spec with a row for each unit; counted by kind, if there are many."""
    places: dict[str, list[Derived]] = {}
    for applied, derivation in found:
        title = place_title(applied, applied.destination)
        places.setdefault(title, []).append((applied, derivation))
    units = sum(len(derivation.units) for _, derivation in found)
    summary = f"{backend.maker}: {counted(len(found), 'spec')}, {counted(units, 'unit')}"
    is_large = units > _MOST_UNITS
    draw = _counted_cards if is_large else _spec_cards
    groups = (Group(title, (), (), tuple(draw(inside))) for title, inside in places.items())
    return Picture(environment.name, summary, tuple(groups), (), (_COUNTED,) if is_large else ())


def _spec_cards(found: Iterable[Derived]) -> Iterator[Card]:
    for applied, derivation in found:
        rows = tuple(_unit_row(applied.spec, unit) for unit in derivation.units)
        yield Card(applied.name, (applied.spec.kind.name,), (), rows)


def _unit_row(spec: Spec, unit: DerivedUnit) -> PictureRow:
    tag = bounds_text(unit_bounds(unit)) if unit.pods else ""
    return PictureRow(f"{spec}/{unit.unit}", unit.unit, tag, note=unit.problem)


def _counted_cards(found: Iterable[Derived]) -> Iterator[Card]:
    kinds: dict[str, int] = {}
    for applied, _ in found:
        kinds[applied.spec.kind.name] = kinds.get(applied.spec.kind.name, 0) + 1
    for kind, number in sorted(kinds.items()):
        yield Card(kind, (), (counted(number, "spec"),))
