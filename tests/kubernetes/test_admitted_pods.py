"""What pods are given before policies look, and what they keep of their own."""

from renderer.kubernetes.admitted_pods import admitted_pod
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree

_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount"


def admitted(**spec):
    return admitted_pod(uniform_tree(spec, Origin("a.yaml", 1, 1))).plain()


def test_a_pod_has_a_token_in_each_container():
    made = admitted(containers=[{"name": "a"}], initContainers=[{"name": "b"}])
    assert [item["name"] for item in made["volumes"]] == ["kube-api-access-xxxxx"]
    for container in (*made["containers"], *made["initContainers"]):
        assert [item["mountPath"] for item in container["volumeMounts"]] == [_TOKEN]
    assert made["serviceAccountName"] == made["serviceAccount"] == "default"


def test_a_pod_that_wants_no_token_has_none():
    made = admitted(containers=[{"name": "a"}], automountServiceAccountToken=False)
    assert "volumes" not in made
    assert made["containers"] == [{"name": "a"}]


def test_what_is_mounted_there_already_stays():
    mount = {"name": "own", "mountPath": _TOKEN}
    made = admitted(containers=[{"name": "a", "volumeMounts": [mount]}], volumes=[{"name": "own"}])
    assert made["volumes"] == [{"name": "own"}]
    assert made["containers"][0]["volumeMounts"] == [mount]


def test_tolerations_are_added_unless_they_are_there():
    own = {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}
    keys = [item["key"] for item in admitted(containers=[], tolerations=[own])["tolerations"]]
    assert keys == [own["key"], "node.kubernetes.io/unreachable"]
    everything = {"operator": "Exists"}
    made = admitted(containers=[], tolerations=[everything])
    assert made["tolerations"] == [everything]


def test_a_service_account_of_its_own_is_kept():
    made = admitted(containers=[], serviceAccountName="reader")
    assert made["serviceAccountName"] == made["serviceAccount"] == "reader"
