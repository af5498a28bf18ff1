"""Specs of Ray as requests of the KubeRay API server."""

import json

import pytest
import yaml

from renderer import render
from renderer.backends.kind_schemas import strict_schema
from renderer.backends.kuberay.vocabulary import answer_fields, message_shape, shared_fields
from tests.support.exports import exported, told
from tests.support.memory import project
from tests.support.ray_specs import completed
from tests.support.repositories import HEADER

HEAD = HEADER.format("Environment") + "destinations:\n  - {name: east, platform: kubernetes"
SMALL = "cpu: 2\nmemory: 4\n"
#: Of each kind, and where its requests go.
KINDS = {"RayCluster": "clusters", "RayJob": "jobs", "RayService": "services"}
MESSAGE = """\
clusterSpec:
  enableInTreeAutoscaling: true
  autoscalerOptions: {idleTimeoutSeconds: "60", cpu: 500m, envs: {values: {A: b}}}
  headServiceAnnotations: {a: b}
  headGroupSpec:
    computeTemplate: small
    rayStartParams: {num-cpus: "0"}
    serviceType: ClusterIP
    environment:
      values: {LEVEL: info}
      valuesFrom:
        TOKEN: {source: 1, name: hub, key: token}
        NODE: {source: FIELD, name: spec.nodeName}
    volumes:
      - {name: data, volumeType: 5, mountPath: /data, storage: 1Gi}
  workerGroupSpec:
    - groupName: small
      computeTemplate: small
      replicas: "1"
      minReplicas: 1
      maxReplicas: 3
      imagePullPolicy: Always
      securityContext: {privileged: false, capabilities: {drop: [ALL]}}
"""


def spec(kind, text=MESSAGE):
    return HEADER.format(kind) + completed(kind, text)


def files(kind, text=MESSAGE, template=SMALL, place="namespace: models", settings=""):
    return {
        "servingctl.yaml": "",
        "environments/dev/environment.yaml": f"{HEAD}, {place}}}\n{settings}",
        "environments/dev/small.yaml": HEADER.format("ComputeTemplate") + template,
        "environments/dev/notes.yaml": text if text.startswith("api") else spec(kind, text),
    }


def objects(given):
    rendering = render(project(given))
    assert rendering.is_sound, rendering.diagnostics
    return {item.path: item.text for item in rendering.manifests}


@pytest.mark.parametrize("kind", KINDS)
def test_requests_without_a_body(kind):
    given = files(kind, MESSAGE + "name_suffix: none\n" if kind == "RayJob" else MESSAGE)
    base = f"/apis/v1/namespaces/models/{KINDS[kind]}"
    for verb, method, path in (
        ("get", "GET", f"{base}/notes"),
        ("list", "GET", base),
        ("delete", "DELETE", f"{base}/notes"),
    ):
        request = exported(given, "notes", verb)
        assert (request.method, request.path, request.body) == (method, path, None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_is_a_spec(kind):
    """What was sent, below our header, is rendered to the same objects."""
    own = "name_suffix: none\n" if kind == "RayJob" else ""
    given = files(kind, MESSAGE + own)
    request = exported(given, "notes", "create")
    assert (request.method, request.obstacles) == ("POST", ())
    again = {
        **given,
        "environments/dev/notes.yaml": HEADER.format(kind) + own + yaml.safe_dump(request.body),
    }
    assert objects(again) == objects(given)
    assert exported(again, "notes", "create").body == request.body


def test_a_body_has_one_spelling():
    body = exported(files("RayCluster"), "notes", "create").body
    assert list(body) == ["name", "namespace", "user", "version", "clusterSpec"]
    cluster = body["clusterSpec"]
    assert list(cluster) == [
        "headGroupSpec",
        "workerGroupSpec",
        "enableInTreeAutoscaling",
        "autoscalerOptions",
        "headServiceAnnotations",
    ]
    assert cluster["autoscalerOptions"]["idleTimeoutSeconds"] == 60
    assert cluster["headGroupSpec"]["environment"]["valuesFrom"] == {
        "TOKEN": {"source": "SECRET", "name": "hub", "key": "token"},
        "NODE": {"source": "FIELD", "key": "spec.nodeName"},
    }
    assert cluster["headGroupSpec"]["volumes"][0]["volumeType"] == "EMPTY_DIR"
    assert cluster["workerGroupSpec"][0]["replicas"] == 1


def test_what_the_server_wrote_is_not_sent_back():
    given = files("RayCluster", MESSAGE + "clusterState: ready\ncreatedAt: '2022-08-19'\n")
    assert not {"clusterState", "createdAt"} & exported(given, "notes", "create").body.keys()


def test_a_job_has_the_name_that_is_rendered():
    (path,) = objects(files("RayJob"))
    name = path.rpartition("/")[2].removesuffix(".yaml")
    assert name != "notes"
    assert exported(files("RayJob"), "notes", "create").body["name"] == name
    assert exported(files("RayJob"), "notes", "get").path.endswith(f"/jobs/{name}")


def test_mappings_are_sent_as_texts():
    job = exported(
        files("RayJob", MESSAGE + "runtimeEnv: {pip: [a]}\nentrypointResources: {gold: 1}\n"),
        "notes",
        "create",
    ).body
    assert yaml.safe_load(job["runtimeEnv"]) == {"pip": ["a"]}
    assert job["entrypointResources"] == '{"gold":1}'
    service = exported(files("RayService"), "notes", "create").body
    assert yaml.safe_load(service["serveConfigV2"])["applications"][0]["name"] == "app"


def test_an_old_graph_is_sent_as_what_servers_know_now():
    graph = "serveDeploymentGraphSpec: {importPath: fruit:app}\n"
    body = exported(files("RayService", MESSAGE + graph), "notes", "create").body
    assert "serveDeploymentGraphSpec" not in body
    assert yaml.safe_load(body["serveConfigV2"])["applications"][0]["import_path"] == "fruit:app"


def test_a_service_can_be_replaced():
    request = exported(files("RayService"), "notes", "update")
    assert (request.method, request.path) == ("PUT", "/apis/v1/namespaces/models/services/notes")
    assert request.body == exported(files("RayService"), "notes", "create").body


def test_images_are_those_of_the_destination():
    place = "namespace: models, image_registry: {rayproject: mirror.example/ray}"
    given = files("RayCluster", MESSAGE, place=place)
    cluster = exported(given, "notes", "create").body["clusterSpec"]
    for group in (cluster["headGroupSpec"], *cluster["workerGroupSpec"]):
        assert group["image"] == "mirror.example/ray/ray:2.52.0"


def test_a_template():
    template = SMALL.replace("2", '"2"') + "memoryUnit: Mi\nextendedResources: {a.example/b: '1'}\n"
    request = exported(files("RayCluster", template=template), "small", "create")
    assert request.path == "/apis/v1/namespaces/models/compute_templates"
    assert json.dumps(request.body) == json.dumps(
        {
            "name": "small",
            "namespace": "models",
            "cpu": 2,
            "memory": 4,
            "extendedResources": {"a.example/b": 1},
            "memoryUnit": "Mi",
        }
    )


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (
            spec("RayCluster", "rayVersion: 2.52.0\n"),
            ["rayVersion", "headGroupSpec", "workerGroupSpecs"],
        ),
        (MESSAGE + "user: ''\n", ["user"]),
        (
            MESSAGE.replace('rayStartParams: {num-cpus: "0"}', "rayStartParams: null"),
            ["clusterSpec.headGroupSpec.rayStartParams"],
        ),
    ],
    ids=["custom resource", "user", "start parameters"],
)
def test_what_the_server_would_refuse_is_refused(text, fields):
    assert sorted(told(exported(files("RayCluster", text), "notes", "create").obstacles)) == sorted(
        fields
    )


