"""What KubeRay makes of clusters, jobs and services, in both vocabularies and in its versions."""

import pytest

from renderer import load, render
from renderer.errors import UsageError
from renderer.inspect.preview import preview
from renderer.outputs.preview import FORMATS
from renderer.values.inspection import Preview
from tests.support.repositories import HEADER

ENVIRONMENT = """destinations: [{name: lab, platform: kubernetes, namespace: rays}]
kuberay: {version: 1.6.1}
"""
RAY = "{name: ray, image: 'rayproject/ray:2.52.0', resources: {limits: {cpu: 2, memory: 4Gi}}}"
POD = f"template: {{spec: {{containers: [{RAY}]}}}}"
CLUSTER = f"""rayVersion: 2.52.0
headGroupSpec: {{rayStartParams: {{}}, {POD}}}
workerGroupSpecs:
  - {{groupName: small, replicas: 9, minReplicas: 1, maxReplicas: 3, rayStartParams: {{}}, {POD}}}
"""
TEMPLATE = "cpu: 2\nmemory: 4\n"
MESSAGE = """user: anna
version: 2.52.0
clusterSpec:
  headGroupSpec: {computeTemplate: small, rayStartParams: {dashboard-host: 0.0.0.0}}
  workerGroupSpec:
    - {groupName: small, computeTemplate: small, replicas: 1, maxReplicas: 3, rayStartParams: {}}
"""
SERVE = """serveConfigV2: |
  applications:
    - {name: fruit, route_prefix: /fruit, import_path: 'fruit:app'}
    - {name: inner, route_prefix: null, import_path: 'inner:app'}
"""


def embedded(field, text=CLUSTER):
    return f"{field}:\n" + "".join(f"  {line}\n" for line in text.splitlines())


@pytest.fixture
def look(repository):
    """The units of a spec that is written down here, by their names."""

    def units(kind, text, environment=ENVIRONMENT, **others):
        files = {f"environments/dev/{name}.yaml": content for name, content in others.items()}
        root = repository(
            {
                "servingctl.yaml": "",
                "environments/dev/environment.yaml": HEADER.format("Environment") + environment,
                "environments/dev/small.yaml": HEADER.format("ComputeTemplate") + TEMPLATE,
                "environments/dev/it.yaml": HEADER.format(kind) + text,
                **files,
            }
        )
        project = load(root)
        (found,) = project.environments
        spec = next(item for item in found.specs if item.stem == "it")
        return {u.unit: u for u in preview(project, render(project), found, spec, {}).units}

    return units


def objects(unit):
    return {f"{i.content['kind']}/{i.content['metadata']['name']}": i.content for i in unit.objects}


def pod(unit):
    return next(item.content for item in unit.objects if item.content["kind"] == "Pod")


def summary(unit):
    return dict(next(i.summary for i in unit.objects if i.content["kind"] == "Pod"))


def ray(unit):
    return pod(unit)["spec"]["containers"][0]


def test_a_cluster_has_a_head_and_groups(look):
    units = look("RayCluster", CLUSTER)
    assert list(units) == ["head", "small"]
    assert list(objects(units["head"])) == ["Pod/it-head-<pod>", "Service/it-head-svc"]
    assert list(objects(units["small"])) == ["Pod/it-small-worker-<pod>"]
    about = summary(units["small"])
    assert about["pods"] == "3 pods"
    assert about["Ray sees"] == "2 CPU, 4 GiB of memory"
    assert "num-cpus: 2" in about["ray start"]


def test_a_message_becomes_the_same(look):
    said, meant = (look("RayCluster", text)["small"] for text in (MESSAGE, CLUSTER))
    assert ray(said)["args"] == ray(meant)["args"]
    assert summary(said)["Ray sees"] == summary(meant)["Ray sees"]


def test_a_service_is_called_at_its_routes(look):
    units = look("RayService", SERVE + embedded("rayClusterConfig"))
    head = units["head"]
    assert {"RayCluster/it-xxxxx", "Service/it-head-svc", "Service/it-serve-svc"} <= set(
        objects(head)
    )
    urls = {item.name: item.url for item in head.addresses}
    assert urls["application fruit"] == "http://it-serve-svc.rays.svc.cluster.local:8000/fruit"
    assert urls["client"] == "ray://it-head-svc.rays.svc.cluster.local:10001"
    assert "application inner" not in urls
    assert "-/healthz" in str(ray(units["small"])["readinessProbe"])
    assert any("xxxxx" in note for note in head.notes)


def test_a_service_without_a_serve_port_says_so(look):
    ports = CLUSTER.replace("cpu: 2", "cpu: 1").replace(
        "{name: ray,", "{ports: [{name: dashboard, containerPort: 8265}], name: ray,"
    )
    lenient = f"{ENVIRONMENT}rules: {{RAY402: ignore}}\n"
    head = look("RayService", SERVE + embedded("rayClusterConfig", ports), lenient)["head"]
    assert "Service/it-serve-svc" not in objects(head)
    assert any("no port of the head is called serve" in note for note in head.notes)


JOB = "name_suffix: none\nentrypoint: python a.py\n"


@pytest.mark.parametrize(
    ("mode", "names", "containers"),
    [
        ("K8sJobMode", {"Job/it"}, ["ray"]),
        ("HTTPMode", set(), ["ray"]),
        ("SidecarMode", set(), ["ray", "ray-job-submitter"]),
    ],
)
def test_a_job_is_submitted_by_its_mode(look, mode, names, containers):
    text = f"{JOB}submissionMode: {mode}\n" + embedded("rayClusterSpec")
    units = look("RayJob", text)
    assert {
        name for unit in units.values() for name in objects(unit) if name[:4] == "Job/"
    } == names
    assert ("submitter" in units) is bool(names)
    assert [item["name"] for item in pod(units["head"])["spec"]["containers"]] == containers


