"""What objects and messages of KubeRay become."""

import copy
import json

import pytest
import yaml

from tests.support.adoption import imported, in_memory, manifests_of, with_import
from tests.support.ray_specs import CLUSTER, MESSAGES, RESOURCES

ENVIRONMENT = {
    "apiVersion": "serving.gitops/v1",
    "kind": "Environment",
    "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "ray"}],
}
SMALL = {"apiVersion": "serving.gitops/v1", "kind": "ComputeTemplate", "cpu": 2, "memory": 4}
FILES = {
    "environments/e/environment.yaml": ENVIRONMENT,
    "environments/e/small.yaml": SMALL,
}
BARE = {"environments/e/environment.yaml": ENVIRONMENT}


def resource(kind="RayCluster", *, version="v1", annotations=None, **fields):
    spec = {**copy.deepcopy(RESOURCES[kind]), **fields}
    if isinstance(config := spec.get("serveConfigV2"), dict):
        spec["serveConfigV2"] = yaml.safe_dump(config, sort_keys=False)
    metadata = {"name": "one", "namespace": "ray"}
    metadata |= {"annotations": annotations} if annotations else {}
    return {"apiVersion": f"ray.io/{version}", "kind": kind, "metadata": metadata, "spec": spec}


def template(**data):
    labels = {"ray.io/config-type": "compute-template", "ray.io/compute-template": "small"}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "small", "namespace": "ray", "labels": labels},
        "data": {"name": "small", "namespace": "ray", "cpu": "2", "memory": "4", **data},
    }


def adoption(*given, files=FILES):
    texts = {
        f"{number}.json": item if isinstance(item, str) else json.dumps(item)
        for number, item in enumerate(given)
    }
    return imported(files, texts, "e")


def spec(*given, files=FILES):
    """The fields of the last spec."""
    done = adoption(*given, files=files)
    assert not done.errors, done.errors
    assert not done.differences, done.differences
    return yaml.safe_load(done.files[-1].text)


def sent(address, body):
    return f"curl -X POST 'localhost:31888{address}' -d '{json.dumps(body)}'\n"


class TestResources:
    def test_defaults_are_left_out(self):
        given = resource()
        group = given["spec"]["workerGroupSpecs"][0]
        defaults = {"numOfHosts": 1, "minReplicas": 0, "rayStartParams": {}, "scaleStrategy": {}}
        group |= defaults
        found = spec(given)["workerGroupSpecs"][0]
        assert not found.keys() & defaults.keys()

    def test_what_the_autoscaler_wrote_is_left_out_and_told(self):
        given = resource(enableInTreeAutoscaling=True)
        group = given["spec"]["workerGroupSpecs"][0]
        group["scaleStrategy"] = {"workersToDelete": ["one-small-worker-x"]}
        done = adoption(given)
        found = yaml.safe_load(done.files[0].text)["workerGroupSpecs"][0]
        assert not found.keys() & {"replicas", "scaleStrategy"}
        paths = [note.path for note in done.drafts[0].notes]
        assert "spec.workerGroupSpecs.replicas" in paths
        assert "spec.workerGroupSpecs.scaleStrategy.workersToDelete" in paths
        assert not done.differences

    def test_replicas_that_nobody_scales_stay(self):
        assert spec(resource())["workerGroupSpecs"][0]["replicas"] == 1

    def test_a_job_keeps_its_name_and_may_be_pruned_as_before(self):
        found = spec(resource("RayJob"))
        assert (found["name_suffix"], found["prune"]) == ("none", True)

    def test_marks_against_pruning_are_those_of_rendering(self):
        marks = {
            "argocd.argoproj.io/sync-options": "Prune=false",
            "kustomize.toolkit.fluxcd.io/prune": "disabled",
        }
        found = spec(resource("RayJob", annotations=marks))
        assert not found.keys() & {"prune", "annotations"}

    def test_a_config_is_a_mapping_only_if_its_text_stays(self):
        text = "applications:\n- name: app\n  import_path: fruit:app\n"
        assert spec(resource("RayService", serveConfigV2=text))["serveConfigV2"] == {
            "applications": [{"name": "app", "import_path": "fruit:app"}]
        }
        done = adoption(resource("RayService", serveConfigV2=f"# fruit\n{text}"))
        assert yaml.safe_load(done.files[0].text)["serveConfigV2"] == f"# fruit\n{text}"
        assert [note.what for note in done.drafts[0].notes] == ["kept as it is"]

    def test_clusters_that_others_made_are_skipped(self):
        given = resource()
        owner = {"kind": "RayService", "name": "fruit", "controller": True}
        given["metadata"]["ownerReferences"] = [owner]
        done = adoption(given)
        assert not done.drafts
        assert "RayService/fruit made it" in done.skipped[0].why

    def test_an_old_version_is_told(self):
        done = adoption(resource(version="v1alpha1"))
        assert done.drafts[0].notes[0].path == "apiVersion"
        assert not done.differences

    @pytest.mark.parametrize(
        "broken", [None, 3, [], {"headGroupSpec": []}, {"workerGroupSpecs": ["x"]}, {}]
    )
    def test_what_is_no_mapping_is_told_and_no_traceback(self, broken):
        assert adoption({**resource(), "spec": broken}).errors


