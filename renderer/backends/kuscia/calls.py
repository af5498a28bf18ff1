"""The Services of a serving's parties, and the calls between them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from renderer.backends.kuscia.access import EVERYONE, callers
from renderer.backends.kuscia.names import deployment_name, service_name
from renderer.backends.kuscia.pods import Port, ports
from renderer.backends.kuscia.serving import Party, Serving, text
from renderer.text.wording import listed
from renderer.values.picture import Exposure, Link, LinkKind, PictureRow

FEW = 3
_Access = dict[tuple[int, str], frozenset[str]]


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
        access[key] = callers(serving, party, port)
    return access[key]


def _port_row(serving: Serving, party: Party, key: str, port: Port, access: _Access) -> PictureRow:
    domain = party.domain
    if port.scope == "Local":
        return PictureRow(key, port.name, port.scope, note="within the pod")
    prefix = text(party.node, "service_name_prefix")
    service = service_name(deployment_name(serving.name, party.role), port.name, prefix)
    address = f"{service}.{domain}.svc"
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
    return listed(names) if len(names) <= FEW else f"{len(names)} domains"


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
    names = dict.fromkeys(serving.parties[index].domain for index in indexes)
    return listed(names) if len(names) <= FEW else f"{len(names)} domains"
