"""Language models as KServe took and stored them: `validate` says the same, and writes the same."""

from tests.support.llm_recordings import CASES, EDITS
from tests.support.llm_rows import ASKED, evaluated
from tests.support.replay import assert_agreement, every_row, shares, verdict
from tests.support.stored import stored

#: Where we say something else than the webhooks, and why.
OTHERWISE = {}


def is_broken(row):
    """Whether KServe took it and could not make it run."""
    conditions = row.get("status", {}).get("conditions", {})
    is_stopped = conditions.get("Ready", "").startswith("False Stopped")
    return not is_stopped and any(text.startswith("False") for text in conditions.values())


@shares
def test_what_was_refused_is_an_error(share):
    found = evaluated(share)
    assert_agreement(
        (name, verdict(not ASKED[name]["accepted"]), verdict(row.errors))
        for name, row in found.items()
        if name not in OTHERWISE and not is_broken(ASKED[name])
    )
    assert len(found) > 200 or share is not every_row


@shares
def test_what_is_rendered_is_a_fixed_point(share):
    found = {name: row for name, row in evaluated(share).items() if "stored" in ASKED[name]}
    made = {name: row for name, row in found.items() if not row.errors}
    assert_agreement(
        (name, _plain(stored(ASKED[name])), _plain(_asked(row))) for name, row in made.items()
    )
    assert len(made) > 100 or share is not every_row


def _asked(row):
    """What is rendered of the spec that was asked about, and not of those beside it."""
    return next(
        item.tree.plain() for item in row.manifests if item.spec and item.spec.stem == "asked"
    )


def _plain(tree):
    """Without what we mark our objects with."""
    metadata = {key: dict(tree["metadata"].get(key, {})) for key in ("labels", "annotations")}
    metadata["labels"].pop("app.kubernetes.io/managed-by", None)
    kept = {key: value for key, value in metadata.items() if value}
    return {"metadata": kept, "spec": tree["spec"]}


def test_there_are_enough():
    assert len(CASES) >= 250
    assert len(EDITS) >= 120
