"""What pictures say of a serving: its parties, their Services, and who may call them."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.kuscia.app_image import APP_IMAGE
from renderer.backends.kuscia.deploy_template import Port, ports
from renderer.backends.kuscia.serving import EVERYONE, Party, Serving
from renderer.backends.kuscia.settings import ControlPlane, control_planes
from renderer.derive.pods import bounds_text, unit_bounds
from renderer.text.wording import counted, few_listed
from renderer.values.derivations import Applied, Derivation, DerivedUnit
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.picture import (
    Card,
    DrawnSpec,
    DrawnUnit,
    Exposure,
    Link,
    LinkKind,
    PictureRow,
    Place,
    SharedThing,
)

_Access = dict[tuple[int, str], frozenset[str]]
_PLANE = "control plane"
_GATEWAY = ("gateway", "callers in", "the domain")
_SCOPES = (
    "Ports of scope Cluster are called through the gateways of both domains, those of scope Domain "
    "by callers in the domain through its gateway, Local ones within the pod."
)
_TRAVELS = (
    "A KusciaDeployment is applied to the control plane of its initiator only and travels to the "
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
    return few_listed(names, "domain")


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
    return few_listed((serving.parties[index].domain for index in indexes), "domain")


def known_places(environment: Environment) -> Iterator[Place]:
    """The control planes that an environment names, whether they run anything or not."""
    return map(_place, control_planes(environment, ()))


def _place(plane: ControlPlane) -> Place:
    tags = (_PLANE,) if plane.ours else (_PLANE, "not ours")
    return Place(plane.title, tags, plane.ours, _PLANE, owners=plane.domains, owner_noun="domain")


@cached_by_identity
def _places_by_domain(environment: Environment) -> dict[str, Place]:
    planes = control_planes(environment, ())
    return {domain: _place(plane) for plane in planes for domain in plane.domains}


def _place_of(domain: str, environment: Environment) -> Place:
    """Where a domain runs its parties; one that the environment does not name is a partner's."""
    known = _places_by_domain(environment).get(domain)
    return known or _place(ControlPlane(domain, domain, (), (domain,)))


def draw_serving(applied: Applied, derivation: Derivation) -> DrawnSpec:
    """One serving: the parties at their control planes, and who may call whom."""
    serving = Serving.of(applied.spec, applied.environment)
    home = _place_of(serving.initiator, applied.environment)
    units = {unit.unit: unit for unit in derivation.units}
    calls = Calls.of(serving)
    drawn = tuple(
        _draw_party(party, serving, rows, units.get(party.unit))
        for party, rows in zip(serving.parties, calls.rows, strict=True)
    )
    images = dict.fromkeys(party.image_name for party in serving.parties)
    number, involved = len(drawn), len({home, *(item.place for item in drawn)})
    parties = "1 party" if number == 1 else f"{number} parties"
    return DrawnSpec(
        f"{parties} in {counted(involved, _PLANE)}, initiator {serving.initiator}",
        home,
        drawn,
        tuple(SharedThing(APP_IMAGE, name, "applied here") for name in images),
        links=calls.links,
        remarks=(_SCOPES,),
        travels=_TRAVELS,
        noun="serving",
        object_noun="KusciaDeployment",
    )


def _draw_party(
    party: Party, serving: Serving, rows: tuple[PictureRow, ...], unit: DerivedUnit | None
) -> DrawnUnit:
    place = _place_of(party.domain, serving.environment)
    if not place.ours:  # of a partner's Services, only those are known that it offers to us
        rows = tuple(row for row in rows if row.exposure not in (Exposure.INSIDE, Exposure.NOWHERE))
    lead = "initiator" if party.domain == serving.initiator else ""
    tags = tuple(filter(None, (party.role, lead)))
    is_inside = any(row.exposure is Exposure.INSIDE for row in rows)
    lines = tuple(_pod_lines(party, unit, ours=place.ours))
    card = Card(party.domain, tags, lines, rows, _GATEWAY if is_inside else ())
    row = PictureRow(party.unit, party.domain, " · ".join(tags), note=" · ".join(lines))
    return DrawnUnit(card, row, place, unit, party.domain, lead)


def _pod_lines(party: Party, unit: DerivedUnit | None, *, ours: bool) -> Iterator[str]:
    """The image as the control plane pulls it, and how many pods there are.

    A partner may pull the image from anywhere.
    """
    image = unit.pods[0].spec.get("containers", 0, "image") if unit and unit.pods else None
    yield str(image.value) if image and ours else f"AppImage {party.image_name}"
    if unit and unit.pods:
        yield bounds_text(unit_bounds(unit), "replica")
