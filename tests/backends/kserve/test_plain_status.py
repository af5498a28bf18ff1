"""How graphs, trained models and caches fare by what KServe wrote: `status` and both engines."""

from types import SimpleNamespace

from renderer.backends.kinds import functions_of
from renderer.values.derivations import Derivation
from renderer.values.statuses import Health
from renderer.values.tree import constant
from tests.support.health import FAULT, IN_FLUX, by_argo_cd, by_flux
from tests.support.plain_rows import CASES
from tests.support.replay import assert_agreement
from tests.support.stored import stored

IN_ARGO_CD = {
    Health.READY: "Healthy",
    Health.PROGRESSING: "Progressing",
    Health.FAILED: "Degraded",
    Health.SUSPENDED: "Suspended",
}
#: Those that are not healthy, by how they are.
OTHERS = {
    "Degraded": {
        "cache-download-fails",
        "model-beside-one-that-needs-all",
        "model-memory-too-much",
        "model-on-a-container-of-one-model",
        "model-on-a-server-of-requests",
        "model-on-a-server-with-a-model",
        "model-on-a-server-with-several-addresses",
        "model-on-a-server-with-storage",
        "model-on-a-server-without-a-limit",
        "model-on-huggingface",
    },
    "Progressing": {
        "cache-group-missing",
        "cache-group-of-the-service",
        "cache-one-group-of-two-missing",
        "cache-two-groups",
        "graph-long-name",
        "graph-names-a-component",
        "graph-requests-above-limits",
        "graph-service-missing",
        "knative-graph-affinity",
        "knative-graph-min-above-max",
        "knative-graph-node-selector",
        "knative-graph-scaled-by-memory",
        "knative-graph-service-missing",
        "knative-graph-timeout-too-long",
        "model-on-a-stopped-server",
    },
    "Suspended": {"graph-stopped", "knative-graph-stopped"},
}
JUDGED = ("InferenceGraph", "TrainedModel", "LocalModelCache")


def live_objects():
    """What KServe has said something of, or not yet."""
    for name, row in CASES.items():
        if row["given"]["kind"] in JUDGED and "status" in row:
            found = stored(row)
            yield name, {key: value for key, value in found.items() if key != "status" or value}


def ours(found):
    """As `status` says it, in Argo CD's words."""
    observed = SimpleNamespace(
        object=SimpleNamespace(tree=constant(found, "live")), derivation=Derivation()
    )
    return IN_ARGO_CD[functions_of(found["kind"]).status(observed).health]


def expected(name):
    return next((health for health, names in OTHERS.items() if name in names), "Healthy")


def test_argo_cd_and_status_say_the_same():
    found = dict(live_objects())
    assert len(found) > 110
    assert_agreement((name, expected(name), ours(item)) for name, item in found.items())
    assert_agreement(
        (name, expected(name), by_argo_cd(item["kind"], item)[0]) for name, item in found.items()
    )


def test_flux_says_it_in_its_words():
    """Without a status it cannot evaluate anything, and asks again until its timeout."""
    assert_agreement(
        (
            name,
            IN_FLUX[expected(name)] if "status" in item else FAULT,
            by_flux(item["kind"], item),
        )
        for name, item in live_objects()
    )
