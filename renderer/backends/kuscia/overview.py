"""An environment as a picture: control planes, their domains, and the servings between them."""

from collections.abc import Iterator, Sequence

from renderer.backends.kuscia.fleet import FleetParts, Travels, Units, draw_fleet
from renderer.backends.kuscia.picture import pod_lines, some_names, travel
from renderer.backends.kuscia.serving import Serving
from renderer.backends.kuscia.settings import ControlPlane, control_planes
from renderer.backends.kuscia.summaries import SERVING
from renderer.text.wording import counted
from renderer.values.derivations import Applied, Derivation
from renderer.values.model import Environment
from renderer.values.picture import Card, Group, Link, LinkKind, Picture, PictureRow

_TRAVELS = (
    "A KusciaDeployment is applied to the control plane of its initiator only and travels to the "
    "others by synchronisation."
)
#: Of more parties servings are counted instead of named.
_MOST_PARTIES = 60


def draw_environment(
    environment: Environment, found: Sequence[tuple[Applied, Derivation]]
) -> Picture:
    """All servings of an environment: which domains take part in which of them."""
    servings = [
        Serving.of(spec, environment) for spec in environment.specs if spec.kind.name == SERVING
    ]
    taking_part = (party.domain for serving in servings for party in serving.parties)
    known = control_planes(environment, taking_part)
    travels = _travels(servings, known)
    parties = sum(len(serving.parties) for serving in servings)
    draw = _draw_each if parties <= _MOST_PARTIES else draw_fleet
    units = {(applied.name, unit.unit): unit for applied, made in found for unit in made.units}
    groups, links, remarks = draw(servings, known, travels, units)
    counts = (
        counted(len(known), "control plane"),
        counted(sum(len(plane.domains) for plane in known), "domain"),
        counted(len(servings), "serving"),
    )
    remarks = (_TRAVELS, *remarks) if travels else remarks
    return Picture(environment.name, ", ".join(counts), groups, links, remarks)


def _draw_each(
    servings: Sequence[Serving], known: Sequence[ControlPlane], travels: Travels, units: Units
) -> FleetParts:
    """Every serving by its name, in each of its domains."""
    rows = _rows(servings, known, units)
    groups = tuple(
        Group(
            item.title,
            item.tags,
            tuple(_deployments(item, servings, known, travels)),
            tuple(_card(domain, rows[domain]) for domain in item.domains),
            item.ours,
        )
        for item in known
    )
    links = (*_sync_links(travels, known), *_serving_links(servings))
    return FleetParts(groups, links, ())


def _travels(servings: Sequence[Serving], known: Sequence[ControlPlane]) -> Travels:
    """The servings that go from a control plane to another, by the keys of both."""
    owners = {domain: plane for plane in known for domain in plane.domains}
    found: dict[str, dict[str, list[str]]] = {}
    for serving in servings:
        home = owners.get(serving.initiator)
        reached = dict.fromkeys(
            owners[party.domain].key for party in serving.parties if party.domain in owners
        )
        for key in reached:
            if home and key != home.key:
                found.setdefault(home.key, {}).setdefault(key, []).append(serving.name)
    return found


def _sync_links(travels: Travels, known: Sequence[ControlPlane]) -> Iterator[Link]:
    by_key = {plane.key: plane for plane in known}
    for source, reached in travels.items():
        meaning = travel(by_key[source], [by_key[key] for key in reached])
        targets = tuple(f"{key}/from/{source}" for key in reached)
        yield Link(LinkKind.SYNC, "KusciaDeployments", meaning, (f"{source}/applied",), targets)


def _serving_links(servings: Sequence[Serving]) -> Iterator[Link]:
    for number, serving in enumerate(servings):
        keys = {f"{number}/{index}": party for index, party in enumerate(serving.parties)}
        starts = tuple(key for key, party in keys.items() if party.domain == serving.initiator)
        if len(keys) > 1:
            names = some_names([party.domain for party in keys.values()], "domains")
            rest = tuple(key for key in keys if key not in starts)
            yield Link(LinkKind.MEMBERS, serving.name, names, starts, rest)


def _deployments(
    plane: ControlPlane,
    servings: Sequence[Serving],
    known: Sequence[ControlPlane],
    travels: Travels,
) -> Iterator[PictureRow]:
    """What is applied to a control plane, and what arrives there from others."""
    applied = [item.name for item in servings if item.initiator in plane.domains]
    if applied:
        how = "applied here" if plane.ours else "applied by its owner"
        title = f"KusciaDeployments of {some_names(applied, 'servings')}"
        yield PictureRow(f"{plane.key}/applied", title, note=how)
    for other in known:
        if arriving := travels.get(other.key, {}).get(plane.key):
            title = f"KusciaDeployments of {some_names(arriving, 'servings')}"
            yield PictureRow(
                f"{plane.key}/from/{other.key}", title, note="arrive by synchronisation"
            )


def _rows(
    servings: Sequence[Serving], known: Sequence[ControlPlane], units: Units
) -> dict[str, list[PictureRow]]:
    """What each domain takes part in."""
    owners = {domain: plane for plane in known for domain in plane.domains}
    found: dict[str, list[PictureRow]] = {domain: [] for domain in owners}
    for number, serving in enumerate(servings):
        for index, party in enumerate(serving.parties):
            starts = "initiator" if party.domain == serving.initiator else ""
            tag = " · ".join(filter(None, (party.role, starts)))
            plane = owners[party.domain]
            unit = units.get((serving.name, party.unit))
            note = " · ".join(pod_lines(party, plane, unit))
            found[party.domain].append(
                PictureRow(f"{number}/{index}", serving.name, tag, note=note)
            )
    return found


def _card(domain: str, rows: list[PictureRow]) -> Card:
    return Card(domain, (), () if rows else ("takes part in no serving",), tuple(rows))
