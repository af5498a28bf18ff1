"""What edits of LLM services and of their configurations do."""

from functools import cache

from renderer import compare
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.rows import each

GOLDEN = ROOT / "tests/golden/kserve/llm-shapes"


@cache
def files():
    found = [path for path in GOLDEN.rglob("*.yaml") if "expected" not in path.parts]
    return {path.relative_to(GOLDEN).as_posix(): path.read_text("utf-8") for path in found}


def effects(file, old, new):
    """What an edit does, by spec and unit."""
    path = f"environments/prod/{file}.yaml"
    text = files()[path]
    assert old in text
    after = {**files(), path: text.replace(old, new, 1)}
    found = {}
    for item in compare(project(files()), project(after)).objects:
        for _, impact in item.impacts:
            name = f"{impact.spec.split('/')[1]}/{impact.unit}"
            found.setdefault(name, set()).add(str(impact.effect))
    return {name: sorted(some) for name, some in found.items()}


QUEUE = "metadata: {labels: {kueue.x-k8s.io/queue-name: a}}\nmodel:"
REFUSED = {"copies/main": ["refused"], "copies/scheduler": ["refused"]}
LABELS, ROLLING = "labels: {a: b}\nmodel:", {"copies/main": ["rolling"]}
RECREATE = {"picked/scheduler": ["recreate"]}
PORT = "expert: true, dataRPCPort: 5556"
EDITS = {
    "an argument": ("tensor", "16384", "8192", {"tensor/main": ["rolling"]}),
    "groups of pods": ("copies", "expert: true", PORT, ROLLING),
    "a number": ("copies", "replicas: 2", "replicas: 3", {"copies/main": ["in-place"]}),
    "a number that is taken away": ("split", "replicas: 2\n", "", {"split/main": ["ignored"]}),
    "the size of groups": ("copies", "data: 16", "data: 24", REFUSED),
    "labels of pods": ("routed", "model:", "labels: {a: b}\nmodel:", {"routed/main": ["breaks"]}),
    "a queue": ("routed", "model:", QUEUE, {"routed/main": ["breaks"]}),
    "labels of groups": ("copies", "model:", LABELS, ROLLING),
    "a label of the object": (
        "routed", "model:", "metadata: {labels: {a: b}}\nmodel:", {"routed/main": ["in-place"]},
    ),
    "plugins of a scheduler": ("picked", "weight: 3", "weight: 4", RECREATE),
    "a gateway": ("routed", "name: team", "name: other", {"routed/main": ["in-place"]}),
    "a configuration": (
        "l40s", "NVIDIA-L40S", "NVIDIA-A100", {
            name: ["rolling"]
            for name in ("adapters/main", "guided/main", "packed/main", "routed/main")
        },
    ),
    "the service stops": (
        "routed", "model:", "metadata: {annotations: {serving.kserve.io/stop: 'true'}}\nmodel:",
        {"routed/main": ["delete"]},
    ),
    "a shape": (
        "tensor", "parallelism: {tensor: 4}",
        "parallelism: {tensor: 4, data: 1, dataLocal: 1}\nworker: {containers: [{name: main}]}",
        {"tensor/main": ["recreate"]},
    ),
}  # fmt: skip


@each("file old new wanted", EDITS)
def test_edits(file, old, new, wanted):
    found = effects(file, old, new)
    assert {name: found.get(name) for name in wanted} == wanted


def test_prefill_cannot_come_or_go_beside_a_deployment():
    text = files()["environments/prod/split.yaml"]
    prefill = text[text.index("prefill:") : text.index("router:")]
    found = effects("split", prefill, "")
    assert "breaks" in found["split/main"]
    assert "rolling" not in found["split/main"]
    assert "delete" not in found.get("split/prefill", [])


def test_scheduler_keeps_the_configuration_that_it_has():
    text = files()["environments/prod/picked.yaml"]
    found = effects("picked", text[text.index("    config:") :], "    replicas: 1\n")
    assert found["picked/scheduler"] == ["ignored", "in-place"]  # one of them says replicas: 1
