"""Graphs, trained models and caches as KServe took and stored them: `validate` says the same."""

from tests.support.plain_objects import MARKS
from tests.support.plain_rows import CASES, EDITS, evaluated, is_refused
from tests.support.replay import every_row, shares, verdict
from tests.support.stored import stored

_BOUND = "Kubernetes never binds such a claim, and nobody binds any here"
_FEATURES = "a warning, as the settings of Knative decide it"
_CLUSTER = "it is the state of the cluster"
_UNUSED = "a group that no cache names is not rendered"
#: Where we say something else than the webhooks and the controllers, and why.
OTHERWISE = {
    "container-disabled-below-spec": "in a spec of ours `disabled` stands beside the rest",
    "container-of-an-unknown-type": "KServe never uses it",
    "graph-loop": "the router never answers",
    "graph-min-negative": "KServe makes it 1",
    "graph-node-missing": "the router answers with an error",
    "graph-weight-negative": "no router goes by it",
    "group-claim-of-another-class": _BOUND,
    "group-claim-of-another-way": _BOUND,
    "group-claim-of-blocks": _BOUND,
    "group-claim-too-large": _BOUND,
    "group-claim-without-a-class": _BOUND,
    "group-without-nodes": _CLUSTER,
    "knative-graph-affinity": _FEATURES,
    "knative-graph-node-selector": _FEATURES,
    "knative-graph-timeout-too-long": _FEATURES,
    "model-on-a-stopped-server": _CLUSTER,
}
#: Where we render something else than what is stored, and why.
STORED_OTHERWISE = {
    "node-group": _UNUSED,
    "node-group-limit-a-number": _UNUSED,
}
#: What KServe writes to a trained model, and nobody takes away from it.
_KEPT = ("inferenceservice", "serving.kserve.io/trainedmodel-allocated")


@shares
def test_what_was_refused_is_an_error(share):
    found = evaluated(share)
    wrong = {
        name: verdict(row.errors)
        for name, row in found.items()
        if verdict(is_refused(CASES[name])) != verdict(row.errors)
    }
    assert wrong.keys() == {name for name in OTHERWISE if share(name)}, wrong
    assert len(found) > 180 or share is not every_row


@shares
def test_what_is_rendered_is_a_fixed_point(share):
    rows = evaluated(share)
    made = {name: row for name, row in rows.items() if "stored" in CASES[name] and not row.errors}
    wrong = {
        name: (_plain(stored(CASES[name])), _plain(_asked(row)))
        for name, row in made.items()
        if _plain(stored(CASES[name])) != _plain(_asked(row))
    }
    assert wrong.keys() == {name for name in STORED_OTHERWISE if share(name)}, wrong
    assert len(made) > 90 or share is not every_row


def _asked(row):
    """What is rendered of the spec that was asked about, and not of those beside it."""
    return next((item.tree.plain() for item in row.manifests if item.spec.stem == "asked"), None)


def _plain(tree):
    """Without what we mark our objects with, and what the controller adds."""
    if tree is None:
        return None
    metadata = {key: dict(tree["metadata"].get(key, {})) for key in ("labels", "annotations")}
    for key in (*MARKS, *_KEPT):
        metadata["labels"].pop(key, None)
        metadata["annotations"].pop(key, None)
    kept = {key: value for key, value in metadata.items() if value}
    return {"metadata": kept, **{key: tree[key] for key in ("spec", "disabled") if key in tree}}


def test_there_are_enough():
    assert len(CASES) >= 180
    assert len(EDITS) >= 75
