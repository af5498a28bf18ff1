"""The Services of a serving's parties, and the calls between them."""

from collections.abc import Iterable
from typing import NamedTuple

from renderer.backends.kuscia.access import EVERYONE, callers
from renderer.backends.kuscia.names import deployment_name, service_name
from renderer.backends.kuscia.pods import Port, ports
from renderer.backends.kuscia.serving import Party, Serving, text
from renderer.pictures.picture import Kind, Link, Reach, Row
from renderer.wording import listed

FEW = 3
_Access = dict[tuple[int, str], frozenset[str]]


class _Channel(NamedTuple):
    """A port that the same domains may call, and the parties that offer it."""

    port: str
    callers: frozenset[str]
    offered_by: list[int]


class Calls(NamedTuple):
    """The rows of each party, in the order of the parties, and what connects them."""

    rows: tuple[tuple[Row, ...], ...]
    links: tuple[Link, ...]

    @classmethod
    def of(cls, serving: Serving) -> "Calls":
        access: _Access = {}
        offered = [
            [_port_row(serving, index, port, access) for port in _sorted_ports(party)]
            for index, party in enumerate(serving.parties)
        ]
        extra: list[list[Row]] = [[] for _ in serving.parties]
        links = []
        for number, channel in enumerate(_channels(serving, access)):
            link = _link(serving, channel, number)
            known = {f"{index}/{channel.port}" for index in channel.offered_by}
            for key in link.sources:
                if key not in known:
                    whom = _names(serving.parties[index].domain for index in channel.offered_by)
                    row = Row(key, f"calls {channel.port} of {whom}", reach=Reach.OTHERS)
                    extra[int(key.partition("/")[0])].append(row)
            if len(link.keys) > 1:
                links.append(link)
        rows = zip(offered, extra, strict=True)
        return cls(tuple((*own, *more) for own, more in rows), tuple(links))


def _sorted_ports(party: Party) -> list[Port]:
    """Those that most may call first."""
    known = ports(party.template.node).values() if party.template else ()
    return sorted(known, key=lambda port: ("Cluster", "Domain", "Local").index(port.scope))


def _may_call(serving: Serving, party: Party, port: str, access: _Access) -> frozenset[str]:
    """Worked out once for all parties of one template."""
    key = (id(party.template.node) if party.template else 0, port)
    if key not in access:
        access[key] = callers(serving, party, port)
    return access[key]


def _port_row(serving: Serving, index: int, port: Port, access: _Access) -> Row:
    party = serving.parties[index]
    key, domain = f"{index}/{port.name}", party.domain
    if port.scope == "Local":
        return Row(key, port.name, port.scope, note="within the pod")
    prefix = text(party.node, "service_name_prefix")
    service = service_name(deployment_name(serving.name, party.role), port.name, prefix)
    address = f"{service}.{domain}.svc"
    if port.scope == "Domain":
        return Row(key, port.name, port.scope, address, f"called in {domain}", Reach.INSIDE)
    allowed = _may_call(serving, party, port.name, access)
    if allowed == EVERYONE:
        note = "open to every domain that has a route"
        return Row(key, port.name, port.scope, address, note, Reach.ANYWHERE)
    others = _names(item for item in _domains(serving) if item in allowed and item != domain)
    return Row(key, port.name, port.scope, address, f"called by {others}", Reach.OTHERS)


def _domains(serving: Serving) -> Iterable[str]:
    return dict.fromkeys(party.domain for party in serving.parties)


def _channels(serving: Serving, access: _Access) -> list[_Channel]:
    found: dict[tuple[str, frozenset[str]], _Channel] = {}
    for index, party in enumerate(serving.parties):
        for port in _sorted_ports(party):
            if port.scope == "Cluster":
                allowed = _may_call(serving, party, port.name, access)
                channel = found.setdefault((port.name, allowed), _Channel(port.name, allowed, []))
                channel.offered_by.append(index)
    return list(found.values())


def _link(serving: Serving, channel: _Channel, number: int) -> Link:
    """Who may call reaches a row of whoever offers; who only calls gets a row for that."""
    offering = set(channel.offered_by)
    calling = [
        index
        for index, party in enumerate(serving.parties)
        if (channel.callers == EVERYONE or party.domain in channel.callers) and offering - {index}
    ]
    sources = (
        f"{index}/{channel.port}" if index in offering else f"{index}/calls/{number}"
        for index in calling
    )
    targets = tuple(f"{index}/{channel.port}" for index in channel.offered_by)
    label = f"{channel.port}: {_sentence(serving, calling, channel.offered_by)}"
    return Link(Kind.CALL, label, tuple(sources), targets)


def _sentence(serving: Serving, calling: list[int], offering: list[int]) -> str:
    names = [party.domain for party in serving.parties]
    if calling == offering:
        return f"{_names(names[index] for index in calling)} may call each other"
    return f"{_names(names[i] for i in calling)} may call {_names(names[i] for i in offering)}"


def _names(domains: Iterable[str]) -> str:
    """All of a few names, or how many there are."""
    names = list(dict.fromkeys(domains))
    return listed(names) if len(names) <= FEW else f"{len(names)} domains"