class TestComputeTemplates:
    def test_a_config_map_is_one_and_pods_refer_to_it(self):
        given = resource()
        head = given["spec"]["headGroupSpec"]["template"]
        head["metadata"] = {"annotations": {"ray.io/compute-template": "small"}}
        amounts = {"cpu": "2", "memory": "4Gi"}
        head["spec"]["containers"][0]["resources"] = {"limits": amounts, "requests": amounts}
        done = adoption(template(memory_unit="Gi", gpu="0"), given, files=BARE)
        assert not done.differences
        assert not done.unrendered
        small, cluster = (yaml.safe_load(file.text) for file in done.files)
        assert (small["cpu"], small["memory"], small["emit"]) == (2, 4, True)
        assert not small.keys() & {"memoryUnit", "gpu", "labels"}
        assert cluster["headGroupSpec"]["computeTemplate"] == "small"
        assert "resources" not in cluster["headGroupSpec"]["template"]["spec"]["containers"][0]

    def test_a_memory_without_unit_is_bytes(self):
        found = adoption(template(memory="4294967296"), files=BARE)
        assert (yaml.safe_load(found.files[0].text)["memory"]) == 4

    def test_before_1_5_it_was_gigabytes(self):
        files = {
            "environments/e/environment.yaml": {**ENVIRONMENT, "kuberay": {"version": "1.4.0"}}
        }
        done = adoption(template(memory="1024"), files=files)
        assert yaml.safe_load(done.files[0].text)["memory"] == 1024
        assert "takes it for Gi" in done.drafts[0].notes[-1].why

    def test_another_config_map_is_a_companion(self):
        done = adoption({**template(), "metadata": {"name": "small", "labels": {"a": "b"}}})
        assert [draft.kind.name for draft in done.drafts] == ["ConfigMap"]


class TestMessages:
    @pytest.mark.parametrize("kind", MESSAGES)
    def test_a_message_is_rendered_as_the_spec_is_that_says_the_same(self, kind):
        own = {"apiVersion": "serving.gitops/v1", "kind": kind, "name_suffix": "none"}
        if kind != "RayJob":
            del own["name_suffix"]
        message = {"name": "one", "namespace": "ray", **MESSAGES[kind]}
        done = adoption(_snake(message))
        wanted = {**FILES, "environments/e/one.yaml": {**own, **MESSAGES[kind]}}
        after = manifests_of(in_memory(with_import(FILES, done)), "e")
        assert after == manifests_of(in_memory(wanted), "e")

    def test_an_answer_lists_several(self):
        listed = [{"name": name, **MESSAGES["RayCluster"]} for name in ("one", "two")]
        done = adoption({"clusters": listed})
        assert [draft.stem for draft in done.drafts] == ["one", "two"]

    def test_the_address_tells_kind_and_namespace(self):
        body = {"name": "one", "user": "ann", "entrypoint": "ls"}
        body["clusterSelector"] = {"ray.io/cluster": "shared"}
        found = spec(sent("/apis/v1/namespaces/other/jobs", body))
        assert (found["kind"], found["namespace"]) == ("RayJob", "other")

    def test_what_the_server_discards_is_told(self):
        message = {"name": "one", **copy.deepcopy(MESSAGES["RayCluster"]), "createdAt": "2024"}
        message["clusterSpec"]["headGroupSpec"]["imag"] = "x"
        done = adoption(message)
        assert not done.errors
        told = {note.path: note.why for note in done.drafts[0].notes}
        assert "answers" in told["createdAt"]
        assert "image" in told["clusterSpec.headGroupSpec.imag"]

    def test_a_submission_is_no_spec(self):
        done = adoption(sent("/apis/v1/namespaces/ray/jobsubmissions/one", {"entrypoint": "ls"}))
        assert "RayJob" in done.skipped[0].why

    def test_messages_without_a_name_are_skipped(self):
        done = adoption(sent("/apis/v1/namespaces/ray/clusters", {"clusterSpec": CLUSTER}))
        assert done.skipped[0].why == "it has no name"


def _snake(value):
    """Keys as the protocol spells them; those of start parameters and labels are data."""
    if isinstance(value, list):
        return [_snake(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {_spelled(key): _snake(item) for key, item in value.items()}


def _spelled(key):
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key)
