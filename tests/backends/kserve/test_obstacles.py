"""What a platform stops at is a problem of the components that it keeps from being updated."""

import pytest

from renderer import compare
from tests.support.foretold import foretold_effects
from tests.support.replay import HEADER, Row, opened

PLACE = {"name": "east", "platform": "kubernetes", "namespace": "models"}
ENVIRONMENT = {"destinations": [PLACE], "kserve": {"default_mode": "Knative"}}
MODEL = {"modelFormat": {"name": "sklearn"}, "storageUri": "gs://models/iris/v1"}
STEP = {"containers": [{"name": "kserve-container", "image": "example/features:v1"}]}


def service(predictor=None, transformer=None):
    parts = {
        "predictor": {"model": MODEL, **(predictor or {})},
        "transformer": {**STEP, **(transformer or {})},
    }
    return Row(ENVIRONMENT, {"iris": {**HEADER, "kind": "InferenceService", **parts}})


@pytest.mark.parametrize(
    ("edited", "effects"),
    [
        (service(transformer={"timeout": 900}), {"transformer": {"breaks"}}),
        (
            service({"labels": {"a": "b"}}, {"timeout": 900}),
            {"predictor": {"replace"}, "transformer": {"breaks"}},
        ),
        (service({"timeout": 900}), {"predictor": {"breaks"}, "transformer": {"breaks"}}),
        (
            service({"nodeSelector": {"a": "b"}}),
            {"predictor": {"breaks"}, "transformer": {"breaks"}},
        ),
    ],
    ids=["transformer", "both", "predictor", "selector"],
)
def test_components_before_it_are_updated(edited, effects):
    comparison = compare(opened([service()]), opened([edited]))
    assert foretold_effects(comparison, "row-0").effects == effects
