"""What KubeRay compares of two clusters: it hashes their specs, but for some fields.

A service gets a new cluster if the hash differs, and a cluster with the strategy Recreate new pods.
"""

from renderer.backends.fields import plain
from renderer.backends.kuberay.dialect import Dialect, Version
from renderer.derive.behaviour import ANY, matches
from renderer.values.changes import Change
from renderer.values.diagnostics import Path
from renderer.values.tree import Plain

WORKERS = "workerGroupSpecs"
_GROUP = (WORKERS, ANY)
_HEAD_POD, _WORKER_POD = ((*group, "template", "spec") for group in (("headGroupSpec",), _GROUP))
#: Since when a field is left out of the hash.
_LEFT_OUT: tuple[tuple[Path, Version], ...] = (
    ((*_GROUP, "replicas"), (1, 0, 0)),
    ((*_GROUP, "scaleStrategy", "workersToDelete"), (1, 0, 0)),
    ((*_GROUP, "minReplicas"), (1, 2, 0)),
    ((*_GROUP, "maxReplicas"), (1, 2, 0)),
    *(((*pod, "tolerations"), (1, 5, 2)) for pod in (_HEAD_POD, _WORKER_POD)),
    *(((*pod, "schedulingGates"), (1, 5, 2)) for pod in (_HEAD_POD, _WORKER_POD)),
    (("upgradeStrategy",), (1, 6, 0)),
)
#: Of clusters of services alone.
_SUSPEND = (("suspend",), (1, 7, 0))
#: What says nothing where it is empty: KubeRay does not write it down, or always does.
_SAME_WHEN_EMPTY = frozenset((
    "annotations", "headServiceAnnotations", "labels", "limits", "metadata", "nodeSelector",
    "requests", "resources", "scaleStrategy",
))  # fmt: skip
#: What the API server writes where nothing is said.
_DEFAULTS = {"numOfHosts": 1, "priority": 0, "protocol": "TCP"}


def hashed(cluster: Plain, dialect: Dialect, *, of_service: bool) -> Plain:
    """The spec of a cluster as far as its hash shows it."""
    return _stripped(cluster, (), _left_out(dialect, of_service))


def changes_hash(change: Change, where: Path, dialect: Dialect, *, of_service: bool) -> bool:
    """Whether a change below a path, which leads to a cluster, is one that its hash shows."""
    if is_left_out(change, where, dialect, of_service=of_service):
        return False
    path, left_out = change.path[len(where) :], _left_out(dialect, of_service)
    sides = (plain(side) if side else None for side in (change.before, change.after))
    old, new = (_stripped(side, path, left_out) for side in sides)
    key = str(path[-1]) if path else ""
    return old != new and not (_says_nothing(key, old) and _says_nothing(key, new))


def is_left_out(change: Change, where: Path, dialect: Dialect, *, of_service: bool) -> bool:
    """Whether the hash leaves out what a change is about."""
    path = change.path[len(where) :]
    return any(matches(one, path) for one in _left_out(dialect, of_service))


def _left_out(dialect: Dialect, of_service: bool) -> tuple[Path, ...]:
    """The paths of what the hash leaves out, items of lists as a star."""
    known = (*_LEFT_OUT, _SUSPEND) if of_service else _LEFT_OUT
    return tuple(path for path, since in known if dialect.knows(since))


def _stripped(data: Plain, path: Path, left_out: tuple[Path, ...]) -> Plain:
    """The data without what is left out, and without what says nothing."""
    if isinstance(data, list):
        return [_stripped(item, (*path, ANY), left_out) for item in data]
    if not isinstance(data, dict):
        return data
    kept = {
        key: _stripped(value, (*path, key), left_out)
        for key, value in data.items()
        if not any(matches(one, (*path, key)) for one in left_out)
    }
    return {key: value for key, value in kept.items() if not _says_nothing(key, value)}


def _says_nothing(key: str, value: Plain) -> bool:
    if key in _DEFAULTS and value == _DEFAULTS[key]:
        return True
    return value is None or value == [] or (value == {} and key in _SAME_WHEN_EMPTY)
