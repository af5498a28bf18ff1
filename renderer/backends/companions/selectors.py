"""Selectors of labels: what they select, what comes near to it, and those of workloads."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from renderer.backends.base import OBJECT
from renderer.backends.companions.objects import CompanionView
from renderer.backends.fields import members
from renderer.kubernetes.label_selectors import LabelSelector, Term
from renderer.text.expressions import expression
from renderer.text.wording import few_listed, nearest, visible
from renderer.values.diagnostics import Finding, Path, Severity, rule
from renderer.values.running import Labels, RunningPods, RunningService

#: Keys that controllers add to the pods that they make, with values that are not derived.
_ADDED = expression(
    r"pod-template-hash|controller-revision-hash|job-name|controller-uid"
    r"|(statefulset|apps|batch)\.kubernetes\.io/.*|leaderworkerset\.sigs\.k8s\.io/.*"
)
_MANAGED = "app.kubernetes.io/managed-by"

#: Kinds that find their pods by `spec.selector`, which people write.
_SELECTING = ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")
_SELECTOR: Path = ("spec", "selector")
_LABELS = ("spec", "template", "metadata", "labels")
#: Operators that want a label to be there.
_NEEDING = ("Exists", "In")


def may_hold(term: Term, labels: Mapping[str, str], *, is_open: bool = False) -> bool:
    """Whether labels have it, or may have it by what people or controllers add."""
    return term.holds(labels, is_open=is_open or _ADDED.fullmatch(term.key) is not None)


def may_select(selector: LabelSelector, labels: Labels, *, is_open: bool = False) -> bool:
    given = dict(labels)
    return all(may_hold(term, given, is_open=is_open) for term in selector.terms)


def unmet(selector: LabelSelector, candidates: Sequence[Labels]) -> Term:
    """The first term that no labels have; else the first of all."""
    wanted = (t for t in selector.terms if not any(may_hold(t, dict(c)) for c in candidates))
    return next(wanted, selector.terms[0])


def labels_text(
    selector: LabelSelector, candidates: Iterable[RunningPods | RunningService], noun: str
) -> str:
    """The labels of what the selector probably means: `the pods of Kind/name have app: x`."""
    known = {(item.owner, item.labels): item for item in candidates}
    if not known:
        return ""
    best = max(known.values(), key=lambda item: _likeness(selector, item.labels))
    labels = dict(best.labels)
    keys = [term.key for term in selector.terms if term.key in labels] or [
        key for key in labels if key != _MANAGED
    ]
    shown = few_listed((f"{key}: {labels[key]}" for key in keys), "other label")
    return f"the {noun} of {best.owner} have {shown}" if keys else ""


def _likeness(selector: LabelSelector, labels: Labels) -> tuple[int, int, int]:
    """How many terms hold, how many values come near, and how many keys there are at all."""
    given = dict(labels)
    terms = [term for term in selector.terms if term.key in given]
    equal = sum(may_hold(term, given) for term in terms)
    near = sum(bool(nearest(given[term.key], term.values)) for term in terms)
    return equal, near, len(terms)


@rule("MAN241", Severity.ERROR, OBJECT, since="0.2.0")
def selector_matches_template(view: CompanionView) -> Iterator[Finding]:
    """The selector of a workload matches the labels of its own pods.

    The API server refuses a Deployment, StatefulSet, DaemonSet or ReplicaSet otherwise: it would
    never find the pods that it makes. An empty selector is refused as well.

    Fails:

        apiVersion: apps/v1
        kind: ReplicaSet
        spec:
          selector: {matchLabels: {app: gateway}}
          template:
            metadata: {labels: {app: gatway}}
            spec: {containers: [{name: server, image: "example/gateway:1.0"}]}

    Passes:

        apiVersion: apps/v1
        kind: ReplicaSet
        spec:
          selector: {matchLabels: {app: gateway}}
          template:
            metadata: {labels: {app: gateway}}
            spec: {containers: [{name: server, image: "example/gateway:1.0"}]}
    """
    if view.spec.kind.name not in _SELECTING:
        return
    selector = view.spec.tree.get(*_SELECTOR)
    if selector and not any(node.value for node in selector.items.values()):
        message = f"the selector of {view.spec.name} is empty"
        yield Finding(_SELECTOR, message, "write matchLabels with a label of its pods")
    labels = {k: str(n.value) for k, n in members(view.spec.tree, *_LABELS).items()}
    for term in LabelSelector.of(selector).terms if selector else ():
        given = labels.get(term.key)
        is_missing = given is None and term.operator in _NEEDING
        if is_missing or not may_hold(term, labels):
            has = "is not there" if given is None else f"is {visible(given)!r}"
            message = f"it selects {visible(str(term))!r}, and this label of its pods {has}"
            fix = f"write the same value here and in spec.template.metadata.labels[{term.key!r}]"
            yield Finding((*_SELECTOR, *term.path), message, fix)
