"""What GitOps controllers need besides objects: annotations, and lists of the files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from renderer.rules.metadata import FIRST_WAVE, SYNC_OPTIONS, WAVE
from renderer.values.tree import Node, constant

NO_SUBSTITUTION = "kustomize.toolkit.fluxcd.io/substitute"
#: Folders in that of a destination: Flux applies what one lists, waits, and applies the other.
FLUX_FIRST = "flux/prerequisites"
FLUX_THEN = "flux/workloads"
_LIST = "kustomization.yaml"


class ListedFile(NamedTuple):
    """A file of a destination, by its path there, and whether its object is applied first."""

    path: str
    is_applied_first: bool


def annotate(tree: Node, text: str, *, first: bool, by_content: bool) -> Node:
    """The object with the annotations it needs; what a spec says itself is not overridden.

    The object's text shows what Flux would replace: no quotes and no escape change `${`.
    """
    wanted: dict[str, Node] = {}
    if first:
        wanted[WAVE] = constant(str(FIRST_WAVE), "Argo CD applies it before its users")
    if by_content:
        reason = "Argo CD deletes a superseded one when nothing uses it any more"
        wanted[SYNC_OPTIONS] = constant("PruneLast=true", reason)
    if "${" in text:
        reason = "the text contains ${, which Flux would replace"
        wanted[NO_SUBSTITUTION] = constant("disabled", reason)
    return _add_annotations(tree, wanted) if wanted else tree


def kustomizations(files: Sequence[ListedFile]) -> Iterator[tuple[str, Node]]:
    """The lists of a destination's files by their paths, in the order to apply the files in.

    One has all of them. Flux orders what one list has by its kinds, so there are two for it; a list
    that has become empty stays, as it is what makes Flux delete the last object.
    """
    first, then = ([f.path for f in files if f.is_applied_first is way] for way in (True, False))
    yield _LIST, _kustomization([*first, *then])
    for folder, paths in ((FLUX_FIRST, first), (FLUX_THEN, then)):
        yield f"{folder}/{_LIST}", _kustomization([f"../../{path}" for path in paths])


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
        both = f"{given.value},{wanted[SYNC_OPTIONS].value}"
        merged[SYNC_OPTIONS] = given.with_value(both)
    annotations = present.with_value(merged)
    changed = metadata.with_value({**metadata.items, "annotations": annotations})
    return tree.with_value({**tree.items, "metadata": changed})
