"""The picture of a spec, and that of an environment, by what kinds say of their specs."""

from collections.abc import Iterator, Sequence

from renderer.backends.kinds import backends_of, functions_of, owner_of
from renderer.derive.drawn_units import draw_units
from renderer.errors import UsageError
from renderer.inspect.applied_specs import Derived
from renderer.inspect.company import NO_COMPANY, Company, company_of
from renderer.inspect.environment_picture import SpecInPicture, draw_platform
from renderer.text.wording import few_listed, listed
from renderer.values.derivations import Applied, Derivation
from renderer.values.model import Environment
from renderer.values.picture import (
    APPLIED,
    DrawnSpec,
    Link,
    LinkKind,
    Picture,
    PictureRow,
    Place,
    SharedThing,
    join,
)

_NOTHING = "nothing runs here"


def draw_environment(environment: Environment, found: Sequence[Derived]) -> Picture:
    """All that runs, on all platforms of the environment."""
    if not environment.destinations:
        reason = "is only inherited from; it has no destinations"
        raise UsageError(f"the environment {environment.name!r} {reason}")
    company = company_of(environment)
    parts = list(_platform_pictures(environment, found, company))
    if company.at_places:
        parts.append(company.picture({group.title for part in parts for group in part.groups}))
    return join(environment.name, parts) if parts else Picture(environment.name, _NOTHING, ())


def _platform_pictures(
    environment: Environment, found: Sequence[Derived], company: Company
) -> Iterator[Picture]:
    """Backends of one platform share their places, and so a picture."""
    platforms: dict[str, tuple[list[Place], list[SpecInPicture]]] = {}
    for backend in backends_of(environment):
        places, specs = platforms.setdefault(backend.platform, ([], []))
        places += backend.load().places(environment)
        specs += (
            SpecInPicture(applied.spec.kind.name, drawn.name, drawn)
            for applied, derivation in found
            if owner_of(applied.spec.kind.name) is backend
            for drawn in (_add_line(_drawn(applied, derivation), company.number(applied.spec)),)
        )
    for places, specs in platforms.values():
        if places or specs:
            yield draw_platform(places, specs)


def _drawn(applied: Applied, derivation: Derivation) -> DrawnSpec:
    draw = functions_of(applied.spec.kind.name).picture or draw_units
    drawn = draw(applied, derivation)
    return drawn if drawn.name else drawn._replace(name=applied.name)


def _add_line(drawn: DrawnSpec, line: str) -> DrawnSpec:
    return drawn._replace(lines=(*drawn.lines, line)) if line else drawn


def draw_spec(applied: Applied, derivation: Derivation, company: Company = NO_COMPANY) -> Picture:
    """One spec: where it is applied, what runs there, what it uses, and who calls whom."""
    drawn = _drawn(applied, derivation)
    if beside := company.names(applied.spec):
        drawn = drawn._replace(rows=(PictureRow("companions", beside), *drawn.rows))
    title = f"{drawn.object_noun or applied.spec.kind.name} {drawn.name}"
    groups = tuple(
        place.group(
            tuple(_rows(place, drawn, title)),
            tuple(item.card for item in drawn.units if item.place == place),
        )
        for place in drawn.places
    )
    sync = tuple(_sync_links(drawn))
    shared = (link for thing in drawn.shared for link in _shared_links(thing, drawn))
    return Picture(
        f"{drawn.name} in {applied.environment.name}",
        drawn.summary,
        groups,
        (*sync, *shared, *drawn.links),
        (*drawn.remarks, drawn.travels) if sync else drawn.remarks,
    )


def _rows(place: Place, drawn: DrawnSpec, title: str) -> Iterator[PictureRow]:
    """The applied object, what it uses, and what else stands before the cards."""
    if place == drawn.home:
        note = "applied here" if place.ours else "applied by its owner"
        yield PictureRow(APPLIED, title, note=note)
    elif drawn.travels:
        yield PictureRow(_arrived(place), title, note="arrives by synchronisation")
    if place.ours:
        yield from (thing.row(place) for thing in drawn.shared)
    if place == drawn.home:
        yield from drawn.rows


def _arrived(place: Place) -> str:
    return f"{APPLIED}/{place.title}"


def _sync_links(drawn: DrawnSpec) -> Iterator[Link]:
    others = drawn.places[1:]
    if drawn.travels and others:
        names = few_listed((place.title for place in others), drawn.home.noun)
        meaning = f"synchronised from {drawn.home.title} to {names}"
        targets = tuple(map(_arrived, others))
        yield Link(LinkKind.SYNC, drawn.object_noun, meaning, (APPLIED,), targets)


def _shared_links(thing: SharedThing, drawn: DrawnSpec) -> Iterator[Link]:
    """From a shared thing to the first rows of its users, or from these to it, if they call it."""
    users = [item for item in drawn.units if item.row.key in thing.users and item.card.rows]
    if not thing.meaning or not users:
        return
    rows = tuple(item.card.rows[0].key for item in users)
    names = listed(item.row.title for item in users)
    own = tuple(thing.row(place).key for place in drawn.places if place.ours)
    if thing.is_called:
        yield Link(LinkKind.CALL, names, f"{thing.meaning} {thing.name}", rows, own)
    else:
        yield Link(LinkKind.MEMBERS, thing.name, f"{thing.meaning} {names}", own, rows)
