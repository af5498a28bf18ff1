"""How companions fare: the conditions of kstatus, phases, and objects that say nothing."""

import yaml

from renderer.evaluate.run import render
from renderer.values.statuses import Health
from tests.support.adoption import in_memory
from tests.support.live import found, status_in
from tests.support.repositories import HEADER
from tests.support.rows import each

ENVIRONMENT = HEADER.format("Environment") + (
    "destinations: [{name: gpu, platform: kubernetes, namespace: models}]\n"
)


def judged(version, kind, **live):
    """How an object of a kind fares that is in the cluster as in Git, with these fields beside."""
    spec = SPECS.get((version, kind), "{}")
    files = {
        "environments/dev/environment.yaml": ENVIRONMENT,
        "environments/dev/a.yaml": f"apiVersion: {version}\nkind: {kind}\nspec: {spec}\n",
    }
    opened = in_memory(files)
    rendering = render(opened, ["dev"])
    (manifest,) = rendering.manifests
    tree = yaml.load(manifest.text, yaml.CSafeLoader)
    tree["metadata"] |= live.pop("metadata", {})
    environment = opened.environment("dev")
    report = status_in(rendering, environment, {"gpu": found([tree | live])}, ["a"])
    return report.specs[0].status


def condition(name, value, reason="Why", message="so it is"):
    return {"type": name, "status": value, "reason": reason, "message": message}


def conditions(*given, **more):
    return {"status": {"conditions": [condition(*one) for one in given], **more}}


EXTERNAL = ("external-secrets.io/v1", "ExternalSecret")
CERTIFICATE = ("cert-manager.io/v1", "Certificate")
CLAIM = ("v1", "PersistentVolumeClaim")
SPECS = {CLAIM: "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"}
POLICY = ("networking.k8s.io/v1", "NetworkPolicy")


@each(
    "kind live state health",
    {
        "nothing is said": (POLICY, {}, "stored", Health.READY),
        "ready": (EXTERNAL, conditions(("Ready", "True")), "Ready", Health.READY),
        "a Secret that is not made": (
            EXTERNAL,
            conditions(("Ready", "False")),
            "not Ready",
            Health.FAILED,
        ),
        "a certificate on its way": (
            CERTIFICATE,
            conditions(("Ready", "False")),
            "not Ready",
            Health.PROGRESSING,
        ),
        "not known yet": (
            EXTERNAL,
            conditions(("Ready", "Unknown")),
            "Ready unknown",
            Health.PROGRESSING,
        ),
        "stalled": (
            CERTIFICATE,
            conditions(("Ready", "Unknown"), ("Stalled", "True")),
            "Stalled",
            Health.FAILED,
        ),
        "reconciling": (
            CERTIFICATE,
            conditions(("Ready", "True"), ("Reconciling", "True")),
            "Reconciling",
            Health.PROGRESSING,
        ),
        "an older generation": (
            CERTIFICATE,
            {
                "metadata": {"generation": 2},
                **conditions(("Ready", "True"), observedGeneration=1),
            },
            "not seen",
            Health.PROGRESSING,
        ),
        "being deleted": (
            POLICY,
            {"metadata": {"deletionTimestamp": "2025-01-01T00:00:00Z"}},
            "being deleted",
            Health.PROGRESSING,
        ),
        "a bound claim": (CLAIM, {"status": {"phase": "Bound"}}, "Bound", Health.READY),
        "an unbound claim": (
            CLAIM,
            {"status": {"phase": "Pending"}},
            "Pending",
            Health.PROGRESSING,
        ),
        "a lost claim": (CLAIM, {"status": {"phase": "Lost"}}, "Lost", Health.FAILED),
    },
)
def test_how_it_fares(kind, live, state, health):
    status = judged(*kind, **live)
    assert (status.state, status.health) == (state, health)


def test_why_it_does_not():
    status = judged(*EXTERNAL, **conditions(("Ready", "False", "SecretSyncedError", "no key")))
    assert (status.reason, status.message) == ("SecretSyncedError", "no key")
