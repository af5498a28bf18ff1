"""What KServe's webhooks would still change in what is rendered: nothing."""

from tests.support.kserve_rows import ROWS, evaluated
from tests.support.replay import assert_agreement
from tests.support.stored_rows import stored

#: What we write besides: the label that marks our objects, and what KServe would choose silently.
MODE = "serving.kserve.io/deploymentMode"


def services(**wanted):
    """The rows about inference services, with some values."""
    rows = (row for row in ROWS if row["given"].get("kind") == "InferenceService")
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    return [row for row in found if not row.get("others_before")]


def without_choices(tree, row):
    """Without what KServe would have chosen in silence, as far as the row does not say it."""
    given, metadata = row["given"], tree["metadata"]
    metadata.get("labels", {}).pop("app.kubernetes.io/managed-by", None)
    if MODE not in given["metadata"].get("annotations", {}):
        metadata.get("annotations", {}).pop(MODE, None)
    model = tree["spec"]["predictor"].get("model", {})
    asked = next(iter(given["spec"]["predictor"].get(key, {}) for key in model and ["model"]), {})
    for key in ("runtime", "protocolVersion"):
        if key not in asked:
            model.pop(key, None)
    return {key: value for key, value in {**metadata, **tree["spec"]}.items() if value}


def rendered(made, row):
    (manifest,) = made.manifests
    return without_choices(manifest.tree.plain(), row)


def test_what_is_rendered_is_a_fixed_point():
    asked = {row["name"]: row for row in services(accepted=True) if "stored" in row}
    made = {name: row for name, row in evaluated().items() if name in asked and not row.errors}
    assert_agreement(
        (name, without_choices(stored(row), row), rendered(made[name], row))
        for name, row in asked.items()
        if name in made
    )
    assert len(made) > 150
