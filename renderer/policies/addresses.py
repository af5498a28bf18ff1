"""Kubernetes' CEL functions of IP addresses and networks."""

from collections.abc import Mapping
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

_IP, _CIDR = "ip()", "cidr()"
_IPV4, _IPV6 = 4, 6
Address = IPv4Address | IPv6Address


def ip(text: str) -> dict[str, str]:
    return {_IP: str(_address(text))}


def is_ip(text: str) -> bool:
    with suppress(ValueError):
        return bool(_address(text))
    return False


def is_canonical(text: str) -> bool:
    return str(_address(text)) == text


def family(item: Any) -> int:
    return _IPV4 if isinstance(_read(item), IPv4Address) else _IPV6


def is_unspecified(item: Any) -> bool:
    return _read(item).is_unspecified


def is_loopback(item: Any) -> bool:
    return _read(item).is_loopback


def is_link_local_unicast(item: Any) -> bool:
    return _read(item).is_link_local


def is_link_local_multicast(item: Any) -> bool:
    address = _read(item)
    network = "224.0.0.0/24" if isinstance(address, IPv4Address) else "ff02::/16"
    return address in ip_network(network)


def is_global_unicast(item: Any) -> bool:
    """As Go has it: private addresses are among them."""
    address = _read(item)
    is_broadcast = address == IPv4Address("255.255.255.255")
    others = address.is_unspecified, address.is_loopback, address.is_multicast
    return not (is_broadcast or any(others) or address.is_link_local)


def cidr(text: str) -> dict[str, str]:
    network = _network(text)
    return {_CIDR: f"{_address(text.partition('/')[0])}/{network.prefixlen}"}


def is_cidr(text: str) -> bool:
    with suppress(ValueError):
        return bool(_network(text))
    return False


def contains_ip(item: Any, other: Any) -> bool:
    address = _address(other) if isinstance(other, str) else _read(other)
    return address in _network(_text(item, _CIDR))


def contains_cidr(item: Any, other: Any) -> bool:
    network = _network(_text(item, _CIDR))
    inner = _network(other if isinstance(other, str) else _text(other, _CIDR))
    same = network.version == inner.version and network.prefixlen <= inner.prefixlen
    return same and inner.network_address in network


def address_of(item: Any) -> dict[str, str]:
    return {_IP: _text(item, _CIDR).partition("/")[0]}


def masked(item: Any) -> dict[str, str]:
    return {_CIDR: str(_network(_text(item, _CIDR)))}


def prefix_length(item: Any) -> int:
    return int(_network(_text(item, _CIDR)).prefixlen)


def text_of(item: Any) -> str:
    """What `string()` makes of an address or a network."""
    return _text(item, _CIDR if _CIDR in item else _IP)


def _address(text: str) -> Address:
    """Without zones and without IPv4 within IPv6, which Kubernetes refuses."""
    address = ip_address(text)
    mapped = isinstance(address, IPv6Address) and address.ipv4_mapped
    if "%" in text or mapped:
        raise ValueError(f"{text!r} is no IP address that Kubernetes takes")
    return address


def _network(text: str) -> Any:
    address, slash, length = text.partition("/")
    if not (slash and length.isascii() and length.isdigit()) or str(int(length)) != length:
        raise ValueError(f"{text!r} is no network in CIDR notation")
    _address(address)
    return ip_network(text, strict=False)


def _read(item: Any) -> Address:
    return _address(_text(item, _IP))


def _text(item: Any, key: str) -> str:
    if not isinstance(item, Mapping) or key not in item:
        raise ValueError("no such overload")
    return str(item[key])
