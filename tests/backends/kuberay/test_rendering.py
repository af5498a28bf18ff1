"""Specs in either vocabulary, and what is rendered of them."""

import json
import re

import pytest
import yaml

from renderer import check, load, render
from renderer.values.diagnostics import Severity
from tests.support.places import SHARED
from tests.support.repositories import HEADER

ENVIRONMENT = (
    HEADER.format("Environment")
    + "destinations: [{name: east, platform: kubernetes, namespace: models}]\n"
)
SMALL = HEADER.format("ComputeTemplate") + "cpu: 2\nmemory: 4\n"
IMAGE = "rayproject/ray:2.49.0"
POD = f"template: {{spec: {{containers: [{{name: ray-head, image: '{IMAGE}'}}]}}}}"
CLUSTER = f"rayVersion: 2.49.0\nheadGroupSpec: {{rayStartParams: {{}}, {POD}}}\n"
MESSAGE = """\
user: risk
version: 2.49.0
clusterSpec:
  headGroupSpec: {computeTemplate: small, rayStartParams: {num-cpus: "0"}}
  workerGroupSpec:
    - {groupName: cpu, computeTemplate: small, replicas: 2, maxReplicas: 4}
"""


def rendered(repository, **specs):
    """The objects by kind and name; files are called as their specs are."""
    files = {
        f"environments/dev/{name.replace('_', '-')}.yaml": text for name, text in specs.items()
    }
    root = repository(
        **{"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT, **files}
    )
    rendering = render(load(root))
    assert rendering.is_sound, rendering.diagnostics
    found = [yaml.safe_load(item.text) for item in rendering.manifests]
    return {(item["kind"], item["metadata"]["name"]): item for item in found}


def job(more="", name="job"):
    text = HEADER.format("RayJob") + f"entrypoint: python a.py\nrayClusterSpec:\n{indented()}"
    return {name: text + more}


def indented():
    return "".join(f"  {line}\n" for line in CLUSTER.splitlines())


def named(objects, kind):
    [found] = [item for (of, _), item in objects.items() if of == kind]
    return found


class TestMessages:
    def cluster(self, repository, text=MESSAGE):
        objects = rendered(repository, small=SMALL, notes=HEADER.format("RayCluster") + text)
        return objects["RayCluster", "notes"]

    def test_a_lower_bound_that_is_given_counts(self, repository):
        zero = MESSAGE.replace("replicas: 2,", "replicas: 2, minReplicas: 0,")
        [group] = self.cluster(repository, zero)["spec"]["workerGroupSpecs"]
        assert (group["replicas"], group["minReplicas"], group["maxReplicas"]) == (2, 0, 4)

    def test_a_lower_bound_that_is_not_given_is_the_number_of_replicas(self, repository):
        [group] = self.cluster(repository)["spec"]["workerGroupSpecs"]
        assert (group["replicas"], group["minReplicas"]) == (2, 2)

    def test_numbers_may_be_text(self, repository):
        text = MESSAGE.replace("replicas: 2,", 'replicas: "2",')
        [group] = self.cluster(repository, text)["spec"]["workerGroupSpecs"]
        assert group["replicas"] == 2

    def test_the_object_is_ours_and_not_the_api_servers(self, repository):
        labels = self.cluster(repository)["metadata"]["labels"]
        assert labels["app.kubernetes.io/managed-by"] == "servingctl"
        assert labels["ray.io/user"] == "risk"
        assert labels["ray.io/environment"] == "DEV"

    def test_ports_follow_the_start_parameters(self, repository):
        text = MESSAGE.replace('num-cpus: "0"', 'num-cpus: "0", port: "6380"')
        head = self.cluster(repository, text)["spec"]["headGroupSpec"]
        ports = head["template"]["spec"]["containers"][0]["ports"]
        assert {item["name"]: item["containerPort"] for item in ports} == {
            "gcs-server": 6380,
            "dashboard": 8265,
            "client": 10001,
            "metrics": 8080,
        }

    def test_ports_stand_where_the_start_parameters_do(self, repository):
        text = MESSAGE.replace('num-cpus: "0"', 'num-cpus: "0", port: "6380"')
        files = {"small": SMALL, "notes": HEADER.format("RayCluster") + text}
        files = {f"environments/dev/{name}.yaml": text for name, text in files.items()}
        place = {"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT}
        [manifest] = render(load(repository(**place, **files))).manifests
        container = ("spec", "headGroupSpec", "template", "spec", "containers", 0)
        where = manifest.tree.locate((*container, "ports", 0, "containerPort"))
        assert where.file == "environments/dev/notes.yaml"

    def test_a_cluster_may_serve(self, repository):
        text = 'annotations: {ray.io/enable-serve-service: "true"}\n' + MESSAGE
        head = self.cluster(repository, text)["spec"]["headGroupSpec"]
        ports = head["template"]["spec"]["containers"][0]["ports"]
        assert ports[-1] == {"name": "serve", "containerPort": 8000, "protocol": "TCP"}

    def test_the_version_is_that_of_the_tag_where_none_is_given(self, repository):
        text = MESSAGE.replace("version: 2.49.0\n", "").replace(
            "headGroupSpec: {", f"headGroupSpec: {{image: '{IMAGE}-py311', "
        )
        text = text.replace("groupName: cpu,", f"groupName: cpu, image: '{IMAGE}-py311',")
        assert self.cluster(repository, text)["spec"]["rayVersion"] == "2.49.0"

    def test_an_empty_effect_stays_empty(self, repository):
        small = SMALL + "tolerations: [{key: spot, operator: Exists}]\n"
        objects = rendered(repository, small=small, notes=HEADER.format("RayCluster") + MESSAGE)
        head = objects["RayCluster", "notes"]["spec"]["headGroupSpec"]
        assert head["template"]["spec"]["tolerations"] == [{"key": "spot", "operator": "Exists"}]


class TestTemplates:
    def test_a_template_is_no_object_unless_it_is_wanted(self, repository):
        notes = HEADER.format("RayCluster") + MESSAGE
        assert set(rendered(repository, small=SMALL, notes=notes)) == {("RayCluster", "notes")}
        for unit in ("", "memoryUnit: ''\n"):  # one that is read back as empty means bytes
            objects = rendered(repository, small=f"{SMALL}{unit}emit: true\n", notes=notes)
            assert objects["ConfigMap", "small"]["data"]["memory_unit"] == "Gi"

    def test_a_container_that_says_an_amount_itself_keeps_it(self, repository):
        sized = POD.replace("'}", "', resources: {limits: {memory: 8Gi}}}")
        group = f"headGroupSpec: {{computeTemplate: small, {sized}}}\n"
        objects = rendered(repository, small=SMALL, notes=HEADER.format("RayCluster") + group)
        pod = objects["RayCluster", "notes"]["spec"]["headGroupSpec"]["template"]["spec"]
        assert pod["containers"][0]["resources"] == {
            "limits": {"cpu": "2", "memory": "8Gi"},
            "requests": {"cpu": "2"},
        }
        head = objects["RayCluster", "notes"]["spec"]["headGroupSpec"]
        assert "computeTemplate" not in head


class TestJobs:
    def test_a_job_is_called_after_its_content(self, repository):
        first = named(rendered(repository, **job()), "RayJob")["metadata"]["name"]
        assert re.fullmatch(r"job-[0-9a-f]{10}", first)
        second = named(rendered(repository, **job("activeDeadlineSeconds: 60\n")), "RayJob")
        assert second["metadata"]["name"] != first

    def test_labels_run_no_new_job(self, repository):
        first = named(rendered(repository, **job()), "RayJob")
        second = named(rendered(repository, **job("labels: {team: risk}\n")), "RayJob")
        assert first["metadata"]["name"] == second["metadata"]["name"]

    def test_a_registry_is_part_of_the_content(self, repository):
        objects = rendered(repository, **job())
        moved = ENVIRONMENT.replace("models}", "models, image_registry: {rayproject: a.example}}")
        root = repository(
            **{
                "servingctl.yaml": "",
                "environments/dev/environment.yaml": moved,
                "environments/dev/job.yaml": job()["job"],
            }
        )
        [manifest] = render(load(root)).manifests
        assert yaml.safe_load(manifest.text)["metadata"]["name"] not in {n for _, n in objects}

    def test_a_fixed_name(self, repository):
        objects = rendered(repository, **job("name_suffix: none\n"))
        assert set(objects) == {("RayJob", "job")}

    def test_a_superseded_run_is_left_alone(self, repository):
        kept = named(rendered(repository, **job()), "RayJob")["metadata"]["annotations"]
        assert kept == {
            "argocd.argoproj.io/sync-options": "Prune=false",
            "kustomize.toolkit.fluxcd.io/prune": "disabled",
        }
        gone = named(rendered(repository, **job("prune: true\n")), "RayJob")["metadata"]
        assert "annotations" not in gone

    def test_other_sync_options_stay(self, repository):
        more = "annotations: {argocd.argoproj.io/sync-options: ServerSideApply=true}\n"
        found = named(rendered(repository, **job(more)), "RayJob")["metadata"]["annotations"]
        options = found["argocd.argoproj.io/sync-options"]
        assert options == "ServerSideApply=true,Prune=false"


class TestScaledClusters:
    @pytest.mark.parametrize(("scaled", "kept"), [("true", False), ("false", True)])
    def test_git_does_not_say_how_many_workers_ray_has(self, repository, scaled, kept):
        text = (
            f"enableInTreeAutoscaling: {scaled}\n{CLUSTER}workerGroupSpecs:\n"
            f"  - {{groupName: a, replicas: 1, minReplicas: 1, maxReplicas: 2, {POD}}}\n"
        )
        objects = rendered(repository, notes=HEADER.format("RayCluster") + text)
        [group] = objects["RayCluster", "notes"]["spec"]["workerGroupSpecs"]
        assert ("replicas" in group) is kept


@pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="the documents are not here")
class TestTheDocument:
    """The payloads of the old document, as specs."""

    def payloads(self):
        [path] = (SHARED / "seeds").glob("004*.txt")
        for block in re.findall(r"```json\n(.*?)```", path.read_text("utf-8"), re.S):
            text = re.sub(r",(\s*[}\]])", r"\1", block.replace("<namespace>", "models"))
            try:
                yield json.loads(text)
            except json.JSONDecodeError:  # one of the lists lacks its beginning
                continue

    def of(self, key):
        """The payload that has a key, whether it is a request or the answer to one."""
        for payload in self.payloads():
            items = [payload, *(i for v in payload.values() if isinstance(v, list) for i in v)]
            yield from (item for item in items if isinstance(item, dict) and key in item)

    def errors(self, repository, kind, payload):
        text = json.dumps({"apiVersion": "serving.gitops/v1", "kind": kind, **payload})
        root = repository(
            **{
                "servingctl.yaml": "",
                "environments/dev/environment.yaml": ENVIRONMENT,
                "environments/dev/it.json": text,
                "environments/dev/head-template.yaml": SMALL,
                "environments/dev/worker-template.yaml": SMALL,
            }
        )
        found = check(load(root))
        return [item for item in found if item.severity is Severity.ERROR]

    @pytest.mark.parametrize("key", ["clusterSpec", "cluster_spec"])
    def test_clusters_render_in_both_spellings(self, repository, key):
        payload = next(item for item in self.of(key) if item["name"] == "test-cluster")
        given = json.loads(
            json.dumps(payload).replace("1.9.2", "2.49.0").replace("ray.io/ray", "rayproject/ray")
        )
        assert self.errors(repository, "RayCluster", given) == []

    def test_placeholders_are_refused(self, repository):
        for key, kind in (("entrypoint", "RayJob"), ("serveDeploymentGraphSpec", "RayService")):
            payload = next(self.of(key))
            assert self.errors(repository, kind, payload)
