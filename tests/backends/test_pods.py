"""Every kind says which pods it has, and rules on pods are given them without its asking."""

import pytest

from renderer.backends import BACKENDS
from renderer.backends.base import no_pods
from renderer.kubernetes.pod_rules import pod_rules
from renderer.kubernetes.pods import POD
from renderer.text.yaml_reader import read
from renderer.values.model import Environment, Spec
from renderer.values.tree import constant
from tests.toys.batches import BATCHES
from tests.toys.models import MODELS
from tests.toys.predictors import PREDICTORS

PRODUCTION = Environment(
    "prod", ("environments/prod/environment.yaml",), constant({"production": True}, ""), (), (), {}
)
#: Specs with pods of kinds that have no skeleton.
SAMPLES = {"Model": "pod: {containers: [{name: server, image: 'example/server:1.0'}]}\n"}
KINDS = {
    kind.name: (kind, backend)
    for backend in (*BACKENDS, PREDICTORS, BATCHES, MODELS)
    for kind in backend.kinds
}
#: Kinds without pods of the user's own: toys, and what KServe runs its own containers for.
WITHOUT_PODS = {
    "Batch", "Checkpoint", "Predictor",
    "TrainedModel", "ClusterStorageContainer", "LocalModelCache",
    "LocalModelNodeGroup",
}  # fmt: skip
#: KServe makes the pods; what a graph says of them is looked at if it says something.
PODS_OF_THE_PLATFORM = {"InferenceGraph"}


def pods_of(kind, functions):
    text = functions.skeleton("sample", PRODUCTION) if functions.skeleton else SAMPLES[kind.name]
    spec = Spec(kind, "sample", "prod", ("sample.yaml",), read(text.encode(), "x").document.tree)
    return list(functions.pods(functions.view(spec, PRODUCTION, ())))


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_has_pods_or_says_that_it_has_none(name):
    kind, backend = KINDS[name]
    functions = backend.load().kinds[name]
    assert (functions.pods is no_pods) is (name in WITHOUT_PODS)
    if functions.pods is not no_pods:
        assert bool(pods_of(kind, functions)) is (name not in PODS_OF_THE_PLATFORM)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_does_not_ask_for_rules_on_pods(name):
    _, backend = KINDS[name]
    codes = {rule.code for rule in pod_rules()}
    assert not [r for r in backend.load().kinds[name].rules() if r.kind == POD or r.code in codes]


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.name)
def test_a_retired_code_is_that_of_no_rule(backend):
    """And what took its place is there."""
    from renderer.evaluate.rulebook import every_rule

    codes = {rule.code for rule in every_rule()}
    assert not codes & dict(backend.retired).keys()
    assert {item.now for _, item in backend.retired} <= codes
