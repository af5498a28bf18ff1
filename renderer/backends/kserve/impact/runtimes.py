"""From the change of a runtime to what it does to the services that use it."""

from collections.abc import Iterator

from renderer.backends.fields import plain, text
from renderer.backends.kserve.dialect import KNATIVE, MODEL_MESH
from renderer.backends.kserve.impact.judgement import Judged, share, words_of
from renderer.backends.kserve.impact.obstacles import obstacle
from renderer.backends.kserve.impact.rendered_service import RenderedService
from renderer.backends.kserve.impact.services import CausedImpact, impact_of
from renderer.backends.kserve.impact.used_runtimes import in_cluster
from renderer.backends.kserve.impact.workloads import workloads_of
from renderer.backends.kserve.inference_service import PREDICTOR, Component, components
from renderer.backends.kserve.model import MODEL
from renderer.values.changes import Change, ObjectChange, State
from renderer.values.objects import Manifest

#: What a runtime says of itself and not of pods.
_OUTSIDE_PODS = frozenset(("supportedModelFormats", "protocolVersions", "disabled", "multiModel"))
_WORKERS = "workerSpec"
#: Where a service names its runtime.
_OF_MODEL = (MODEL, "runtime")
_NAME = ("spec", PREDICTOR, *_OF_MODEL)


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What a runtime's change does to services that named it before, or named none."""
    for manifest in in_cluster(change.manifest, "inferenceservices", after):
        former = before.manifest_at(manifest.path)
        if former is None or plain(former.tree, *_NAME) != plain(manifest.tree, *_NAME):
            continue
        new = RenderedService.of(manifest, after, before)
        old = new.using(before)
        users = [part for part in new.parts if _follows(part, old, new, change)]
        users = [part for part in users if _stays(part, former)]
        if users and new.mode != MODEL_MESH:
            for cause, unit, judged in _on_service(old, new, users, change):
                yield cause, impact_of(judged, unit, new)


def _follows(
    part: Component, old: RenderedService, new: RenderedService, change: ObjectChange
) -> bool:
    """Whether a component uses the runtime, before or after."""
    used = (side.used_by(part) for side in (old, new))
    return any(item.manifest is side for item in used if item for side in change.sides)


def _stays(part: Component, former: Manifest) -> bool:
    """Whether the component was there before, with a runtime of the same name."""
    spec = former.tree.get("spec")
    known = {item.unit: item for item in components(spec)} if spec else {}
    return part.unit in known and plain(known[part.unit].node, *_OF_MODEL) == plain(
        part.node, *_OF_MODEL
    )


def _on_service(
    old: RenderedService, new: RenderedService, users: list[Component], change: ObjectChange
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
        for part in users:
            for cause in causes if new.used_by(part) else (None,):
                is_first = part is users[0]
                if judged := _on_user(cause, part, old, new, change, is_first=is_first):
                    yield cause, part.unit, judged._replace(words={**words, **judged.words})


def _loses_workers(change: ObjectChange) -> bool:
    if not change.before or not change.after or change.is_renamed:
        return False
    had, has = (side.tree.get("spec", _WORKERS) for side in (change.before, change.after))
    return had is not None and has is None


def _on_user(
    cause: Change | None,
    part: Component,
    old: RenderedService,
    new: RenderedService,
    change: ObjectChange,
    *,
    is_first: bool,
) -> Judged | None:
    """What a change of the runtime does to pods; creations and deletions wake nobody."""
    if new.used_by(part) is None:
        return Judged("runtime-missing")
    was, now = (workloads_of(side)[part.unit] for side in (old, new))
    is_same = was.template == now.template
    if cause is None or change.is_renamed:
        kind = "runtime-came" if change.after else "runtime-gone"
        return None if is_same else Judged(kind)
    words = {**words_of(cause), "workload": now.name, "share": share(now)}
    if is_same or str(cause.path[1]) in _OUTSIDE_PODS:
        return Judged("runtime-unused", words) if is_first else None
    if _same_spec(change.before, change.after):
        return Judged("runtime-later", words)
    if cause.path[:1] == ("metadata",):
        return Judged("runtime-unused", words) if is_first else None
    if new.mode == KNATIVE:
        return Judged("runtime-revision", words)
    return Judged("runtime-recreated" if now.is_recreated else "runtime-rolling", words)


def _same_spec(before: Manifest | None, after: Manifest | None) -> bool:
    """Whether nothing of the spec changed, which is all that KServe looks at."""
    return plain(before.tree if before else None, "spec") == plain(
        after.tree if after else None, "spec"
    )
