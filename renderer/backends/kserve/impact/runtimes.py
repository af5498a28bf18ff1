"""From the change of a runtime to what it does to the services that use it."""

from collections.abc import Iterator

from renderer.backends.fields import plain, text
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.impact.judgement import Judged, share, words_of
from renderer.backends.kserve.impact.obstacles import obstacle
from renderer.backends.kserve.impact.rendered_service import RenderedService
from renderer.backends.kserve.impact.services import CausedImpact, impact_of
from renderer.backends.kserve.impact.used_runtimes import in_cluster
from renderer.backends.kserve.impact.workloads import Workload, workloads_of
from renderer.backends.kserve.inference_service import PREDICTOR
from renderer.values.changes import Change, ObjectChange, State
from renderer.values.model import Manifest

#: What a runtime says of itself and not of pods.
_OUTSIDE_PODS = frozenset(("supportedModelFormats", "protocolVersions", "disabled", "multiModel"))
_WORKERS = "workerSpec"
#: Where a service names its runtime.
_NAME = ("spec", PREDICTOR, "model", "runtime")


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What a runtime's change does to services that named it before, or named none."""
    for manifest in in_cluster(change.manifest, "inferenceservices", after):
        former = before.at(manifest.path)
        if former is None or plain(former.tree, *_NAME) != plain(manifest.tree, *_NAME):
            continue
        new = RenderedService.of(manifest, after, before)
        old = new.using(before)
        if new.mode != MODEL_MESH and _follows(old, new, change):
            for cause, unit, judged in _on_service(old, new, change):
                yield cause, impact_of(judged, unit, new)


def _follows(old: RenderedService, new: RenderedService, change: ObjectChange) -> bool:
    """Whether the service uses the runtime, before or after."""
    used = (side.used.manifest for side in (old, new) if side.used)
    return any(item is side for item in used if item for side in change.sides)


def _on_service(
    old: RenderedService, new: RenderedService, change: ObjectChange
) -> Iterator[tuple[Change | None, str, Judged]]:
    name = text(change.manifest.tree, "metadata", "name")
    words = {"runtime": name}
    units = [part.unit for part in new.parts]
    causes: tuple[Change | None, ...] = change.changes or (None,)
    if _loses_workers(change):
        reason = f"`{_WORKERS}` may not be removed once it is there"
        yield from ((None, unit, Judged("runtime-refused", {"reason": reason})) for unit in units)
    elif new.is_frozen:
        yield from ((cause, PREDICTOR, Judged("runtime-frozen", words)) for cause in causes)
    elif new.is_stopped:
        return
    elif new.used is None:
        yield from ((None, unit, Judged("runtime-missing", words)) for unit in units)
    elif reason := obstacle(new):
        broken = Judged("runtime-broken", {"reason": reason})
        yield from ((cause, unit, broken) for cause in causes for unit in units)
    else:
        for unit in units:
            was, now = (workloads_of(side)[unit] for side in (old, new))
            for cause in causes:
                if judged := _on_workload(cause, was, now, change, new):
                    yield cause, unit, judged._replace(words={**words, **judged.words})


def _loses_workers(change: ObjectChange) -> bool:
    if not change.before or not change.after or change.is_renamed:
        return False
    had, has = (side.tree.get("spec", _WORKERS) for side in (change.before, change.after))
    return had is not None and has is None


def _on_workload(
    cause: Change | None, was: Workload, now: Workload, change: ObjectChange, new: RenderedService
) -> Judged | None:
    """What a change of the runtime does to pods; creations and deletions wake nobody."""
    is_same = was.template == now.template
    if cause is None or change.is_renamed:
        kind = "runtime-came" if change.after else "runtime-gone"
        return None if is_same else Judged(kind)
    words = {**words_of(cause), "workload": now.name, "share": share(now)}
    if is_same or str(cause.path[1]) in _OUTSIDE_PODS:
        return Judged("runtime-unused", words) if now.unit == PREDICTOR else None
    if _same_spec(change.before, change.after):
        return Judged("runtime-later", words)
    if cause.path[:1] == ("metadata",):
        return Judged("runtime-unused", words) if now.unit == PREDICTOR else None
    if new.mode == KNATIVE:
        return Judged("runtime-revision", words)
    return Judged("runtime-recreated" if now.is_recreated else "runtime-rolling", words)


def _same_spec(before: Manifest | None, after: Manifest | None) -> bool:
    """Whether nothing of the spec changed, which is all that KServe looks at."""
    return plain(before.tree if before else None, "spec") == plain(
        after.tree if after else None, "spec"
    )
