"""What becomes of what runs when an edit is applied: KubeRay replaces few of the pods it made.

It compares hashes of the old and the new cluster, which leave some fields out. A service gets a new
cluster if they differ, and a cluster with the strategy Recreate gets new pods.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from renderer.backends.fields import plain
from renderer.backends.kuberay.derive.plan import RayPlan
from renderer.backends.kuberay.dialect import Dialect, Version
from renderer.backends.kuberay.pod_numbers import hosts
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.derive.behaviour import ANY, matches
from renderer.derive.pods import unit_bounds
from renderer.kubernetes.data import Data, items, mapping
from renderer.values.changes import Change
from renderer.values.derivations import DerivedUnit, Pods, Problem
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Plain

RECREATES_SINCE, _RECREATE = (1, 6, 0), "Recreate"
#: Recorded with 1.6.1: edit-service-suspend-cluster. Since 1.7 the hash leaves `suspend` out.
_SUSPENDED_IN_PLACE, _SUSPENDED_AT_START = (1, 6, 1), (1, 7, 0)
#: Since when a cluster remembers in a condition that it is suspended.
_REMEMBERS_SUSPENSION = (1, 3, 0)
#: Since when the CRD keeps the backend of fault tolerance from being changed.
_FIXED_BACKEND_SINCE = (1, 7, 0)
#: Since when services have a finalizer.
_FINALIZES_SERVICES = (1, 6, 2)
_WHOLE_REPLICAS = "RayMultiHostIndexing"
#: Types of Services that the operator makes without an address (recorded: edit-service-type).
_HEADLESS_TYPES = ("", "ClusterIP")
_UPGRADES = (None, "", "NewCluster")
WORKERS = "workerGroupSpecs"
_GROUP = (WORKERS, ANY)
_HEAD_POD, _WORKER_POD = ((*group, "template", "spec") for group in (("headGroupSpec",), _GROUP))
#: Since when a field is left out of the hash.
_IGNORED: tuple[tuple[Path, Version], ...] = (
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


class Fate(StrEnum):
    """What becomes of the cluster of a service."""

    SAME = "same"
    UPDATED = "updated"
    REPLACED = "replaced"
    KEPT = "kept"
    DOUBLED = "doubled"


def is_recreated(old: RayPlan, new: RayPlan) -> bool:
    """Whether KubeRay deletes all pods of a cluster and makes new ones: its hash is another one."""
    strategy = mapping(new.spec, "upgradeStrategy").get("type")
    if not new.dialect.knows(RECREATES_SINCE) or strategy != _RECREATE:
        return False
    was, now = (hashed_spec(side.content, new.dialect, of_service=False) for side in (old, new))
    return was != now


@cached_by_identity
def fate(old: RayPlan, new: RayPlan) -> Fate:
    """What KubeRay does about the cluster of a service that was another one before."""
    if _toggles_in_place(old, new):
        return Fate.UPDATED
    was, now = (hashed_spec(side.content, new.dialect, of_service=True) for side in (old, new))
    if was == now:
        return Fate.SAME
    if isinstance(was, dict) and isinstance(now, dict) and _only_adds_groups(was, now):
        return Fate.UPDATED
    if mapping(new.spec, "upgradeStrategy").get("type") not in _UPGRADES and not new.is_incremental:
        return Fate.KEPT
    return Fate.DOUBLED if _needs_an_address(old, new) else Fate.REPLACED


@cached_by_identity
def plan_after(old: RayPlan, new: RayPlan) -> RayPlan:
    """The new plan as KubeRay follows it where the old one was applied before.

    A cluster that is suspended is resumed by `suspend: false` alone: without the key it stays as it
    is (recorded: edit-cluster-resume-key-removed, edit-service-resume-cluster-key-removed).
    """
    is_same_cluster = new.kind == CLUSTER or (new.kind == SERVICE and _toggles_in_place(old, new))
    is_silent = new.content.get("suspend") is None and new.dialect.knows(_REMEMBERS_SUSPENSION)
    was_off = old.is_own and old.content.get("suspend") is True
    return new._replace(held=True) if is_same_cluster and is_silent and was_off else new


def _toggles_in_place(old: RayPlan, new: RayPlan) -> bool:
    """Whether KubeRay suspends or resumes the cluster, and updates the rest of it with that."""
    was, now = (side.content.get("suspend") is True for side in (old, new))
    return was != now and _SUSPENDED_IN_PLACE <= new.dialect.version < _SUSPENDED_AT_START


def _only_adds_groups(was: Data, now: Data) -> bool:
    """Whether groups were added at the end, and nothing else differs.

    Then the operator updates the cluster of a service that runs (edit-service-group-appended).
    """
    groups = items(was, WORKERS)
    first: Data = {WORKERS: [*items(now, WORKERS)[: len(groups)]]} if groups else {}
    rest: Data = {key: value for key, value in now.items() if key != WORKERS}
    return {**rest, **first} == was


def _needs_an_address(old: RayPlan, new: RayPlan) -> bool:
    """Whether the head's Service, which has no address, should be one that needs it.

    Kubernetes does not let it, and the second cluster never takes over.
    """
    is_headless = "headService" not in old.head and _service_type(old) in _HEADLESS_TYPES
    return is_headless and _service_type(new) not in _HEADLESS_TYPES


def _service_type(plan: RayPlan) -> str:
    """The type of the head's Service; what `headService` says counts."""
    own = mapping(plan.head, "headService", "spec").get("type")
    return str(own or plan.head.get("serviceType") or "")


