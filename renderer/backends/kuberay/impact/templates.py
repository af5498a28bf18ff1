"""From the change of an emitted compute template to the API server that reads it."""

from collections.abc import Iterator

from renderer.backends.kuberay.impact.judgement import CausedImpact, Judged, impacts_of
from renderer.backends.kuberay.impact.rendered_workload import RenderedWorkload
from renderer.values.changes import ObjectChange, State

_UNIT = ("template",)


def impacts(change: ObjectChange, before: State, after: State) -> Iterator[CausedImpact]:
    """What the ConfigMap is for; what it says reaches pods by the specs that name the template."""
    workload = RenderedWorkload.of(change.manifest, after, before)
    kind = "template-edited"
    if not (change.before and change.after):
        kind = "template-created" if change.after else "template-deleted"
    yield from impacts_of([Judged(None, kind, _UNIT)], workload)
