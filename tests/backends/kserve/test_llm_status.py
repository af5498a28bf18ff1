"""How LLM services fare, as their conditions say it."""

import yaml

from renderer import load, render
from renderer.values.statuses import Health
from tests.support.live import found, status_in
from tests.support.places import ROOT
from tests.support.rows import each

GOLDEN = ROOT / "tests/golden/kserve/llm-shapes"
PROJECT = load(GOLDEN)
RENDERING = render(PROJECT)


def condition(kind, status="True", reason=""):
    return {"type": kind, "status": status, **({"reason": reason} if reason else {})}


COMBINED, READY = condition("PresetsCombined"), condition("Ready")


def judged(conditions, generation=1, **more):
    """The status of the service `split`, where KServe says this of it."""
    manifest = next(item for item in RENDERING.manifests if item.spec.stem == "split")
    live = yaml.safe_load(manifest.text)
    live["metadata"] |= {"generation": generation, "uid": "u"}
    live["status"] = {
        "conditions": conditions,
        "observedGeneration": 1,
        "url": "http://gateway.example.com/models/split",
        **more,
    }
    unread = dict.fromkeys(("Deployment", "LeaderWorkerSet"), "not asked for")
    (environment,) = PROJECT.environments
    here = {"gpu-east": found([live], unread)}
    return status_in(RENDERING, environment, here, ["split"]).specs[0].status


LOST = condition("PresetsCombined", "False", "ConfigNotFound")
CASES = {
    "ready": ([COMBINED, READY], 1, "Ready", Health.READY),
    "an edit that was not looked at": ([COMBINED, READY], 2, "Ready", Health.PROGRESSING),
    "no conditions": ([], 1, "no status yet", Health.PROGRESSING),
    "a configuration that was never there": (
        [LOST, condition("Ready", "Unknown")], 1, "no spec to run", Health.FAILED,
    ),
    "a configuration that is gone": ([LOST, READY], 1, "no spec to run", Health.FAILED),
    "stopped": (
        [COMBINED, condition("Ready", "False", "Stopped")], 1, "Stopped", Health.SUSPENDED,
    ),
    "a selector": (
        [COMBINED, condition("MainWorkloadReady", "False", "ReconcileSingleNodeWorkloadError"),
         condition("Ready", "False")], 1, "not Ready", Health.FAILED,
    ),
    "pods that start": (
        [COMBINED, condition("MainWorkloadReady", "False", "MinimumReplicasUnavailable"),
         condition("Ready", "False", "MinimumReplicasUnavailable")],
        1, "not Ready", Health.PROGRESSING,
    ),
    "a group that differs": (
        [COMBINED, READY, condition("GroupReady", "False", "FinalizationError")],
        1, "Ready", Health.READY,
    ),
}  # fmt: skip


@each("conditions generation state health", CASES)
def test_cases(conditions, generation, state, health):
    said = judged(conditions, generation)
    assert (said.state, said.health) == (state, health)


def test_roles_have_conditions_of_their_own():
    said = judged([COMBINED, READY, condition("PrefillWorkloadReady", "False", "Pulling")])
    assert {unit.unit: unit.state for unit in said.units} == {
        "main": "unknown",
        "prefill": "not Ready",
        "scheduler": "unknown",
    }
    assert said.endpoints == ("http://gateway.example.com/models/split",)


def test_a_role_without_a_ready_pod_is_not_ready():
    """Where it asks for pods by number: `split` does so, and leaves prefill to an autoscaler."""
    waiting = ("primary", 0)
    for role in ("primary", "prefill"):
        for ready in (0, 1):
            said = judged([COMBINED, READY], workloads={role: {"readyReplicas": ready}})
            wanted = Health.PROGRESSING if (role, ready) == waiting else Health.READY
            assert said.health is wanted, (role, ready)
