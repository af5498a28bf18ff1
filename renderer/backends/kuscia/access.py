"""Which domains may call a port, exactly as Kuscia's controller works it out."""

from collections.abc import Iterator

from renderer.backends.kuscia.serving import Party, Serving
from renderer.values.tree import Node

EVERYONE: frozenset[str] = frozenset()


def callers(serving: Serving, party: Party, port: str) -> frozenset[str]:
    """The domains that may call a port of the scope Cluster; none means every domain."""
    if len(serving.parties) <= 1 or not party.template:
        return EVERYONE
    if policy := party.template.node.get("networkPolicy"):
        roles = set(_roles(policy, port))
        return frozenset(item.domain for item in serving.parties if item.role in roles)
    domains = frozenset(item.domain for item in serving.parties)
    return domains if len(domains) > 1 else EVERYONE


def _roles(policy: Node, port: str) -> Iterator[str]:
    """The roles that the ingresses of a port name."""
    ingresses = policy.get("ingresses")
    for ingress in ingresses.elements if ingresses else ():
        ports, roles = ingress.get("ports"), ingress.get("from", "roles")
        names = [item.get("port") for item in (ports.elements if ports else ())]
        if any(name and name.value == port for name in names):
            yield from (str(role.value or "") for role in (roles.elements if roles else ()))
