"""The rules on LLM services against what KServe ships, and what the services need."""

from renderer.backends.kserve import backend
from renderer.backends.kserve.llm.presets import VERSIONS, presets
from renderer.backends.kserve.llm.rules.templates import FIELDS
from renderer.backends.kserve.llm.template_functions import FUNCTIONS
from renderer.backends.kserve.rules.placeholders import template_texts, why_broken
from renderer.kubernetes.pods import Field
from tests.support.memory import project
from tests.support.rows import each

SHIPPED = {
    f"{version} {name}": spec for version in VERSIONS for name, spec in presets(version).items()
}


@each("spec", SHIPPED)
def test_shipped_templates_can_be_filled_in(spec):
    texts = [field.text for field in template_texts(Field((), spec))]
    assert [why_broken(text, FIELDS, frozenset(FUNCTIONS)) for text in texts] == [""] * len(texts)


def test_presets_have_templates():
    assert any(list(template_texts(Field((), spec))) for spec in SHIPPED.values())


REPOSITORY = {
    "servingctl.yaml": "",
    "environments/dev/environment.yaml": "apiVersion: serving.gitops/v1\nkind: Environment\n"
    "destinations: [{name: east, platform: kubernetes, namespace: models}]\n",
}
CHAT = """\
apiVersion: serving.gitops/v1
kind: LLMInferenceService
model: {uri: hf://acme/chat}
"""


def needed(text):
    found = project({**REPOSITORY, "environments/dev/chat.yaml": CHAT + text})
    return [line.partition(" (")[0] for line in backend.FUNCTIONS.needs(found.environments[0])]


def test_a_plain_service_needs_the_presets():
    assert needed("") == ["the presets of KServe"]


def test_workers_and_autoscalers_need_controllers():
    text = """\
prefill: {worker: {}, parallelism: {data: 2, dataLocal: 1}}
scaling: {maxReplicas: 2, wva: {keda: {}}}
router: {route: {}, scheduler: {}}
"""
    assert needed(text)[1:] == [
        "LeaderWorkerSets, before KServe's controller starts",
        "the Workload Variant Autoscaler",
        "KEDA",
        "a gateway that takes InferencePools",
    ]
