"""What a cluster says of LLM services."""

import pytest

from renderer import check, load, render
from renderer.inspect.preview import preview
from tests.support.repositories import HEADER

SERVICE = """model: {uri: 'hf://acme/chat'}
template: {containers: [{name: main, resources: {limits: {cpu: 4, memory: 8Gi}}}]}
router: {route: {}, gateway: {}}
"""
CONFIG = """data:
  ingress: '{"enableLLMInferenceServiceTLS": true, "kserveIngressGateway": "edge/public"}'
  storageInitializer: '{"image": "registry.example/init:1", "memoryLimit": "8Gi"}'
"""
PLACE = "destinations: [{{name: lab, platform: kubernetes, namespace: models{}}}]\n"


@pytest.fixture
def main(repository):
    """The pods that serve, where an environment says this of KServe."""

    def look(environment, service=SERVICE, **more):
        files = {
            "servingctl.yaml": "",
            "environments/dev/environment.yaml": HEADER.format("Environment") + environment,
            "environments/dev/chat.yaml": HEADER.format("LLMInferenceService") + service,
            "templates/kserve/cluster/cluster.yaml": CONFIG,
            **more,
        }
        project = load(repository(files))
        assert not [item for item in check(project) if item.code.startswith(("SPC", "ENV"))]
        (found,) = project.environments
        spec = next(item for item in found.specs if item.stem == "chat")
        made = preview(project, render(project), found, spec, {})
        return made.units[0]

    return look


def content(unit, kind):
    return next(item.content for item in unit.objects if item.kind == kind)


@pytest.mark.parametrize(
    "environment",
    [
        PLACE.format("") + "kserve: {config: {file: cluster.yaml}}\n",
        PLACE.format(", kserve: {config: {file: cluster.yaml}}"),
    ],
)
def test_its_own_configuration(main, environment):
    unit = main(environment)
    pod = content(unit, "Deployment")["spec"]["template"]["spec"]
    server = pod["containers"][0]
    assert server["readinessProbe"]["httpGet"]["scheme"] == "HTTPS"
    assert "--ssl-keyfile /var/run/kserve/tls/tls.key" in server["command"][2]
    assert pod["initContainers"][0]["image"] == "registry.example/init:1"
    assert pod["initContainers"][0]["resources"]["limits"] == {"cpu": "1", "memory": "8Gi"}
    parent = content(unit, "HTTPRoute")["spec"]["parentRefs"][0]
    assert (parent["namespace"], parent["name"]) == ("edge", "public")
    assert content(unit, "Service")["spec"]["ports"][0]["name"] == "https"
    assert not [note for note in unit.notes if "KServe ships" in note]


def test_a_version_whose_presets_are_not_known(main):
    unit = main(PLACE.format("") + "kserve: {version: 0.17.0}\n")
    assert "presets of KServe 0.17.0 are not known here" in unit.problem


def test_configuration_called_as_a_preset_takes_its_place(main):
    own = HEADER.format("LLMInferenceServiceConfig") + (
        "template: {containers: [{name: main, image: 'example/vllm:v1', command: [serve]}]}\n"
    )
    unit = main(PLACE.format(""), **{"environments/dev/kserve-config-llm-template.yaml": own})
    server = content(unit, "Deployment")["spec"]["template"]["spec"]["containers"][0]
    assert (server["image"], server["command"]) == ("example/vllm:v1", ["serve"])
