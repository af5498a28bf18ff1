"""What clusters, jobs and services ask of their places: before, after, and in between."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from renderer.backends.fields import elements, members, text
from renderer.backends.kuberay.impact.rendered_workload import (
    SUBMITTER,
    RenderedWorkload,
    pod_bounds,
)
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.backends.kuberay.workloads import Cluster, Group
from renderer.kubernetes.quantities import value
from renderer.kubernetes.rollouts import Amounts, Pods, both, greatest
from renderer.values.changes import Demand, Effect, ObjectChange, State, UnitImpacts
from renderer.values.tree import Node

_Containers = Mapping[str, Mapping[str, Amounts]]
_Asked = tuple[Amounts, Amounts, Amounts]
#: What KubeRay's own containers request unless somebody says otherwise.
_AUTOSCALER = {"cpu": Decimal("0.5"), "memory": Decimal(512 * 2**20)}
_SUBMITTER = {"cpu": Decimal("0.5"), "memory": Decimal(200 * 2**20)}


class _Pods(NamedTuple):
    """The pods of a unit: what each of them asks for, and how many there are."""

    containers: _Containers
    least: int
    most: int

    def asked(self, number: int) -> Amounts:
        return Pods(number, self.containers, 0).asked(number)

    @property
    def ends(self) -> tuple[Amounts, Amounts]:
        return self.asked(self.least), self.asked(self.most)


_NONE = _Pods({}, 0, 0)


def demands(
    change: ObjectChange, impacts: UnitImpacts, before: State, after: State
) -> Iterator[Demand]:
    """A demand for each unit of which something changes.

    `before` and `after` count the pods that are there without anybody asking for more, the peak as
    many as Ray's autoscaler may add; where nothing bounds it, those that are there.
    """
    old = RenderedWorkload.of(change.before, before, after) if change.before else None
    new = RenderedWorkload.of(change.after, after, before) if change.after else None
    former, present = (_running(item) for item in (old, new))
    manifest = change.manifest
    for unit in dict.fromkeys((*former, *present)):
        known = impacts.get((manifest.destination, unit), ())
        was, now = former.get(unit, _NONE), present.get(unit, _NONE)
        if asked := _asked(was, now, change, {item.effect for item in known}):
            where = manifest.environment, manifest.destination, str(manifest.spec), unit
            yield Demand(*where, *asked)


def _asked(was: _Pods, now: _Pods, change: ObjectChange, effects: set[Effect]) -> _Asked | None:
    """What is asked of a unit; nothing if that is what was asked before."""
    (least, most), (then, top) = was.ends, now.ends
    if Effect.BREAKS in effects:
        return least, both(least, then), both(most, top)
    if change.is_renamed or Effect.REPLACE in effects:
        return least, then, both(most, top)
    if Effect.IGNORED in effects:
        is_cluster = change.manifest.spec.kind.name == CLUSTER
        return _half_new(was, now) if is_cluster else None
    if was == now or Effect.REFUSED in effects:
        return None
    if Effect.ORPHANS in effects:
        return least, both(least, then), both(most, top)
    return least, then, greatest(most, top)


def _half_new(was: _Pods, now: _Pods) -> _Asked | None:
    """Pods that run stay as they are; those that are added are as they should be."""
    if (was.least, was.most) == (now.least, now.most):
        return None
    stay = min(was.least, now.least)
    after = both(was.asked(stay), now.asked(now.least - stay))
    peak = both(was.asked(stay), now.asked(max(now.most - stay, 0)))
    return was.ends[0], after, greatest(was.ends[1], peak)


def _running(workload: RenderedWorkload | None) -> Mapping[str, _Pods]:
    """What runs of a workload by its units; of one that is suspended, nothing."""
    if workload is None or workload.is_suspended:
        return {}
    cluster = workload.cluster
    found = {name: _of_group(group, cluster) for name, group in workload.groups.items() if cluster}
    if workload.has_submitter:
        found[SUBMITTER] = _Pods(_submitter(workload.spec), 1, 1)
    return found


def _of_group(group: Group, cluster: Cluster) -> _Pods:
    containers = dict(_containers(group.node.get("template", "spec")))
    if group.is_head and cluster.is_scaled:
        given = _amounts(cluster.node.get("autoscalerOptions"))
        containers["autoscaler"] = given if any(given.values()) else _own(_AUTOSCALER)
    return _Pods(containers, *pod_bounds(group, is_scaled=cluster.is_scaled))


def _submitter(job: Node) -> _Containers:
    """The pod that submits a job: KubeRay's own, or one that the job describes."""
    template = job.get("submitterPodTemplate", "spec")
    return dict(_containers(template)) if template else {SUBMITTER: _own(_SUBMITTER)}


def _own(requests: Amounts) -> Mapping[str, Amounts]:
    return {"requests": requests, "limits": {}}


def _containers(pod: Node | None) -> Iterator[tuple[str, Mapping[str, Amounts]]]:
    for number, container in enumerate(elements(pod, "containers")):
        yield text(container, "name") or str(number), _amounts(container)


def _amounts(container: Node | None) -> Mapping[str, Amounts]:
    """The requests and limits of a container."""
    found = {}
    for kind in ("requests", "limits"):
        given = members(container, "resources", kind).items()
        read = {name: value(text(node)) for name, node in given}
        found[kind] = {name: amount for name, amount in read.items() if amount is not None}
    return found
