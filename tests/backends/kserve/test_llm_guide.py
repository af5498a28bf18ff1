"""What docs/llm.md says of traps and of edits is what `validate` and `diff` say."""

import re

import pytest
import yaml

from renderer import check, compare
from tests.support.adoption import in_memory
from tests.support.places import ROOT
from tests.support.replay import HEADER

GUIDE = (ROOT / "docs/llm.md").read_text("utf-8")
SERVICE = {
    **HEADER,
    "kind": "LLMInferenceService",
    "model": {"uri": "hf://acme/chat"},
    "replicas": 2,
    "template": {
        "containers": [{"name": "main", "resources": {"limits": {"cpu": 4, "memory": "8Gi"}}}]
    },
    "router": {"route": {}, "gateway": {}, "scheduler": {}},
}
ENVIRONMENT = {
    **HEADER,
    "kind": "Environment",
    "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "models"}],
    "kserve": {"version": "0.20.0"},
}
BASE = {**HEADER, "kind": "LLMInferenceServiceConfig"}
OVER = {"baseRefs": [{"name": "base"}]}
#: For each trap: what the service says, and the configuration below it.
TRAPS = {
    "KSV573": (OVER, {"parallelism": {"tensor": 2}}),
    "KSV578": (
        {**OVER, "parallelism": {"tensor": 1, "expert": False}},
        {"parallelism": {"tensor": 1, "expert": True}},
    ),
    "KSV579": (
        {
            "template": {
                "volumes": [{"name": "model-cache", "persistentVolumeClaim": {"claimName": "c"}}]
            }
        },
        {},
    ),
    "KSV575": ({"template": {"containers": [{"name": "vllm", "image": "a/b:v1"}]}}, {}),
    "KSV576": ({"template": {"containers": [{"name": "main", "command": ["vllm"]}]}}, {}),
    "KSV577": (
        {**OVER, "model": {"uri": "hf://acme/chat", "name": "chat"}},
        {"model": {"uri": "hf://acme/chat", "name": "acme"}},
    ),
    "KSV516": ({"router": {"route": {"http": {"spec": {"hostnames": ["a.example.com"]}}}}}, {}),
    "KSV584": ({"template": {"containers": [{"name": "main"}, {"name": "logs"}]}}, {}),
    "KSV559": ({"labels": {"app.kubernetes.io/name": "other"}}, {}),
    "KSV571": (
        {"template": {"containers": [{"name": "main", "args": ["--a={{ messages }}"]}]}},
        {},
    ),
    "KSV572": ({"worker": {"containers": [{"name": "main"}]}, "parallelism": {"pipeline": 2}}, {}),
    "KSV570": (
        {**OVER, "replicas": None, "scaling": {"maxReplicas": 2, "wva": {"hpa": {}}}},
        {"replicas": 2},
    ),
}
EDITS = re.findall(r"^\| `([^|]+)` \| ([a-z-]+) \|$", GUIDE, re.M)


def repository(over, base):
    """The service with what is laid over it; a field that is null is none."""
    spec = {**SERVICE, **over}
    files = {"environment": ENVIRONMENT, "chat": {k: v for k, v in spec.items() if v is not None}}
    files |= {"base": {**BASE, **base}} if base else {}
    return in_memory({f"environments/prod/{stem}.yaml": tree for stem, tree in files.items()})


@pytest.mark.parametrize("code", TRAPS)
def test_trap(code):
    found = check(repository(*TRAPS[code]))
    assert code in {item.code for item in found}
    assert not check(repository({}, {}))


def test_every_trap_is_tried():
    assert set(re.findall(r"\| (KSV\d+) \|$", GUIDE, re.M)) == TRAPS.keys()


@pytest.mark.parametrize(("text", "effect"), EDITS)
def test_edit(text, effect):
    edit = yaml.safe_load(text)
    over = {key: {**SERVICE[key], **edit[key]} if key == "model" else edit[key] for key in edit}
    comparison = compare(repository({}, {}), repository(over, {}))
    effects = {str(impact.effect) for item in comparison.objects for _, impact in item.impacts}
    assert effect in effects


def test_an_upgrade_of_kserve():
    """No object changes, and the pods of every service do."""
    files = {"chat": {**SERVICE}, "environment": ENVIRONMENT}
    older = {**files, "environment": {**ENVIRONMENT, "kserve": {"version": "0.19.0"}}}
    sides = [
        in_memory({f"environments/prod/{stem}.yaml": tree for stem, tree in side.items()})
        for side in (older, files)
    ]
    comparison = compare(*sides)
    (item,) = comparison.objects
    effects = {impact.unit: str(impact.effect) for _, impact in item.impacts}
    assert effects == {"main": "rolling", "scheduler": "recreate"}
    causes = {comparison.edits[number].path for some in item.causes for number in some}
    assert causes == {("kserve", "version")}
    assert not compare(sides[0], sides[0]).objects


def test_there_are_edits():
    assert len(EDITS) >= 7
