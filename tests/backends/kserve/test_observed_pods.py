"""The containers that the real controller made of services and runtimes, and those foretold."""

import itertools
import json

import pytest

from tests.support.kserve_states import KINDS, derived_units, environment, manifest, state
from tests.support.places import ROOT

CASES = sorted((ROOT / "tests" / "observed" / "kserve" / "cases").glob("*.json"))
FIELDS = ("name", "image", "command", "args", "resources", "env")
#: Labels that pods have besides those of services, components and runtimes.
OURS = {"app", "component", "serving.kserve.io/inferenceservice"}
#: Both an old field and a model are given, which is refused here: KServe forgets the model.
OTHERWISE = {"legacy-and-model"}


def foretold(row):
    """The workloads of predictors that a row's service has, by their objects."""
    env = environment(default_mode=row.get("default_mode", "Knative"))
    others = [item for item in row.get("others_before", ()) if item["kind"] in KINDS]
    known, *rest = map(manifest, (row["given"], *others))
    side = state(known, *rest, env=env)
    for unit in derived_units(known, side).values():
        for kind, item in itertools.product(("Deployment", "KnativeService"), unit.objects[:1]):
            if unit.unit.startswith("predictor") and f"{kind}/{item.name}" in row["objects"]:
                template = item.content["spec"]["template"]
                yield row["objects"][f"{kind}/{item.name}"]["spec"]["template"], template


def said(containers):
    """What containers say, without what the API server adds."""
    found = [{key: item[key] for key in FIELDS if item.get(key)} for item in containers]
    return json.loads(json.dumps(found).replace('"apiVersion": "v1", ', ""))


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_containers_and_labels(path):
    rows = json.loads(path.read_text("utf-8"))
    for row in rows:
        if not row.get("objects") or row["given"]["kind"] != "InferenceService":
            continue
        for made, template in foretold(row) if row["name"] not in OTHERWISE else ():
            assert said(template["spec"]["containers"]) == said(made["spec"]["containers"]), row
            labels = made["metadata"]["labels"].items()
            own = {key: value for key, value in labels if key not in OURS}
            found = template["metadata"]["labels"].items()
            assert {key: value for key, value in found if key not in OURS} == own, row["name"]


def test_there_are_enough():
    rows = [row for path in CASES for row in json.loads(path.read_text("utf-8"))]
    services = [row for row in rows if row.get("objects") and "predictor" in row["given"]["spec"]]
    assert sum(len(list(foretold(row))) for row in services) > 200
