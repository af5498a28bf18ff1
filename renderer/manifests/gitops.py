"""What GitOps controllers need besides objects: annotations, and lists of the files."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderer.rules.metadata import SYNC_OPTIONS, WAVE
from renderer.values.kinds import Stage
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, constant

NO_PRUNING = "kustomize.toolkit.fluxcd.io/prune"
#: Neither when it leaves the tree nor when the application is deleted.
NEVER_PRUNED = "Prune=false,Delete=false"
NO_SUBSTITUTION = "kustomize.toolkit.fluxcd.io/substitute"
#: Folders in that of a destination: Flux applies what one lists, waits, and applies the next.
FLUX_FIRST = "flux/prerequisites"
FLUX_THEN = "flux/workloads"
FLUX_LAST = "flux/dependents"
_FOLDERS = {Stage.FIRST: FLUX_FIRST, Stage.MAIN: FLUX_THEN, Stage.LAST: FLUX_LAST}
_REASONS = {
    Stage.FIRST: "Argo CD applies it before its users",
    Stage.LAST: "Argo CD applies it after what it goes with",
}
_LIST = "kustomization.yaml"


class ListedFile(NamedTuple):
    """A file of a destination, by its path there, and when its object is applied."""

    path: str
    stage: Stage


class Marks(NamedTuple):
    """When an object is applied, whether a hash ends its name, and whether it is never pruned."""

    stage: Stage
    by_content: bool = False
    is_kept: bool = False


def annotate(tree: Node, text: str, marks: Marks) -> Node:
    """The object with the annotations it needs; what a spec says itself is not overridden.

    Only the marks against pruning are: what holds data must not be deleted for one of them alone.
    The object's text shows what Flux would replace: no quotes and no escape change `${`.
    """
    wanted: dict[str, Node] = {}
    if marks.stage is not Stage.MAIN:
        wanted[WAVE] = constant(str(int(marks.stage)), _REASONS[marks.stage])
    if marks.is_kept:
        wanted[SYNC_OPTIONS] = constant(NEVER_PRUNED, "it holds data or other objects")
        wanted[NO_PRUNING] = constant("disabled", "it holds data or other objects")
    if marks.by_content:
        reason = "Argo CD deletes a superseded one when nothing uses it any more"
        wanted[SYNC_OPTIONS] = constant("PruneLast=true", reason)
    if "${" in text:
        reason = "the text contains ${, which Flux would replace"
        wanted[NO_SUBSTITUTION] = constant("disabled", reason)
    return _add_annotations(tree, wanted) if wanted else tree


def kustomizations(
    files: Sequence[ListedFile], stages: Iterable[Stage]
) -> Iterator[tuple[str, Node]]:
    """The lists of a destination's files by their paths, in the order to apply the files in.

    One has all of them. Flux orders what one list has by its kinds, so it has a list for each
    stage; one that has become empty stays, as it is what makes Flux delete the last object. Without
    a last list, what comes last ends the one before: no Kustomization would apply another list.
    """
    by_stage = {stage: [f.path for f in files if f.stage is stage] for stage in stages}
    if Stage.LAST not in by_stage:
        by_stage[Stage.MAIN] += [f.path for f in files if f.stage is Stage.LAST]
    yield _LIST, _kustomization([path for paths in by_stage.values() for path in paths])
    for stage, paths in by_stage.items():
        yield f"{_FOLDERS[stage]}/{_LIST}", _kustomization([f"../../{path}" for path in paths])


def _kustomization(paths: list[str]) -> Node:
    members = {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": list[object](paths),
    }
    return constant(members, "the files of this destination")  # type: ignore[arg-type]


def _add_annotations(tree: Node, wanted: Mapping[str, Node]) -> Node:
    metadata = tree.get("metadata") or constant({}, "not given")
    present = metadata.get("annotations") or constant({}, "not given")
    merged = {**wanted, **present.items}
    if {SYNC_OPTIONS} <= wanted.keys() & present.items.keys():
        given = present.items[SYNC_OPTIONS]
        options = [*str(given.value).split(","), *str(wanted[SYNC_OPTIONS].value).split(",")]
        merged[SYNC_OPTIONS] = given.with_value(",".join(dict.fromkeys(options)))
    if NO_PRUNING in wanted:
        merged[NO_PRUNING] = wanted[NO_PRUNING]
    annotations = present.with_value(merged)
    changed = metadata.with_value({**metadata.items, "annotations": annotations})
    return tree.with_value({**tree.items, "metadata": changed})
