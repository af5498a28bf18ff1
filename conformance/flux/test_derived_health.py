"""What Flux says of a KusciaDeployment that hides an outage, with `healthChecks` and without.

The Deployments are those that real controllers left in `tests/observed/kuscia/status`, behind a
KusciaDeployment that says Available all the time.
"""

from typing import NamedTuple

import pytest
import yaml

from conformance.flux.places import ROOT
from conformance.flux.records import compare
from conformance.flux.scene import Scene
from conformance.flux.stage import told
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import add_namespace, apply
from conformance.operators.quiet import wait_for

_RECORDED = ROOT / "tests/observed/kuscia/status"
_PLACE, _NAMESPACE, _NAME = "prod/alice", "alice", "credit-risk"
_LABELS = {"app": _NAME}
_DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment"}
_SELF = {**_DEPLOYMENT, "metadata": {"name": _NAME, "namespace": _NAMESPACE}}
#: Other times than those of `bootstrap flux`, which are ten and five minutes.
_TIMES = {"interval": "1m", "timeout": "30s"}
_CHECKED = {**_DEPLOYMENT, "name": _NAME, "namespace": _NAMESPACE}
_GATES: dict[str, Object] = {
    "wait": {"wait": True, **_TIMES},
    "healthChecks": {"wait": False, "healthChecks": [_CHECKED], **_TIMES},
}
#: A check at the interval comes within that and its timeout; a busy machine takes longer.
_NEXT_LOOK = 240


class Moment(NamedTuple):
    """A step of a case, and the Deployment of it by namespace and name, if there was one."""

    step: str
    deployment: str


_SERVES = Moment("17-edit-to-an-app-image-that-is-not-there/1", "alice/s17")
_CRASHES = Moment("17-edit-to-an-app-image-that-is-not-there/2", "alice/s17")
#: What a person says of each is in its case.
_MOMENTS = (
    _SERVES,
    _CRASHES,
    Moment("11-rollout-that-hangs/2", "alice/s11"),
    Moment("11-rollout-that-hangs/3", "alice/s11"),
    Moment("13-quota-allows-fewer-pods/1", "dora/s13"),
    Moment("18-edit-to-a-role-without-a-template/1", ""),
)


def recorded(moment: Moment) -> Object:
    case, _, number = moment.step.partition("/")
    text = (_RECORDED / case / f"step-{number}-deployments.yaml").read_text("utf-8")
    document = yaml.safe_load(text)
    found: list[Object] = document["items"] if document["kind"] == "List" else [document]
    (thing,) = (
        item
        for item in found
        if f"{item['metadata']['namespace']}/{item['metadata']['name']}" == moment.deployment
    )
    return thing


def show(client: Client, moment: Moment) -> None:
    """Leave the Deployment as it was recorded, or none."""
    if not moment.deployment:
        client.delete(_SELF)
        return
    thing = recorded(moment)
    container = {"name": "main", "image": "example/web:1"}
    template = {"metadata": {"labels": _LABELS}, "spec": {"containers": [container]}}
    spec = {"replicas": thing["spec"]["replicas"], "selector": {"matchLabels": _LABELS}}
    apply(client, {**_SELF, "spec": {**spec, "template": template}})
    path = client.path_of(_SELF)
    seen = client.request("GET", path).body["metadata"]["generation"]
    status = {**thing["status"], "observedGeneration": seen}
    patch = [{"op": "add", "path": "/status", "value": status}]
    reply = client.request("PATCH", f"{path}/status", patch, "json-patch+json")
    assert not reply.is_refusal, reply


def what_it_says(scene: Scene, name: str) -> Object:
    found = scene.stage.kustomization(name)
    (ready,) = (i for i in found["status"]["conditions"] if i["type"] == "Ready")
    # Behind it stands what the last look before the timeout came to, which is not always the same.
    message = told(found).replace(scene.revision, "REVISION").partition(": [")[0]
    return {"ready": ready["status"], "message": message}


def says(scene: Scene, name: str, *ready: str) -> Object:
    """What it says as soon as it is ready or not; between two looks it may be another again."""
    found: Object = {}

    def is_so() -> bool:
        found.update(what_it_says(scene, name))
        return found["ready"] in ready

    wait_for(is_so, _NEXT_LOOK)
    return found


def look(scene: Scene, name: str) -> Object:
    """What it says once Flux has looked, as somebody asks it to."""
    token = scene.stage.request([name])
    wait_for(lambda: scene.stage.was_handled([name], token), _NEXT_LOOK)
    return says(scene, name, "True", "False")  # it begins with Unknown


def test_health_checks_of_derived_deployments(scene: Scene, pytestconfig: pytest.Config) -> None:
    client, name = scene.stage.first.client, scene.chains[_PLACE].workloads["metadata"]["name"]
    add_namespace(client, _NAMESPACE)
    scene.publish(scene.repository.render())
    scene.settle()
    found: Object = {gate: [] for gate in _GATES}
    for gate, spec in _GATES.items():
        scene.stage.change(name, {"spec": spec})
        for moment in _MOMENTS:
            show(client, moment)
            said = look(scene, name)
            found[gate].append({"step": moment.step, "deployment": moment.deployment, **said})
    found["later"] = later_outage(scene, name)
    client.delete(_SELF)
    compare("derived_health", found, update=pytestconfig.getoption("--update-observed"))


def later_outage(scene: Scene, name: str) -> list[Object]:
    """An outage, and its end, while nothing is committed and nobody asks Flux to look."""
    client = scene.stage.first.client
    show(client, _SERVES)
    found = [look(scene, name)]
    for moment, ready in ((_CRASHES, "False"), (_SERVES, "True")):
        show(client, moment)
        found.append(says(scene, name, ready))
    return found