def test_a_custom_resource_can_be_asked_for():
    given = files("RayCluster", spec("RayCluster", "rayVersion: 2.52.0\n"))
    assert exported(given, "notes", "get").obstacles == ()


def test_what_the_server_makes_otherwise_is_noted():
    text = MESSAGE.replace("minReplicas: 1", "minReplicas: 0") + "labels: {a: b}\n"
    request = exported(files("RayCluster", text), "notes", "create")
    assert list(told(request.notes)) == [
        "labels",
        "clusterSpec.workerGroupSpec[0].minReplicas",
    ]
    template = SMALL + "tolerations: [{key: spot, operator: Exists}]\n"
    request = exported(files("RayCluster", template=template), "small", "create")
    assert list(told(request.notes)) == ["tolerations[0].effect"]


def test_versions():
    given = files("RayCluster", template=SMALL + "memoryUnit: Mi\n")
    given["environments/dev/environment.yaml"] += "kuberay: {version: 1.4.2}\n"
    assert list(told(exported(given, "small", "create").obstacles)) == ["memoryUnit"]


@pytest.mark.parametrize("kind", [*KINDS, "ComputeTemplate"])
def test_what_is_sent_is_a_field_of_specs(kind):
    """`x-api-fields` name what the message has of its own, and what the custom resource has too."""
    sent = message_shape(kind).fields
    assert sent
    assert [key for key in sent if key not in strict_schema(kind)["properties"]] == []


def test_words_of_both_ways_are_told_apart():
    assert shared_fields("RayCluster") == ()
    assert shared_fields("RayService") == (
        "serveConfigV2",
        "serviceUnhealthySecondThreshold",
        "deploymentUnhealthySecondThreshold",
    )
    assert {"entrypoint", "metadata", "activeDeadlineSeconds"} < set(shared_fields("RayJob"))
    assert "runtimeEnv" not in shared_fields("RayJob")
    assert answer_fields() > {"createdAt", "deleteAt", "rayServiceStatus", "jobStatus"}


def test_fields_are_sent_in_the_order_of_the_server():
    text = MESSAGE + "jobSubmitter: {image: 'rayproject/ray:2.52.0', cpu: 1}\n"
    body = exported(files("RayJob", text), "notes", "create").body
    assert list(body) == [key for key in message_shape("RayJob").fields if key in body]
    assert body["jobSubmitter"] == {"image": "rayproject/ray:2.52.0", "cpu": "1"}
    head = body["clusterSpec"]["headGroupSpec"]
    assert list(head)[:2] == ["computeTemplate", "serviceType"]
    assert list(head["volumes"][0]) == ["mountPath", "volumeType", "name", "storage"]
