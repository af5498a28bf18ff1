"""A fleet as a picture: servings between the same domains are counted, so that it fits a page."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.backends.kuscia.picture import image_line, some_names, travel
from renderer.backends.kuscia.serving import Serving
from renderer.backends.kuscia.settings import ControlPlane
from renderer.derive.pods import unit_bounds
from renderer.text.wording import counted
from renderer.values.derivations import DerivedUnit
from renderer.values.picture import Card, Group, Link, LinkKind, PictureRow

#: What a page has room for, in rows: places with their cards, then connections with their ends.
_ROOM_FOR_PLACES, _ROOM_FOR_TEAMS = 44, 24
_PLACE, _CARD = 5, 3
_MOST_SOURCES = 4
_COUNTED = (
    "Servings of the same domains are counted together; draw one by its name to see its ports and "
    "who may call them."
)
_REST = "rest"

Travels = Mapping[str, Mapping[str, Sequence[str]]]
"""The servings that go from a control plane to another, by the keys of both."""
Units = Mapping[tuple[str, str], DerivedUnit]
"""What becomes of parties, by the names of servings and units."""


class FleetParts(NamedTuple):
    """What a picture of a fleet is made of."""

    groups: tuple[Group, ...]
    links: tuple[Link, ...]
    remarks: tuple[str, ...]


class _Team(NamedTuple):
    """Domains that take part in the same servings, started by the same one of them."""

    number: int
    initiator: str
    domains: tuple[str, ...]
    servings: int


class _Fleet(NamedTuple):
    """Domains by their control planes, those that have a card, teams with a line and without."""

    owners: Mapping[str, ControlPlane]
    shown: frozenset[str]
    teams: tuple[_Team, ...]
    others: tuple[_Team, ...]

    def with_cards(self, plane: ControlPlane) -> list[str]:
        return [domain for domain in plane.domains if domain in self.shown]

    def has_place(self, plane: ControlPlane) -> bool:
        return not self.shown.isdisjoint(plane.domains)

    def row_of(self, team: _Team, domain: str) -> str:
        """The row at which a team's line ends: of the domain, or of all those without a card."""
        if domain in self.shown:
            return f"{team.number}/{domain}"
        plane = self.owners[domain]
        return f"{plane.key}/{_REST}" if self.has_place(plane) else _REST

    def taking_part(self, domains: Collection[str]) -> int:
        """How many servings any of the domains takes part in."""
        teams = (*self.teams, *self.others)
        return sum(team.servings for team in teams if not set(domains).isdisjoint(team.domains))


def draw_fleet(
    servings: Sequence[Serving], known: Sequence[ControlPlane], travels: Travels, units: Units
) -> FleetParts:
    """Control planes and their domains, with a line for the servings of the same domains."""
    fleet = _fleet(servings, known)
    lines = _card_lines(servings, fleet, units)
    groups = [
        Group(
            plane.title,
            plane.tags,
            (*_deployments(plane, servings, travels), *_without_card(plane, fleet)),
            tuple(_card(domain, fleet, lines[domain]) for domain in fleet.with_cards(plane)),
            plane.ours,
        )
        for plane in known
        if fleet.has_place(plane)
    ]
    groups += _without_place([plane for plane in known if not fleet.has_place(plane)], fleet)
    links = (*_sync_links(travels, known, fleet), *_team_links(fleet))
    left = sum(team.servings for team in fleet.others)
    more = f"{counted(left, 'serving')} of {len(fleet.others)} other sets of domains have no line."
    return FleetParts(tuple(groups), links, (_COUNTED, more) if left else (_COUNTED,))


def _fleet(servings: Sequence[Serving], known: Sequence[ControlPlane]) -> _Fleet:
    counts: Counter[str] = Counter()
    found: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for serving in servings:
        domains = {party.domain for party in serving.parties}
        counts.update(domains)
        found[serving.initiator, tuple(sorted(domains))] += 1
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    teams = tuple(_Team(n, *who, number) for n, (who, number) in enumerate(ranked))
    drawn = _fitting(teams)
    owners = {domain: plane for plane in known for domain in plane.domains}
    shown = frozenset(_most_active(known, counts))
    return _Fleet(owners, shown, teams[:drawn], teams[drawn:])


def _fitting(teams: Sequence[_Team]) -> int:
    """How many of the teams get a line; one at least."""
    room = _ROOM_FOR_TEAMS
    for number, team in enumerate(teams):
        room -= 1 + len(team.domains)
        if room < 0:
            return max(number, 1)
    return len(teams)


def _most_active(known: Sequence[ControlPlane], counts: Mapping[str, int]) -> Iterator[str]:
    """Our domains first, then those that take part in most; as many as fit."""
    room, places = _ROOM_FOR_PLACES, set()
    ranked = sorted(
        (not plane.ours, -counts[domain], domain, plane.key)
        for plane in known
        for domain in plane.domains
    )
    for *_, domain, key in ranked:
        room -= _CARD if key in places else _PLACE + _CARD
        if room < 0:
            return
        places.add(key)
        yield domain


