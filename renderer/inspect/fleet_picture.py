"""Very many specs of a platform in one picture: those that are alike are counted."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from renderer.derive.drawn_units import images
from renderer.derive.pods import unit_bounds
from renderer.inspect.environment_picture import (
    IDLE,
    REST,
    SpecInPicture,
    owner_links,
    spec_counts,
    sync_links,
    travel_rows,
)
from renderer.text.wording import counted, few_listed, listed
from renderer.values.named_tuple import NamedTuple
from renderer.values.picture import Card, DrawnUnit, Group, Picture, PictureRow, Place

#: What a page has room for, in rows of text: places with their cards, then links with their ends.
_ROOM_FOR_CARDS, _ROOM_FOR_LINKS = 54, 24
_PLACE, _TRAVEL, _CARD = 3, 2, 3
_MOST_ROWS, _MOST_SOURCES = 6, 4
_COUNTED = "Specs that are alike are counted together; draw one by its name to see it whole."

#: The titles of a place and of a card in it.
Seat = tuple[str, str]


class _Fleet(NamedTuple):
    """Specs that are alike, those of them that get rows, and the cards with what they say."""

    specs: Sequence[SpecInPicture]
    drawn: Sequence[SpecInPicture]
    shown: Mapping[Seat, tuple[str, ...]]

    @property
    def places(self) -> set[str]:
        return {title for title, _ in self.shown}

    def row_key(self, spec: SpecInPicture, unit: DrawnUnit) -> str:
        """The row of a unit, or that of all which have no card."""
        if _seat(spec, unit) in self.shown:
            return spec.row_key(unit)
        return f"{unit.place.title}/{REST}" if unit.place.title in self.places else REST

    def users(self, seats: Iterable[Seat]) -> list[SpecInPicture]:
        """The specs that have a unit on any of the cards."""
        wanted = set(seats)
        return [s for s in self.specs if any(_seat(s, u) in wanted for u in s.drawn.units)]

    def rowless_specs(self, specs: Iterable[SpecInPicture]) -> list[SpecInPicture]:
        known = set(map(id, self.drawn))  # to compare thousands of them takes seconds
        return [spec for spec in specs if id(spec) not in known]


def draw_fleet(places: Sequence[Place], specs: Sequence[SpecInPicture]) -> Picture:
    """Places with the cards that most is on; what has no room is counted in a row."""
    alike = _count_alike(specs)
    drawn = list(_fitting_specs(alike))
    seats = _seats(places, alike)
    lines = _card_lines(specs)
    shown = {seat: lines.get(seat, IDLE) for seat in _fitting_seats(seats, alike)}
    fleet = _Fleet(alike, drawn, shown)
    sync = islice(sync_links(alike, fleet.places), _MOST_SOURCES)
    left = [spec for spec in fleet.rowless_specs(alike) if len(spec.drawn.units) > 1]
    more = f"{listed(spec_counts(left))} between {len(left)} other sets of owners have no line."
    return Picture(
        "",
        "",
        tuple(_groups(seats, fleet)),
        (*sync, *owner_links(drawn, fleet.row_key)),
        (_COUNTED, more) if left else (_COUNTED,),
    )


def _count_alike(specs: Iterable[SpecInPicture]) -> list[SpecInPicture]:
    """Specs of a kind with the same places, owners and shared things as one, by number."""
    found: dict[tuple[str, tuple[tuple[str, str, str], ...], str], list[SpecInPicture]] = {}
    for spec in specs:
        where = {(unit.place.title, unit.owner, unit.lead) for unit in spec.drawn.units}
        used = (thing.title for thing in spec.drawn.shared if thing.meaning)
        key = spec.kind, tuple(sorted(where)), ", ".join(used)
        found.setdefault(key, []).append(spec)
    ranked = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        _merge_rows(number, same[0], len(same), used)
        for number, ((_, _, used), same) in enumerate(ranked)
    ]


def _merge_rows(number: int, spec: SpecInPicture, count: int, used: str) -> SpecInPicture:
    """So many specs like this one, with a unit for each of its cards."""
    units = {_seat(spec, unit): unit for unit in reversed(spec.drawn.units)}
    leads = {_seat(spec, unit): unit.lead for unit in spec.drawn.units if unit.lead}
    name = counted(count, spec.noun)
    merged = []
    for seat, unit in reversed(units.items()):
        others = [item.owner for item in spec.drawn.units if item.owner != unit.owner]
        company = f"with {few_listed(others, unit.place.owner_noun)}" if others else "alone"
        note, lead = company if unit.owner else used, leads.get(seat, "")
        row = PictureRow(f"{number}/{unit.owner}", name, lead, note=note)
        merged.append(unit._replace(row=row, unit=None, lead=lead))
    return SpecInPicture(spec.kind, name, spec.drawn._replace(units=tuple(merged)), count)


def _seat(spec: SpecInPicture, unit: DrawnUnit) -> Seat:
    return unit.place.title, unit.owner or spec.kind


def _seats(places: Iterable[Place], specs: Iterable[SpecInPicture]) -> dict[Seat, Place]:
    """All cards that there could be, by their places."""
    units = [(spec, unit) for spec in specs for unit in spec.drawn.units]
    owners = {(place.title, owner): place for place in places for owner in place.owners}
    return owners | {_seat(spec, unit): unit.place for spec, unit in units}


def _fitting_specs(specs: Iterable[SpecInPicture]) -> Iterator[SpecInPicture]:
    """Those that get rows: of what links several cards as many as fit, else some for each card."""
    room, rows = _ROOM_FOR_LINKS, Counter[Seat]()
    for spec in specs:
        seats = [_seat(spec, unit) for unit in spec.drawn.units]
        if len(seats) > 1:
            is_first, room = room == _ROOM_FOR_LINKS, room - 1 - len(seats)
            if is_first or room >= 0:
                yield spec
        elif seats and rows[seats[0]] < _MOST_ROWS:
            rows.update(seats)
            yield spec


def _fitting_seats(seats: Mapping[Seat, Place], specs: Sequence[SpecInPicture]) -> Iterator[Seat]:
    """Cards in our places first, then those with most specs; as many as fit."""
    counts: Counter[Seat] = Counter()
    for spec in specs:
        counts.update({_seat(spec, unit): spec.number for unit in spec.drawn.units})
    room, known = _ROOM_FOR_CARDS, set()
    ranked = sorted(seats.items(), key=lambda i: (not i[1].ours, -counts[i[0]], i[0][::-1]))
    for seat, place in ranked:
        room -= _CARD
        if place.title not in known:
            room -= _PLACE + (_TRAVEL if place.owners else 0)
            known.add(place.title)
        if room < 0:
            return
        yield seat


def _card_lines(specs: Iterable[SpecInPicture]) -> dict[Seat, tuple[str, ...]]:
    """How many specs have units on a card, with how many pods of which images."""
    found: dict[Seat, list[tuple[SpecInPicture, DrawnUnit]]] = {}
    for spec in specs:
        for unit in spec.drawn.units:
            found.setdefault(_seat(spec, unit), []).append((spec, unit))
    lines = {}
    for seat, entries in found.items():
        users = {id(spec): spec for spec, _ in entries}.values()
        units = [item.unit for _, item in entries if item.unit]
        known = [item.unit for _, item in entries if item.place.ours and item.unit]
        used = sorted({image for unit in known for image in images(unit)})
        pods = sum(unit_bounds(unit)[0] for unit in units)
        more = [counted(pods, "pod")] if pods else []
        more += [few_listed(used, "image")] if used else []
        total = [listed(spec_counts(users))] if entries[0][1].owner else []  # else rows say it
        lines[seat] = (*total, *more)
    return lines


def _groups(seats: Mapping[Seat, Place], fleet: _Fleet) -> Iterator[Group]:
    places: dict[str, list[Seat]] = {}
    for seat in seats:
        places.setdefault(seat[0], []).append(seat)
    for title, inside in places.items():
        if title in fleet.places:
            place, left = seats[inside[0]], [seat for seat in inside if seat not in fleet.shown]
            rest = [_rest_row(f"{title}/{REST}", left, place, fleet)] if left else []
            cards = tuple(_card(seat, fleet) for seat in inside if seat in fleet.shown)
            yield place.group((*travel_rows(place, fleet.specs), *rest), cards)
    if more := {seat: place for seat, place in seats.items() if seat[0] not in fleet.places}:
        place, ours = next(iter(more.values())), any(place.ours for place in more.values())
        title = counted(len({title for title, _ in more}), f"more {place.noun}")
        rest_row = _rest_row(REST, more, place, fleet)
        yield Group(title, () if ours else ("not ours",), (rest_row,), (), ours)


def _rest_row(key: str, seats: Collection[Seat], place: Place, fleet: _Fleet) -> PictureRow:
    """What is on the cards that there is no room for."""
    counts = spec_counts(fleet.users(seats))
    if not place.owner_noun:
        return PictureRow(key, listed(counts))
    note = f"in {listed(counts)}" if counts else IDLE[0]
    return PictureRow(key, counted(len(seats), f"more {place.owner_noun}"), note=note)


def _card(seat: Seat, fleet: _Fleet) -> Card:
    rows = [
        unit.row._replace(key=spec.row_key(unit))
        for spec in fleet.drawn
        for unit in spec.drawn.units
        if _seat(spec, unit) == seat
    ]
    if others := fleet.rowless_specs(fleet.users([seat])):
        title = listed(spec_counts(others))
        key, shown = f"{'/'.join(seat)}/{REST}", f"{title} more" if rows else title
        note = "with others" if len(others[0].drawn.units) > 1 else ""
        rows.append(PictureRow(key, shown, note=note))
    return Card(seat[1], (), fleet.shown[seat], tuple(rows))
