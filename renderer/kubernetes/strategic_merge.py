"""How Kubernetes lays one pod or container over another: a strategic merge, on bare data."""

from collections import deque
from collections.abc import Sequence

from renderer.values.tree import Plain

#: By what the items of a list are told apart; other lists take the place of the ones below them.
_KEYS = {
    "containers": "name",
    "env": "name",
    "ephemeralContainers": "name",
    "hostAliases": "ip",
    "imagePullSecrets": "name",
    "initContainers": "name",
    "ports": "containerPort",
    "resourceClaims": "name",
    "topologySpreadConstraints": "topologyKey",
    "volumeDevices": "devicePath",
    "volumeMounts": "mountPath",
    "volumes": "name",
}


def merge_strategically(below: dict[str, Plain], above: dict[str, Plain]) -> dict[str, Plain]:
    """A pod or a container with what another says of it; mappings join, other values replace."""
    return {**below, **{key: _joined(key, below.get(key), value) for key, value in above.items()}}


def _joined(key: str, below: Plain, above: Plain) -> Plain:
    if isinstance(below, dict) and isinstance(above, dict):
        return merge_strategically(below, above)
    if key in _KEYS and isinstance(below, list) and isinstance(above, list):
        return _listed(_KEYS[key], below, above)
    return above


def _listed(key: str, below: Sequence[Plain], above: Sequence[Plain]) -> list[Plain]:
    """Items that both have are merged; new ones come before those that only the lower one has.

    An item of the lower layer alone keeps its place before those of both that followed it.
    """
    places = {str(_key_of(item, key)): index for index, item in enumerate(below)}
    known = {str(_key_of(item, key)) for item in above}
    left = deque(item for item in below if str(_key_of(item, key)) not in known)
    found: list[Plain] = []
    for item in above:
        place = places.get(str(_key_of(item, key)))
        while place is not None and left and places[str(_key_of(left[0], key))] < place:
            found.append(left.popleft())
        found.append(item if place is None else _joined("", below[place], item))
    return [*found, *left]


def _key_of(item: Plain, key: str) -> Plain:
    return item.get(key) if isinstance(item, dict) else None