def _card_lines(
    servings: Sequence[Serving], fleet: _Fleet, units: Units
) -> dict[str, tuple[str, ...]]:
    """In how many servings a domain takes part, with how many replicas of which images."""
    images: dict[str, dict[str, None]] = {domain: {} for domain in fleet.shown}
    replicas: Counter[str] = Counter()
    for serving, party in ((item, party) for item in servings for party in item.parties):
        if party.domain in fleet.shown:
            unit = units.get((serving.name, party.unit))
            images[party.domain][image_line(party, fleet.owners[party.domain], unit)] = None
            replicas[party.domain] += unit_bounds(unit)[0]
    return {
        domain: (
            counted(fleet.taking_part([domain]), "serving"),
            counted(replicas[domain], "replica"),
            some_names(sorted(images[domain]), "images"),
        )
        if replicas[domain]
        else ("takes part in no serving",)
        for domain in fleet.shown
    }


def _card(domain: str, fleet: _Fleet, lines: tuple[str, ...]) -> Card:
    rows = [
        PictureRow(
            fleet.row_of(team, domain),
            counted(team.servings, "serving"),
            "initiator" if domain == team.initiator else "",
            note=_company(team, domain),
        )
        for team in fleet.teams
        if domain in team.domains
    ]
    if more := [team for team in fleet.others if domain in team.domains]:
        title = counted(sum(team.servings for team in more), "serving")
        shown = f"{title} more" if rows else title
        rows.append(PictureRow(f"{domain}/{_REST}", shown, note="with others"))
    return Card(domain, (), lines, tuple(rows))


def _company(team: _Team, domain: str) -> str:
    others = [name for name in team.domains if name != domain]
    return f"with {some_names(others, 'domains')}" if others else "alone"


def _deployments(
    plane: ControlPlane, servings: Sequence[Serving], travels: Travels
) -> Iterator[PictureRow]:
    """How much is applied to a control plane, and how much arrives there."""
    applied = sum(serving.initiator in plane.domains for serving in servings)
    if applied:
        how = "applied here" if plane.ours else "applied by its owner"
        title = f"KusciaDeployments of {counted(applied, 'serving')}"
        yield PictureRow(f"{plane.key}/applied", title, note=how)
    if arriving := sum(len(reached.get(plane.key, ())) for reached in travels.values()):
        title = f"KusciaDeployments of {counted(arriving, 'serving')}"
        yield PictureRow(f"{plane.key}/arrived", title, note="arrive by synchronisation")


def _without_card(plane: ControlPlane, fleet: _Fleet) -> Iterator[PictureRow]:
    """The other domains of a control plane, in one row."""
    if rest := [domain for domain in plane.domains if domain not in fleet.shown]:
        note = f"in {counted(fleet.taking_part(rest), 'serving')}"
        yield PictureRow(f"{plane.key}/{_REST}", f"{counted(len(rest), 'more domain')}", note=note)


def _without_place(planes: Sequence[ControlPlane], fleet: _Fleet) -> Iterator[Group]:
    """The other control planes, in one place."""
    if planes:
        domains = [domain for plane in planes for domain in plane.domains]
        note = f"in {counted(fleet.taking_part(domains), 'serving')}"
        row = PictureRow(_REST, counted(len(domains), "domain"), note=note)
        title = counted(len(planes), "more control plane")
        ours = any(plane.ours for plane in planes)
        yield Group(title, () if ours else ("not ours",), (row,), (), ours)


def _sync_links(travels: Travels, known: Sequence[ControlPlane], fleet: _Fleet) -> Iterator[Link]:
    """What travels from the control planes that send most."""
    by_key = {plane.key: plane for plane in known if fleet.has_place(plane)}
    sources = [key for key in travels if key in by_key]
    sources.sort(key=lambda key: -sum(map(len, travels[key].values())))
    for source in sources[:_MOST_SOURCES]:
        meaning = travel(by_key[source], [plane for plane in known if plane.key in travels[source]])
        ends = (f"{key}/arrived" if key in by_key else _REST for key in travels[source])
        targets = tuple(dict.fromkeys(ends))
        yield Link(LinkKind.SYNC, "KusciaDeployments", meaning, (f"{source}/applied",), targets)


def _team_links(fleet: _Fleet) -> Iterator[Link]:
    for team in fleet.teams:
        rows = {domain: fleet.row_of(team, domain) for domain in team.domains}
        starts = tuple(row for domain, row in rows.items() if domain == team.initiator)
        rest = tuple(dict.fromkeys(row for row in rows.values() if row not in starts))
        if rest:
            names = some_names(team.domains, "domains")
            yield Link(LinkKind.MEMBERS, counted(team.servings, "serving"), names, starts, rest)
