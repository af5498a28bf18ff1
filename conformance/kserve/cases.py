"""The tables of cases and edits: manifests, each a small change of another one."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.kserve.places import HERE
from conformance.kubernetes.client import Object
from conformance.operators.tables import Entry, read_bases, read_entries, steps_of

#: In the namespace `own`, runtimes of a namespace come before those of the cluster.
_NAMESPACE = "models"


class Case(NamedTuple):
    """What is applied one after the other; the last of the steps is what is asked about.

    If it is about the others that are applied around it, a refusal of those is the answer.
    """

    file: str
    name: str
    steps: tuple[Object, ...]
    before: tuple[Object, ...] = ()
    after: tuple[Object, ...] = ()
    default_mode: str = "Knative"
    gateway_api: bool = False
    is_brief: bool = False
    is_dry: bool = False
    is_about_others: bool = False


def read_cases(folder: str) -> Iterator[Case]:
    """All of a folder, file by file, in the order in which they are written."""
    bases = read_bases(HERE)
    for file, entry in read_entries(HERE / folder):
        yield _case(file, entry, bases)


def _case(file: str, entry: Entry, bases: dict[str, Object]) -> Case:
    steps = tuple(map(_placed, steps_of(entry, bases)))
    before, after = (tuple(map(_placed, entry.get(key, ()))) for key in ("before", "after"))
    return Case(
        file,
        entry["name"],
        steps,
        before,
        after,
        default_mode=entry.get("default_mode", "Knative"),
        gateway_api="gateway_api" in entry,
        is_brief="brief" in entry,
        is_dry="dry" in entry or steps[-1]["kind"] != "InferenceService",
    )


def _placed(manifest: Object) -> Object:
    """With a namespace, if it is of a kind that has one."""
    if manifest["kind"] == "ClusterServingRuntime":
        return manifest
    place = {"namespace": _NAMESPACE, **manifest["metadata"]}
    return {**manifest, "metadata": place}