def leaves_pods(old: RayPlan, new: RayPlan, unit: str) -> bool:
    """Whether KubeRay begins to count replicas of several hosts: old pods are not part of any.

    Recorded: edit-cluster-hosts.
    """
    was, now = (
        next((hosts(group) for group in side.cluster.workers if group.name == unit), 1)
        for side in (old, new)
    )
    return new.settings.has(_WHOLE_REPLICAS) and was == 1 < now


def refusals(old: RayPlan, new: RayPlan) -> Iterator[Problem]:
    """Fields that have a value for good, and get another one; giving them one, or none, is fine."""
    places: list[Path] = [("spec", "managedBy"), (*new.cluster.path, "managedBy")]
    if new.dialect.knows(_FIXED_BACKEND_SINCE):
        places.append((*new.cluster.path, "gcsFaultToleranceOptions", "backend"))
    for place in dict.fromkeys(places):
        was, now = (_value(side, place) for side in (old, new))
        if was and now and was != now:
            yield Problem("it has a value for good", place, refused=True)
    yield from _torn_parts(old, new)


def _torn_parts(old: RayPlan, new: RayPlan) -> Iterator[Problem]:
    """Parts that go, and of which something stays that nobody can have.

    To add its finalizer, KubeRay writes the whole object, and so owns what it fills in: `resources`
    of containers, `targetPort` of ports. When Git takes the part away, lists with these stay as
    null, which the API server refuses (observed).
    """
    if not _is_written_back(old):
        return
    cluster = old.cluster.path
    service = (*cluster, "headGroupSpec", "headService")
    for place, owned, inside in (
        (("spec", "submitterPodTemplate"), "resources", "containers"),
        (service, "targetPort", "ports"),
    ):
        was, now = (_part(side, place) for side in (old, new))
        if (
            was
            and not now
            and any(owned not in item for item in items(mapping(was, "spec"), inside))
        ):
            reason = "KubeRay has written to it, so that a part of it would stay"
            yield Problem(reason, place, refused=True)


def _is_written_back(plan: RayPlan) -> bool:
    """Whether KubeRay adds a finalizer to the object."""
    return plan.kind == JOB or (plan.kind == SERVICE and plan.dialect.knows(_FINALIZES_SERVICES))


def _part(plan: RayPlan, place: Path) -> Data:
    return mapping({"spec": plan.spec}, *map(str, place))


def _value(plan: RayPlan, place: Path) -> str:
    *above, key = (str(step) for step in place[1:])
    return str(mapping(plan.spec, *above).get(key) or "")


