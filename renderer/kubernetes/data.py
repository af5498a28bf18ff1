"""Bare data of objects: read without asking whether it is there, and laid over one another."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from renderer.values.tree import Plain

Data = dict[str, Plain]


def mapping(data: Mapping[str, Plain], *path: str) -> Data:
    """The mapping at a path; empty where there is none."""
    found: Plain = dict(data)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def items(data: Mapping[str, Plain], key: str) -> list[Data]:
    """The mappings in a list; none where there is no list."""
    found = data.get(key)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def number(data: Mapping[str, Plain], key: str) -> int | None:
    found = data.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def texts(data: Mapping[str, Plain], key: str) -> dict[str, str]:
    """Labels or annotations; texts stay what they are, as they may know where they came from."""
    given = mapping(data, key).items()
    return {name: value if isinstance(value, str) else str(value) for name, value in given}


def words(data: Mapping[str, Plain], key: str) -> list[str]:
    """A list of texts, such as arguments."""
    found = data.get(key)
    listing = found if isinstance(found, list) else []
    return [item if isinstance(item, str) else str(item) for item in listing]


def variable(container: Mapping[str, Plain], name: str) -> str | None:
    """The value of a variable of a container; nothing if it has none."""
    found = (item for item in items(container, "env") if item.get("name") == name)
    return next((str(item.get("value") or "") for item in found), None)


def container_named(containers: list[Data], name: str) -> Data | None:
    return next((item for item in containers if item.get("name") == name), None)


def change_container(pod: Data, name: str, change: Callable[[Data], Data]) -> Data:
    """A pod whose container of a name is changed, if it has one."""
    containers = items(pod, "containers")
    done = (change(item) if item.get("name") == name else item for item in containers)
    return {**pod, "containers": [*done]}


def make_object(version: str, kind: str, metadata: Data, spec: Data) -> Data:
    return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec}


#: The key that distinguishes the items of a list; other lists replace the ones below.
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