def test_what_is_submitted_is_quoted_for_the_shell(look):
    text = f"{JOB}runtimeEnvYAML: 'pip: [\"a>=1\"]'\nmetadata: {{run: '7'}}\n"
    submitter = look("RayJob", text + embedded("rayClusterSpec"))["submitter"]
    (command,) = objects(submitter)["Job/it"]["spec"]["template"]["spec"]["containers"][0]["args"]
    assert r'--runtime-env-json "{\"pip\":[\"a\\u003e=1\"]}"' in command
    assert r'--metadata-json "{\"run\":\"7\"}"' in command
    assert "--submission-id it-<job> -- python a.py ; fi" in command


@pytest.mark.parametrize(("known", "image"), [(True, "rayproject/ray:2.52.0"), (False, "<image>")])
def test_a_job_may_use_a_cluster_that_is_there(look, known, image):
    others = {"shared": HEADER.format("RayCluster") + CLUSTER} if known else {}
    (unit,) = look("RayJob", JOB + "clusterSelector: {ray.io/cluster: shared}\n", **others).values()
    assert unit.unit == "submitter"
    assert list(objects(unit)) == ["Job/it"]
    (container,) = objects(unit)["Job/it"]["spec"]["template"]["spec"]["containers"]
    assert container["image"] == image
    assert "http://shared-head-svc.rays.svc.cluster.local:8265" in container["args"][0]


@pytest.mark.parametrize(
    ("kind", "text", "problem"),
    [
        ("RayJob", f"{JOB}suspend: true\nshutdownAfterJobFinishes: true\n", "suspended"),
        ("RayJob", f"{JOB}managedBy: kueue.x-k8s.io/multikueue\n", "kueue"),
    ],
    ids=["suspended", "managed by somebody else"],
)
def test_nothing_becomes_of_it(look, kind, text, problem):
    units = look(kind, text + embedded("rayClusterSpec"))
    assert list(units) == ["head", "small", "submitter"]
    for unit in units.values():
        assert problem in unit.problem
        assert unit.objects == unit.pods == ()


def test_a_suspended_cluster_has_no_pods(look):
    units = look("RayCluster", f"suspend: true\n{CLUSTER}")
    assert list(objects(units["head"])) == ["Service/it-head-svc"]
    assert "suspended" in units["small"].problem


def test_the_autoscaler_stands_beside_the_head(look):
    text = f"enableInTreeAutoscaling: true\nautoscalerOptions: {{version: v2}}\n{CLUSTER}"
    units = look("RayCluster", text)
    names = [name.partition("/")[0] for name in objects(units["head"])]
    assert {"ServiceAccount", "Role", "RoleBinding"} <= set(names)
    spec = pod(units["head"])["spec"]
    assert [item["name"] for item in spec["containers"]] == ["ray", "autoscaler"]
    assert (spec["restartPolicy"], spec["serviceAccountName"]) == ("Never", "it")
    assert summary(units["small"])["pods"] == "1 pod at first, 1 to 3 as Ray scales them"


@pytest.mark.parametrize(
    ("version", "ray_version", "probe"),
    [
        ("1.6.1", "2.53.0", "httpGet"),
        ("1.6.1", "2.52.0", "exec"),
        ("1.5.0", "2.53.0", "exec"),
    ],
)
def test_probes_follow_both_versions(look, version, ray_version, probe):
    environment = ENVIRONMENT.replace("1.6.1", version)
    text = CLUSTER.replace("2.52.0", ray_version)
    assert probe in ray(look("RayCluster", text, environment)["head"])["livenessProbe"]


@pytest.mark.parametrize(
    ("version", "limit", "name", "said"),
    [
        ("1.3.0", "65536", "it-raycluster-xxxxx", True),
        ("1.6.1", "65536", "it-xxxxx", False),
        ("1.7.0", "${RAY_START_ULIMIT_OPEN_FILES:-65536}", "it-xxxxx", True),
    ],
)
def test_what_is_inferred_says_so(look, version, limit, name, said):
    environment = ENVIRONMENT.replace("1.6.1", version)
    head = look("RayService", SERVE + embedded("rayClusterConfig"), environment)["head"]
    assert f"RayCluster/{name}" in objects(head)
    assert ray(head)["args"][0].startswith(f"ulimit -n {limit}; ray start --head ")
    assert any("inferred" in note for note in head.notes) is said


def test_a_long_name_is_cut_as_the_operator_does(look):
    name = "a" + "0123456789" * 5 + "b1"
    head = look("RayCluster", f"name: {name}\nenableInTreeAutoscaling: true\n{CLUSTER}")["head"]
    assert pod(head)["metadata"]["name"] == f"{name[:50]}-head-<pod>"
    assert f"Role/r{name[-49:]}" in objects(head)


def test_a_template_runs_nothing(look):
    with pytest.raises(UsageError, match="runs nothing by itself"):
        look("ComputeTemplate", TEMPLATE)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_shows_it(look, form):
    units = look("RayService", SERVE + embedded("rayClusterConfig"))
    shown = FORMATS[form](Preview("RayService/it", "dev", tuple(units.values())))
    assert "it-serve-svc" in shown
