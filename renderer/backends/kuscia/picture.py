"""A serving as a picture: control planes, parties, their Services and who may call them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.backends.kuscia.deploy_template import Port, ports
from renderer.backends.kuscia.serving import EVERYONE, Party, Serving
from renderer.backends.kuscia.settings import ControlPlane, control_planes
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.text.wording import counted, listed
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.picture import Card, Exposure, Group, Link, LinkKind, Picture, PictureRow

_FEW = 3
_Access = dict[tuple[int, str], frozenset[str]]
_GATEWAY = ("gateway", "callers in", "the domain")
_SCOPES = (
    "Ports of scope Cluster are called through the gateways of both domains, those of scope Domain "
    "by callers in the domain through its gateway, Local ones within the pod."
)
_TRAVELS = (
    "The KusciaDeployment is applied to the initiator's control plane only and travels to the "
    "others by synchronisation; AppImages are applied to every control plane."
)


class _Channel(NamedTuple):
    """A port that the same domains may call: the parties that offer it and those that call."""

    port: str
    is_open: bool
    offering: tuple[int, ...]
    calling: tuple[int, ...]


class Calls(NamedTuple):
    """The rows of each party, in the order of the parties, and what connects them."""

    rows: tuple[tuple[PictureRow, ...], ...]
    links: tuple[Link, ...]

    @classmethod
    def of(cls, serving: Serving) -> "Calls":
        access: _Access = {}
        rows = [
            [
                _port_row(serving, party, f"{index}/{port.name}", port, access)
                for port in _ports(party)
            ]
            for index, party in enumerate(serving.parties)
        ]
        links = []
        for number, channel in enumerate(_channels(serving, access)):
            whom = _names(serving, channel.offering)
            keys = {index: f"{index}/{channel.port}" for index in channel.offering}
            for index in channel.calling:
                if index not in keys:  # it only calls, and gets a row for that
                    keys[index] = f"{index}/calls/{number}"
                    title = f"calls {channel.port} of {whom}"
                    rows[index].append(PictureRow(keys[index], title, exposure=Exposure.OTHERS))
            if len(keys) > 1:
                links.append(_link(serving, channel, keys))
        return cls(tuple(map(tuple, rows)), tuple(links))


def _ports(party: Party) -> list[Port]:
    """Those that most may call first."""
    known = ports(party.template.node).values() if party.template else ()
    return sorted(known, key=lambda port: ("Cluster", "Domain", "Local").index(port.scope))


def _may_call(serving: Serving, party: Party, port: str, access: _Access) -> frozenset[str]:
    """Worked out once for all parties of one template."""
    key = (id(party.template.node) if party.template else 0, port)
    if key not in access:
        access[key] = serving.callers(party, port)
    return access[key]


def _port_row(serving: Serving, party: Party, key: str, port: Port, access: _Access) -> PictureRow:
    domain = party.domain
    if port.scope == "Local":
        return PictureRow(key, port.name, port.scope, note="within the pod")
    address = f"{party.names_in(serving.name).service(port.name)}.{domain}.svc"
    if port.scope == "Domain":
        return PictureRow(
            key, port.name, port.scope, address, f"called in {domain}", Exposure.INSIDE
        )
    allowed = _may_call(serving, party, port.name, access)
    if allowed == EVERYONE:
        note = "open to every domain that has a route"
        return PictureRow(key, port.name, port.scope, address, note, Exposure.ANYWHERE)
    note = f"called by {_others(serving, allowed, domain)}"
    return PictureRow(key, port.name, port.scope, address, note, Exposure.OTHERS)


def _others(serving: Serving, allowed: frozenset[str], domain: str) -> str:
    """Who may call: the other domains, and its own if another party of it takes part."""
    own = sum(party.domain == domain for party in serving.parties) > 1
    domains = dict.fromkeys(party.domain for party in serving.parties)
    names = [item for item in domains if item in allowed and (own or item != domain)]
    return some_names(names, "domains")


def _channels(serving: Serving, access: _Access) -> Iterator[_Channel]:
    found: dict[tuple[str, frozenset[str]], list[int]] = {}
    for index, party in enumerate(serving.parties):
        for port in _ports(party):
            if port.scope == "Cluster":
                allowed = _may_call(serving, party, port.name, access)
                found.setdefault((port.name, allowed), []).append(index)
    for (name, allowed), offering in found.items():
        is_open = allowed == EVERYONE
        calling = (
            index
            for index, party in enumerate(serving.parties)
            if (is_open or party.domain in allowed) and offering != [index]
        )
        yield _Channel(name, is_open, tuple(offering), tuple(calling))


def _link(serving: Serving, channel: _Channel, keys: Mapping[int, str]) -> Link:
    calling, offering = (_names(serving, item) for item in (channel.calling, channel.offering))
    mutual = channel.calling == channel.offering
    meaning = f"{calling} may call {'each other' if mutual else offering}"
    if channel.is_open:
        meaning += ", and so may every domain that has a route"
    sources = tuple(keys[index] for index in channel.calling)
    targets = tuple(keys[index] for index in channel.offering)
    return Link(LinkKind.CALL, channel.port, meaning, sources, targets)


def _names(serving: Serving, indexes: Iterable[int]) -> str:
    """All of a few domains, or how many there are."""
    return some_names((serving.parties[index].domain for index in indexes), "domains")


def draw_serving(applied: Applied, derivation: Derivation) -> Picture:
    """One serving: what is applied where, what runs, and who may call whom."""
    spec, environment = applied.spec, applied.environment
    serving = Serving.of(spec, environment)
    calls = Calls.of(serving)
    units = {unit.unit: unit for unit in derivation.units}
    taking_part = dict.fromkeys(party.domain for party in serving.parties)
    known = control_planes(environment, taking_part)
    involved = [item for item in known if not taking_part.keys().isdisjoint(item.domains)]
    home = next((item for item in involved if serving.initiator in item.domains), None)
    involved.sort(key=lambda item: item is not home)
    cards: dict[str, list[Card]] = {item.key: [] for item in involved}
    owners = {domain: item for item in involved for domain in item.domains}
    for party, rows in zip(serving.parties, calls.rows, strict=True):
        plane = owners[party.domain]
        cards[plane.key].append(_card(party, plane, serving, rows, units.get(party.unit)))
    groups = tuple(
        Group(
            item.title, item.tags, _applied(item, serving, home), tuple(cards[item.key]), item.ours
        )
        for item in involved
    )
    sync = tuple(_sync(home, involved))
    number = len(serving.parties)
    parties = "1 party" if number == 1 else f"{number} parties"
    return Picture(
        f"{serving.name} in {environment.name}",
        f"{parties} in {counted(len(involved), 'control plane')}, initiator {serving.initiator}",
        groups,
        (*sync, *calls.links),
        (_SCOPES, _TRAVELS) if sync else (_SCOPES,),
    )


def _sync(home: ControlPlane | None, involved: Sequence[ControlPlane]) -> Iterator[Link]:
    if home and len(involved) > 1:
        others = [item for item in involved if item is not home]
        targets = tuple(_deployment_key(item) for item in others)
        source = _deployment_key(home)
        yield Link(LinkKind.SYNC, "KusciaDeployment", travel(home, others), (source,), targets)


def travel(home: ControlPlane, others: Sequence[ControlPlane]) -> str:
    """From where to where something is synchronised."""
    names = [plane.title for plane in others]
    return f"synchronised from {home.title} to {some_names(names, 'control planes')}"


def _deployment_key(plane: ControlPlane) -> str:
    return f"{plane.key}/deployment"


def _applied(
    plane: ControlPlane, serving: Serving, home: ControlPlane | None
) -> tuple[PictureRow, ...]:
    """What a control plane gets, and how."""
    how = "arrives by synchronisation"
    if plane is home:
        how = "applied here" if plane.ours else "applied by its owner"
    deployment = PictureRow(_deployment_key(plane), f"KusciaDeployment {serving.name}", note=how)
    names = dict.fromkeys(party.image_name for party in serving.parties) if plane.ours else ()
    images = (
        PictureRow(f"{plane.key}/{name}", f"AppImage {name}", note="applied here") for name in names
    )
    return deployment, *images


def _card(
    party: Party,
    plane: ControlPlane,
    serving: Serving,
    rows: tuple[PictureRow, ...],
    unit: DerivedUnit | None,
) -> Card:
    if not plane.ours:  # of a partner's Services, only those are known that it offers to us
        rows = tuple(row for row in rows if row.exposure not in (Exposure.INSIDE, Exposure.NOWHERE))
    initiator = ("initiator",) if party.domain == serving.initiator else ()
    inside = any(row.exposure is Exposure.INSIDE for row in rows)
    tags = ((party.role,) if party.role else ()) + initiator
    lines = tuple(pod_lines(party, plane, unit))
    return Card(party.domain, tags, lines, rows, _GATEWAY if inside else ())


def pod_lines(party: Party, plane: ControlPlane, unit: DerivedUnit | None) -> Iterator[str]:
    """The image of a party, and how many pods it has."""
    yield image_line(party, plane, unit)
    if unit and unit.pods:
        yield bounds_text(unit_bounds(unit), "replica")


def image_line(party: Party, plane: ControlPlane, unit: DerivedUnit | None) -> str:
    """The image as the control plane pulls it; a partner's may come from anywhere."""
    image = unit.pods[0].spec.get("containers", 0, "image") if unit and unit.pods else None
    return str(image.value) if image and plane.ours else f"AppImage {party.image_name}"


def some_names(names: Iterable[str], what: str) -> str:
    """All of a few names, or how many there are."""
    found = list(dict.fromkeys(names))
    return listed(found) if len(found) <= _FEW else f"{len(found)} {what}"
