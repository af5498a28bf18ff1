"""What KServe's webhooks would still change in what is rendered: nothing."""

import pytest
import yaml

from renderer import check, render
from renderer.values.diagnostics import Severity
from tests.support.memory import project
from tests.support.stored_rows import rows, stored

ROWS = rows("kserve")
#: What we write besides: the label that marks our objects, and what KServe would choose silently.
MODE = "serving.kserve.io/deploymentMode"


def services(**wanted):
    """The rows about inference services, with some values."""
    rows = (row for row in ROWS if row["given"].get("kind") == "InferenceService")
    found = [row for row in rows if all(row.get(key) == value for key, value in wanted.items())]
    return [row for row in found if not row.get("others_before")]


def repository(row):
    """The manifest as a spec: `metadata` and `spec` moved up one level."""
    kserve = {"version": "0.20.0", "default_mode": row.get("default_mode", "Knative")}
    header = {"apiVersion": "serving.gitops/v1"}
    places = [{"name": "east", "platform": "kubernetes"}]
    environment = {**header, "kind": "Environment", "destinations": places, "kserve": kserve}
    given = row["given"]
    spec = {**header, "kind": "InferenceService", **given["metadata"], **given["spec"]}
    texts = {"environment": environment, "service": spec}
    files = {f"environments/e/{name}.yaml": yaml.safe_dump(data) for name, data in texts.items()}
    return project({"servingctl.yaml": "", **files})


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


@pytest.mark.skipif(not ROWS, reason="nothing was observed yet")
def test_what_is_rendered_is_a_fixed_point():
    compared = 0
    for row in services(accepted=True):
        if "stored" not in row or has_errors(repository(row)):
            continue
        (made,) = render(repository(row)).manifests
        rendered = without_choices(made.tree.plain(), row)
        assert rendered == without_choices(stored(row), row), row["name"]
        compared += 1
    assert compared > 150


def has_errors(opened):
    return any(item.severity is Severity.ERROR for item in check(opened))
