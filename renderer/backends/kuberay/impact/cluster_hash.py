"""What KubeRay compares of two clusters: it hashes their specs, but for some fields.

A service gets a new cluster if the hash differs, and a cluster with the strategy Recreate new pods.
"""

from renderer.backends.fields import elements, plain
from renderer.backends.kuberay.dialect import Dialect, Version
from renderer.values.changes import Change
from renderer.values.diagnostics import Path
from renderer.values.tree import Node, Plain

WORKERS = "workerGroupSpecs"
_EACH = "*"
_GROUP = (WORKERS, _EACH)
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
    "rayStartParams", "requests", "resources", "scaleStrategy",
))  # fmt: skip


def same_hash(
    old: Node, new: Node, dialect: Dialect, *, of_service: bool, groups: int | None = None
) -> bool:
    """Whether two clusters have one hash; with a number, the new one without its later groups."""
    first, second = (
        _stripped(plain(side), (), _left_out(dialect, of_service)) for side in (old, new)
    )
    if groups is not None and isinstance(second, dict) and len(elements(new, WORKERS)) > groups:
        listing = second.get(WORKERS)
        kept = listing[:groups] if isinstance(listing, list) else []
        second = {key: value for key, value in second.items() if key != WORKERS}
        second |= {WORKERS: kept} if kept else {}
    return first == second


def changes_hash(change: Change, where: Path, dialect: Dialect, *, of_service: bool) -> bool:
    """Whether a change below a path, which leads to a cluster, is one that its hash shows."""
    path = tuple(str(step) for step in change.path[len(where) :])
    left_out = _left_out(dialect, of_service)
    if any(_matches(path[:size], one) for one in left_out for size in range(1, len(path) + 1)):
        return False
    sides = (plain(side) if side else None for side in (change.before, change.after))
    old, new = (_stripped(side, path, left_out) for side in sides)
    return old != new


def _left_out(dialect: Dialect, of_service: bool) -> tuple[Path, ...]:
    known = (*_LEFT_OUT, _SUSPEND) if of_service else _LEFT_OUT
    return tuple(path for path, since in known if dialect.knows(since))


def _stripped(data: Plain, path: Path, left_out: tuple[Path, ...]) -> Plain:
    """The data without what is left out, and without what says nothing."""
    if isinstance(data, list):
        return [_stripped(item, (*path, _EACH), left_out) for item in data]
    if not isinstance(data, dict):
        return data
    kept = {
        key: _stripped(value, (*path, key), left_out)
        for key, value in data.items()
        if not any(_matches((*path, key), one) for one in left_out)
    }
    return {key: value for key, value in kept.items() if not _says_nothing(key, value)}


def _says_nothing(key: str, value: Plain) -> bool:
    return value is None or value == [] or (value == {} and key in _SAME_WHEN_EMPTY)


def _matches(path: Path, pattern: Path) -> bool:
    pairs = zip(path, pattern, strict=False)
    return len(path) == len(pattern) and all(other in (one, _EACH) for one, other in pairs)
