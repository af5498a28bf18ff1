"""Rules about clusters: where they speak through a compute template, and when they are silent."""

import pytest
import yaml

from renderer import check
from tests.support.memory import project
from tests.support.ray_specs import completed

HEADER = "apiVersion: serving.gitops/v1\nkind: {}\n"
ENVIRONMENT = HEADER.format("Environment") + (
    "destinations: [{name: east, platform: kubernetes, namespace: ray}]\n"
)


def found(kind, text, template="{}"):
    files = {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": ENVIRONMENT,
        "environments/dev/asked.yaml": HEADER.format(kind) + completed(kind, text),
        "environments/dev/small.yaml": HEADER.format("ComputeTemplate")
        + completed("ComputeTemplate", template),
    }
    return check(project(files))


DEVICE = "{gpu: 1, gpuAccelerator: gpu.intel.com/i915}"
SIZED = yaml.safe_dump(
    {
        "headGroupSpec": {"computeTemplate": "small"},
        "workerGroupSpecs": [{"groupName": "small"}],
    }
)


@pytest.mark.parametrize("text", [SIZED, "clusterSpec: {}"], ids=["resource", "message"])
def test_what_a_template_says_is_told_there(text):
    told = [item for item in found("RayCluster", text, DEVICE) if item.code == "RAY242"]
    assert told
    for item in told:
        assert item.file == "environments/dev/small.yaml"
        assert item.via is not None
        assert item.via[0] == "environments/dev/asked.yaml"


@pytest.mark.parametrize("kind", ["RayCluster", "RayJob", "RayService"])
@pytest.mark.parametrize(
    "wrong",
    ["rayStartParams: {block: false}", "computeTemplate: [small]"],
    ids=["parameter", "template"],
)
def test_nothing_is_said_of_a_message_that_cannot_be_read(kind, wrong):
    crossed = "workerGroupSpec: [{minReplicas: 4, maxReplicas: 3}]"
    text = f"clusterSpec:\n  headGroupSpec: {{{wrong}}}\n  {crossed}\n"
    codes = {item.code for item in found(kind, text)}
    assert any(code.startswith("SPC") for code in codes)
    assert "RAY205" not in codes
    assert "RAY205" in {item.code for item in found(kind, f"clusterSpec:\n  {crossed}\n")}


@pytest.mark.parametrize(
    ("kind", "field"), [("RayJob", "rayClusterSpec"), ("RayService", "rayClusterConfig")]
)
def test_a_bound_that_cannot_be_read_is_not_missing(kind, field):
    cluster = {"enableInTreeAutoscaling": True, "workerGroupSpecs": [{"maxReplicas": "many"}]}
    codes = {item.code for item in found(kind, yaml.safe_dump({field: cluster}))}
    assert "RAY209" not in codes
    cluster["workerGroupSpecs"] = [{"maxReplicas": None}]
    assert "RAY209" in {item.code for item in found(kind, yaml.safe_dump({field: cluster}))}


@pytest.mark.parametrize("policy", ["Never", "OnFailure"])
def test_pods_of_ray_need_not_be_restarted(policy):
    text = f"headGroupSpec: {{template: {{spec: {{restartPolicy: {policy}}}}}}}"
    assert not {item.code for item in found("RayCluster", text)} & {"MAN159", "RAY264"}