def upgraded_units(
    plan: RayPlan, units: tuple[DerivedUnit, ...], old: RayPlan, former: tuple[DerivedUnit, ...]
) -> tuple[DerivedUnit, ...]:
    """The units once an edit is applied to what runs, which KubeRay does not always make so."""
    if plan.is_suspended or not any(unit.pods for unit in former):
        return units
    if plan.kind == JOB or plan.manager:
        return former  # a job that was started is not read again, nor what others manage
    known = {unit.unit: unit for unit in former}
    if plan.kind == CLUSTER:
        if is_recreated(old, plan):
            return units
        left = {unit.unit for unit in units if leaves_pods(old, plan, unit.unit)}
        kept = {name: unit for name, unit in known.items() if name not in left}
        mixed = _keep_old_pods(units, kept)
        return tuple(
            _keep_all_old_pods(known, unit) if unit.unit in left else unit for unit in mixed
        )
    match fate(old, plan):
        case Fate.KEPT:
            return former
        case Fate.UPDATED:
            return _keep_old_pods(units, known)
        case Fate.DOUBLED:
            return tuple(_keep_all_old_pods(known, unit) for unit in units)
        case _:
            return units


def _keep_all_old_pods(known: Mapping[str, DerivedUnit], unit: DerivedUnit) -> DerivedUnit:
    """A unit whose new pods are there beside all of its old ones."""
    old = known[unit.unit].pods if unit.unit in known else ()
    return unit._replace(pods=(*old, *unit.pods))


def _keep_old_pods(
    units: tuple[DerivedUnit, ...], known: Mapping[str, DerivedUnit]
) -> tuple[DerivedUnit, ...]:
    """Pods that run stay as they are, only those that are added are as they should be."""
    return tuple(
        unit._replace(pods=tuple(_mix_pods(known[unit.unit], unit.pods)))
        if unit.unit in known and unit.pods
        else unit
        for unit in units
    )


def _mix_pods(old: DerivedUnit, new: tuple[Pods, ...]) -> list[Pods]:
    """Of the pods that there are at least, as many are old ones as there were."""
    (added,) = new
    stay = min(unit_bounds(old)[0], added.least)
    if not stay or old.pods[-1].spec.plain() == added.spec.plain():
        return [added]
    most = None if added.most is None else added.most - stay
    rest = added._replace(least=added.least - stay, most=most, start=max(added.start - stay, 0))
    kept = old.pods[-1]._replace(least=stay, most=stay, start=stay)
    return [kept] if rest.most == 0 else [kept, rest]


def hashed_spec(cluster: Plain, dialect: Dialect, *, of_service: bool) -> Plain:
    """The spec of a cluster as far as its hash shows it."""
    return _strip(cluster, (), _ignored_paths(dialect, of_service))


def changes_hash(change: Change, where: Path, dialect: Dialect, *, of_service: bool) -> bool:
    """Whether a change below a path, which leads to a cluster, is one that its hash shows."""
    if is_ignored_by_hash(change, where, dialect, of_service=of_service):
        return False
    path, ignored = change.path[len(where) :], _ignored_paths(dialect, of_service)
    sides = (plain(side) if side else None for side in (change.before, change.after))
    old, new = (_strip(side, path, ignored) for side in sides)
    key = str(path[-1]) if path else ""
    return old != new and not (_is_default(key, old) and _is_default(key, new))


def is_ignored_by_hash(change: Change, where: Path, dialect: Dialect, *, of_service: bool) -> bool:
    """Whether the hash leaves out what a change is about."""
    path = change.path[len(where) :]
    return any(matches(one, path) for one in _ignored_paths(dialect, of_service))


def _ignored_paths(dialect: Dialect, of_service: bool) -> tuple[Path, ...]:
    """The paths of what the hash leaves out, items of lists as a star."""
    known = (*_IGNORED, _SUSPEND) if of_service else _IGNORED
    return tuple(path for path, since in known if dialect.knows(since))


def _strip(data: Plain, path: Path, ignored: tuple[Path, ...]) -> Plain:
    """The data without what is left out, and without what says nothing."""
    if isinstance(data, list):
        return [_strip(item, (*path, ANY), ignored) for item in data]
    if not isinstance(data, dict):
        return data
    kept = {
        key: _strip(value, (*path, key), ignored)
        for key, value in data.items()
        if not any(matches(one, (*path, key)) for one in ignored)
    }
    return {key: value for key, value in kept.items() if not _is_default(key, value)}


def _is_default(key: str, value: Plain) -> bool:
    if key in _DEFAULTS and value == _DEFAULTS[key]:
        return True
    return value is None or value == [] or (value == {} and key in _SAME_WHEN_EMPTY)
