"""The pods that companions describe, and how many of them there are."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.backends.companions.kinds import row_of
from renderer.backends.companions.objects import CompanionView
from renderer.backends.companions.table import SCALERS, ObjectKind, Path, PodCount
from renderer.backends.fields import elements, is_true, text, whole_number
from renderer.kubernetes.pods import JOB, OPERATOR, STATEFUL_SET, Field, Pod, Replicas
from renderer.values.model import Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_POD: tuple[Path, ...] = (("spec",),)
#: Why the pods of a kind stay as they are.
_FIXED: Mapping[str, str] = {
    "Job": "the template of a Job cannot be changed",
    "Pod": "a Pod stays as it was made",
    "PodTemplate": "nothing replaces pods that were made of a PodTemplate",
    "ReplicaSet": "a ReplicaSet replaces none of its pods",
    "ReplicationController": "a ReplicationController replaces none of its pods",
}
#: Of each there is a claim for every pod, as a volume of the same name.
_CLAIM_TEMPLATES = ("spec", "volumeClaimTemplates")
_STRATEGY = ("spec", "updateStrategy", "type")
_ON_DELETE = "OnDelete"


class Bounds(NamedTuple):
    """From how many to how many of something there are; nothing bounds them if `most` is None."""

    least: int
    most: int | None
    start: int


def pods(view: CompanionView) -> Iterator[Pod]:
    """Each pod that a companion describes, as it reaches Kubernetes."""
    row = row_of(view.spec.kind.name)
    replicas = _replicas(view, row)
    claims = elements(view.spec.tree, *_CLAIM_TEMPLATES)
    volumes = frozenset(text(claim, "metadata", "name") for claim in claims)
    for place in row.pods:
        node = view.spec.tree.get(*place)
        if node is None:
            continue
        metadata = view.spec.tree.get(*place[:-1], "metadata") if place[:-1] else None
        yield Pod(
            Field(place, node),
            maker=_maker(row),
            volumes=volumes,
            metadata=Field((*place[:-1], "metadata"), metadata) if metadata else None,
            replicas=replicas,
            is_applied=True,
            since={"": "0.2.0"},
        )


def _maker(row: ObjectKind) -> str:
    """The kind of object that makes the pods; those that are applied themselves nobody makes."""
    if row.pods == _POD:
        return OPERATOR
    if row.numbers and row.numbers.end:
        return JOB
    return STATEFUL_SET if row.numbers and row.numbers.size else row.kind


def _replicas(view: CompanionView, row: ObjectKind) -> Replicas | None:
    """How many there are, where people may choose and nothing scales them."""
    count, tree = row.numbers, view.spec.tree
    if count is None or count.end or not count.at:
        return None
    others = (spec.tree for spec in view.environment.specs if spec.kind.name in SCALERS)
    if any(_is_target(scaler, row.kind, view.spec.name) for scaler in others):
        return None
    return Replicas(f"the {row.kind}", _number(tree, count.at), count.at)


def group_bounds(tree: Node, count: PodCount, scalers: Iterable[Node]) -> Bounds:
    """How many pods an object has, or groups of them, in view of what scales it."""
    number = _number(tree, count.at)
    if count.is_everywhere:
        return Bounds(1, None, 1)
    if count.is_scheduled:
        return Bounds(0, None, 0)
    if count.end:
        number = 0 if is_true(tree, "spec", "suspend") else number
        return Bounds(0, number, number)
    for scaler in scalers:
        if _is_target(scaler, text(tree, "kind"), text(tree, "metadata", "name")):
            least, most = _scaled(scaler)
            return Bounds(least, most, max(least, min(number, most)))
    return Bounds(number, number, number)


def _number(tree: Node, place: Path) -> int:
    found = whole_number(tree, *place) if place else None
    return 1 if found is None else max(found, 0)


def _is_target(scaler: Node, kind: str, name: str) -> bool:
    target = SCALERS[text(scaler, "kind")].target
    named = text(scaler, *target, "kind") or kind  # what KEDA takes for a Deployment
    return (named, text(scaler, *target, "name")) == (kind, name)


def _scaled(scaler: Node) -> tuple[int, int]:
    row = SCALERS[text(scaler, "kind")]
    least, most = (
        usual if (found := whole_number(scaler, *place)) is None else found
        for place, usual in (row.least, row.most)
    )
    return least, max(least, most)


def fixed_pods(spec: Spec) -> str:
    """Why the pods of a companion are not replaced; nothing if they are, or if it has none."""
    if text(spec.tree, *_STRATEGY) == _ON_DELETE:
        return f"with the strategy {_ON_DELETE} pods stay until they are deleted by hand"
    return _FIXED.get(spec.kind.name, "")
