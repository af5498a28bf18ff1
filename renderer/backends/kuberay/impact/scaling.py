"""How many pods a group has before and after a change of its numbers."""

from renderer.backends.kuberay.impact.judgement import Judged, Pair
from renderer.backends.kuberay.impact.rendered_workload import RenderedWorkload, pod_bounds
from renderer.values.changes import Change, How

SCALING = frozenset(("replicas", "minReplicas", "maxReplicas", "numOfHosts"))


def scaled(change: Change, pair: Pair) -> Judged:
    """A change of the numbers of a group that is there on both sides."""
    unit, new = pair.concerned(change)[0], pair.new
    was, now = (bounds(unit, side) for side in (pair.old, new))
    words = {"before": _text(*was), "after": _text(*now), "unit": unit}
    is_scaled = new.cluster is not None and new.cluster.is_scaled
    if is_scaled and change.path[-1] == "replicas" and change.how is How.REMOVED:
        return Judged(change, "replicas-left", (unit,), {**words, "after": str(now[0])})
    if was == now:
        return Judged(change, "scaled-same", (unit,), words)
    return Judged(change, "bounds" if is_scaled else "scaled", (unit,), words)


def bounds(unit: str, side: RenderedWorkload) -> tuple[int, int]:
    """How many pods a group has at least and at most; none if it is not there."""
    group, cluster = side.groups.get(unit), side.cluster
    return (
        pod_bounds(group, is_scaled=cluster is not None and cluster.is_scaled) if group else (0, 0)
    )


def _text(least: int, most: int) -> str:
    if least != most:
        return f"{least} to {most} pods"
    return f"{least} pod" if least == 1 else f"{least} pods"
