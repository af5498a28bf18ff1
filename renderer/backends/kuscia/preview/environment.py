"""The environment that a config template sees, as far as it can be known before a pod runs."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from renderer.backends.kuscia.configtemplates.variables import OF_NODES
from renderer.backends.kuscia.pods import Container, containers
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.backends.kuscia.preview.pods import env
from renderer.text.expressions import expression
from renderer.values.tree import Plain

_REFERENCE = expression(r"\$(?:\$|\(([^()]*)\))")


class Environment(NamedTuple):
    """Variables with their values, or a marker; open if there may be others."""

    values: Mapping[str, str]
    is_open: bool


def environment(container: Container, plane: Plane, kit: Kit) -> Environment:
    """What a container's files are filled from; on the host cluster, that of all containers."""
    node = {name: f"<node:{name}>" for name in OF_NODES}
    if plane.runtime == "runk":
        everyone = (env(item, plane, kit) for item in containers(kit.template))
        return Environment({**node, **_of_pod(entry for own in everyone for entry in own)}, False)
    values = {**node, **_of_container(env(container, plane, kit))}
    return Environment(values, container.node.get("envFrom") is not None)


def expanded(value: str, known: Mapping[str, str]) -> str:
    """`$(NAME)` of a known variable becomes its value, `$$` one `$`; the rest stays."""

    def replaced(match: re.Match[str]) -> str:
        if match[1] is None:
            return "$"
        return known.get(match[1], match[0])

    return _REFERENCE.sub(replaced, value)


def _of_container(entries: Iterable[Plain]) -> dict[str, str]:
    """In order: a value may use the variables before it."""
    known: dict[str, str] = {}
    for name, value in _entries(entries):
        known[name] = f"<env:{name}>" if value is None else expanded(value, known)
    return known


def _of_pod(entries: Iterable[Plain]) -> dict[str, str]:
    """The first of a name counts, as it is written; a value from elsewhere is empty."""
    known: dict[str, str] = {}
    for name, value in _entries(entries):
        known.setdefault(name, value or "")
    return known


def _entries(entries: Iterable[Plain]) -> Iterable[tuple[str, str | None]]:
    """Names and values; none where the value is read from elsewhere."""
    for entry in entries:
        if isinstance(entry, dict):
            value = None if "valueFrom" in entry else str(entry.get("value") or "")
            yield str(entry.get("name")), value
