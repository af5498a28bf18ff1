"""Language models as KServe took and stored them: `validate` says the same, and writes the same."""

from tests.support.llm_recordings import CASES, EDITS
from tests.support.llm_rows import ASKED, closed, evaluated
from tests.support.replay import assert_agreement, every_row, shares, verdict
from tests.support.stored import stored

_DROPPED = "the webhook writes what the CRD requires, or drops what it does not know, in silence"
_NOWHERE = "the route is taken, and leads nowhere"
#: Where we say something else than the webhooks, and why.
OTHERWISE = {
    "base-route-hostnames": _NOWHERE,
    "confidential-without-enabled": _DROPPED,
    "kv-without-cpu": _DROPPED,
    "lora-with-an-unknown-field": _DROPPED,
    "own-args-for-a-shell": "the server does not start",
    "route-spec-empty": _NOWHERE,
    "route-spec-without-rules": _NOWHERE,
}
#: What KServe takes and cannot make, and why it is a warning.
WARNED = {
    "scaled-by-keda": "the cluster may have another configuration than the shipped one",
    "scheduler-alone": "something else may accept the pool",
}
#: Of rules that say nothing of KServe: what the server takes, and what is not in a row.
_OTHER_FAMILIES = ("ENG", "REF")
#: What is not there yet, because nobody played its part.
_WAITING = "False ScaledObjectProgressing"


def is_broken(row):
    """Whether KServe took it and could not make it run."""
    conditions = row.get("status", {}).get("conditions", {})
    if conditions.get("Ready", "").startswith(("False Stopped", _WAITING)):
        return False
    return any(text.startswith("False") for text in conditions.values())


@shares
def test_what_was_refused_is_an_error(share):
    found = evaluated(share)
    assert_agreement(
        (name, verdict(not ASKED[name]["accepted"]), _verdict(name, row.errors))
        for name, row in found.items()
        if not is_broken(ASKED[name])
    )
    assert len(found) > 200 or share is not every_row


@shares
def test_what_cannot_be_made_is_an_error(share):
    found = closed(name for name, row in ASKED.items() if share(name) and is_broken(row))
    assert_agreement((name, name not in WARNED, bool(row.errors)) for name, row in found.items())
    assert len(found) > 50 or share is not every_row


def test_what_is_warned_of():
    found = closed(WARNED)
    codes = {name: {item.code for item in row.found} for name, row in found.items()}
    assert "KSV555" in codes["scaled-by-keda"]
    assert "KSV519" in codes["scheduler-alone"]


@shares
def test_what_is_rendered_is_a_fixed_point(share):
    asked = {name: row for name, row in ASKED.items() if "status" in row}
    found = {name: row for name, row in evaluated(share).items() if name in asked}
    made = {name: row for name, row in found.items() if not row.errors}
    assert_agreement(
        (name, _plain(stored(asked[name])), _plain(_asked(row))) for name, row in made.items()
    )
    assert len(made) > 100 or share is not every_row


def _verdict(name, errors):
    """What we say of a row; of one that is named the other word: it must still differ."""
    own = [code for code in errors if not code.startswith(_OTHER_FAMILIES)]
    return verdict(not own if name in OTHERWISE else own)


def _asked(row):
    """What is rendered of the spec that was asked about, and not of those beside it."""
    trees = [item.tree.plain() for item in row.manifests]
    (found,) = [tree for tree in trees if _is_asked(tree)]
    return found


def _is_asked(tree):
    return tree["kind"] == "LLMInferenceService" and tree["metadata"]["name"] != "peer"


def _plain(tree):
    """Without what we mark our objects with."""
    metadata = {key: dict(tree["metadata"].get(key, {})) for key in ("labels", "annotations")}
    metadata["labels"].pop("app.kubernetes.io/managed-by", None)
    kept = {key: value for key, value in metadata.items() if value}
    return {"metadata": kept, "spec": tree["spec"]}


def test_there_are_enough():
    assert len(CASES) >= 250
    assert len(EDITS) >= 120
