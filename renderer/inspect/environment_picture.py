"""All specs of a platform in one picture: a card for each spec, or for each owner of units."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from renderer.text.wording import counted, few_listed
from renderer.values.named_tuple import NamedTuple
from renderer.values.picture import (
    Card,
    DrawnSpec,
    DrawnUnit,
    Group,
    Link,
    LinkKind,
    Picture,
    PictureRow,
    Place,
    SharedThing,
    join_groups,
)

#: The key of the row for all that has no row of its own.
REST = "rest"
IDLE = ("nothing runs here",)
#: Of more units, specs are counted instead of named.
_MOST_UNITS = 60


class SpecInPicture(NamedTuple):
    """A spec by its kind and name, or as many as are alike, and what is drawn of it."""

    kind: str
    name: str
    drawn: DrawnSpec
    number: int = 1

    @property
    def noun(self) -> str:
        return self.drawn.noun or self.kind

    def row_key(self, unit: DrawnUnit) -> str:
        return f"{unit.place.title}/{self.kind}/{self.name}/{unit.row.key}"


def draw_platform(known: Iterable[Place], specs: Sequence[SpecInPicture]) -> Picture:
    """The places that are known and those of the specs; specs are counted, if there are many."""
    places = [*known, *(place for spec in specs for place in spec.drawn.places)]
    if sum(len(spec.drawn.units) for spec in specs) > _MOST_UNITS:
        from renderer.inspect.fleet_picture import draw_fleet

        drawn = draw_fleet(places, specs)
    else:
        links = (*sync_links(specs), *owner_links(specs), *_shared_links(specs))
        drawn = Picture("", "", join_groups(_groups(places, specs)), links)
    travels = {spec.drawn.travels: None for spec in specs if len(spec.drawn.places) > 1}
    remarks = (*filter(None, travels), *drawn.remarks)
    return drawn._replace(summary=_summary(places, specs), remarks=remarks)


def _summary(places: Iterable[Place], specs: Iterable[SpecInPicture]) -> str:
    """How many places there are, owners in them, and specs of each kind."""
    distinct = {place.title: place for place in places}.values()
    clusters = {place.cluster for place in distinct if place.cluster}
    nouns = Counter({"cluster": len(clusters)} if clusters else {})
    nouns.update(place.noun for place in distinct)
    nouns.update(place.owner_noun for place in distinct for _ in place.owners)
    counts = (counted(number, noun) for noun, number in nouns.items())
    return ", ".join((*counts, *spec_counts(specs)))


def spec_counts(specs: Iterable[SpecInPicture]) -> list[str]:
    """How many specs there are of each kind."""
    counts: Counter[str] = Counter()
    for spec in specs:
        counts[spec.noun] += spec.number
    return [counted(number, noun) for noun, number in counts.items()]


def _groups(places: Sequence[Place], specs: Sequence[SpecInPicture]) -> Iterator[Group]:
    """Parts of places: what is applied to them and shared there, then the cards."""
    for place in places:
        yield place.group(tuple(travel_rows(place, specs)))
    for spec, thing, row in _shared_things(specs):
        own = thing.row(spec.drawn.home)
        yield spec.drawn.home.group((own,) if own.key == row else ())
    busy = {(unit.place.title, unit.owner) for spec in specs for unit in spec.drawn.units}
    for place in places:
        owners = (Card(o, (), () if (place.title, o) in busy else IDLE) for o in place.owners)
        yield place.group((), tuple(owners))
    for spec in specs:
        for unit in spec.drawn.units:
            yield unit.place.group((), (_card(spec, unit),))
        if not spec.drawn.units:
            yield spec.drawn.home.group((), (Card(spec.name, (spec.kind,), spec.drawn.lines),))


def _card(spec: SpecInPicture, unit: DrawnUnit) -> Card:
    """The part of a card that is about a unit."""
    row = unit.row._replace(key=spec.row_key(unit))
    if unit.owner:
        return Card(unit.owner, rows=(row._replace(title=spec.name),))
    return Card(spec.name, (spec.kind,), spec.drawn.lines, (row,))


def travel_rows(place: Place, specs: Iterable[SpecInPicture]) -> Iterator[PictureRow]:
    """Objects that travel: those that are applied to a place, and those that arrive there."""
    reached = [s for s in specs if s.drawn.travels and place.title in _titles(s.drawn.places)]
    applied = [spec for spec in reached if spec.drawn.home.title == place.title]
    if applied:
        note = "applied here" if place.ours else "applied by its owner"
        yield PictureRow(f"{place.title}/applied", _objects_text(applied), note=note)
    if arriving := [spec for spec in reached if spec.drawn.home.title != place.title]:
        title, note = _objects_text(arriving), "arrive by synchronisation"
        yield PictureRow(f"{place.title}/arrived", title, note=note)


def _titles(places: Iterable[Place]) -> list[str]:
    return [place.title for place in places]


def _objects_text(specs: Sequence[SpecInPicture]) -> str:
    is_counted = any(spec.number > 1 for spec in specs)
    names = few_listed((spec.name for spec in specs), specs[0].noun)
    which = ", ".join(spec_counts(specs)) if is_counted else names
    return f"{specs[0].drawn.object_noun}s of {which}"


def sync_links(
    specs: Iterable[SpecInPicture], shown: Collection[str] | None = None
) -> Iterator[Link]:
    """What travels from each place, from those that send most first; all places are shown, or some.

    What is not shown is in one place together, which nothing is sent from.
    """
    sent: dict[str, Counter[str]] = {}
    about: dict[str, DrawnSpec] = {}
    for spec in specs:
        home, *others = _titles(spec.drawn.places)
        if spec.drawn.travels and others and (shown is None or home in shown):
            about[home] = spec.drawn
            sent.setdefault(home, Counter()).update(dict.fromkeys(others, spec.number))
    for home, reached in sorted(sent.items(), key=lambda item: -item[1].total()):
        names = few_listed(reached, about[home].home.noun)
        ends = (f"{t}/arrived" if shown is None or t in shown else REST for t in reached)
        meaning, targets = f"synchronised from {home} to {names}", tuple(dict.fromkeys(ends))
        name = f"{about[home].object_noun}s"
        yield Link(LinkKind.SYNC, name, meaning, (f"{home}/applied",), targets)


def owner_links(
    specs: Iterable[SpecInPicture],
    row_key: Callable[[SpecInPicture, DrawnUnit], str] = SpecInPicture.row_key,
) -> Iterator[Link]:
    """Specs whose units have several owners or places: from those that lead to the others."""
    for spec in specs:
        units = spec.drawn.units
        names = [unit.owner or unit.place.title for unit in units]
        leading = [unit for unit in units if unit.lead] or units[:1]
        sources = tuple(dict.fromkeys(row_key(spec, unit) for unit in leading))
        keys = dict.fromkeys(row_key(spec, unit) for unit in units)
        targets = tuple(key for key in keys if key not in sources)
        if targets and (units[0].owner or len(set(names)) > 1):
            noun = units[0].place.owner_noun or units[0].place.noun
            meaning = few_listed(names, noun)
            yield Link(LinkKind.MEMBERS, spec.name, meaning, sources, targets)


def _shared_things(
    specs: Sequence[SpecInPicture],
) -> Iterator[tuple[SpecInPicture, SharedThing, str]]:
    """What specs share, and the key of its row: it may be a spec that has rows already."""
    ends = {
        (spec.drawn.home.title, spec.kind, spec.name): spec.row_key(spec.drawn.units[0])
        for spec in specs
        if spec.drawn.units
    }
    for spec in specs:
        home = spec.drawn.home
        for thing in spec.drawn.shared:
            row = ends.get((home.title, thing.kind, thing.name), thing.row(home).key)
            if thing.meaning:
                yield spec, thing, row


def _shared_links(specs: Sequence[SpecInPicture]) -> Iterator[Link]:
    """From shared things to all that use them, or from each spec to what it calls."""
    users: dict[str, tuple[SpecInPicture, SharedThing, list[str]]] = {}
    for spec, thing, row in _shared_things(specs):
        rows = [spec.row_key(unit) for unit in spec.drawn.units if unit.row.key in thing.users]
        if thing.is_called and rows:
            meaning = f"{thing.meaning} {thing.name}"
            yield Link(LinkKind.CALL, spec.name, meaning, tuple(rows), (row,))
        elif rows:
            users.setdefault(row, (spec, thing, []))[2].extend(rows)
    for row, (spec, thing, rows) in users.items():
        meaning = f"{thing.meaning} {counted(len(rows), spec.drawn.unit_noun)}"
        yield Link(LinkKind.MEMBERS, thing.name, meaning, (row,), tuple(rows))
