"""Versions that an environment declares, beside those that its clusters have."""

import pytest

from renderer.io.live_objects import Selection
from renderer.live.declared import Reader, judge_declared
from renderer.live.expectation import queries, says_something_of_clusters
from renderer.live.versions import controller_notes, controller_queries, version_notes
from renderer.values.live import LiveObject, LiveObjects, Query
from renderer.values.tree import constant
from tests.support.memory import project

ENVIRONMENT = """\
apiVersion: serving.gitops/v1
kind: Environment
destinations: [{name: east, platform: kubernetes, namespace: models}]
"""
KSERVE = "kserve: {version: 0.19.0}\n"
KUBERAY = "kuberay: {version: 1.6.1}\n"


def described(text):
    files = {"servingctl.yaml": "", "environments/dev/environment.yaml": ENVIRONMENT + text}
    return project(files).environment("dev")


def node(version):
    tree = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": version}}
    tree["status"] = {"nodeInfo": {"kubeletVersion": version}}
    return LiveObject(constant(tree, "live"))


@pytest.mark.parametrize(
    ("nodes", "server", "said"),
    [
        ([], "", ""),
        ([], "v1.33.4+k3s1", ""),
        ([], "v1.31.0", "its API server has 1.31"),
        (["v1.32.1"], "", ""),
        (["v1.33.1", "v1.35.0"], "", "its newest node has 1.35"),
        (["v1.35.0"], "v1.33.0", ""),
    ],
)
def test_versions_of_kubernetes_are_compared(nodes, server, said):
    """Nodes may be older than their API server, which is what rules are about."""
    found = {"east": LiveObjects(tuple(map(node, nodes)))}
    environment = described('kubernetes: {version: "1.33"}')
    notes = list(version_notes(environment, found, {"east": server}))
    assert [said in note for note in notes] == ([True] if said else [])


def deployment(name, namespace="anywhere", **images):
    containers = [{"name": key.replace("_", "-"), "image": value} for key, value in images.items()]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"replicas": 1, "template": {"spec": {"containers": containers}}},
    }


def controller(image):
    proxy = "example/kube-rbac-proxy:v0.13.1"
    return deployment("kserve-controller-manager", kube_rbac_proxy=proxy, manager=image)


@pytest.mark.parametrize(
    ("image", "said"),
    [
        ("kserve/kserve-controller:v0.19.0", ""),
        ("registry.example:5000/kserve/kserve-controller:v0.19.0@sha256:aa", ""),
        ("kserve/kserve-controller:v0.20.0", "its controller is kserve/kserve-controller:v0.20.0"),
        ("kserve/kserve-controller:v0.19.0-rc0", "change kserve.version"),
        ("kserve/kserve-controller:latest", "which it has is not known"),
        ("kserve/kserve-controller@sha256:aa", "has no version in its tag"),
    ],
)
def test_the_image_of_a_controller_shows_its_version(image, said):
    found = {"east": LiveObjects((LiveObject(constant(controller(image), "live")),))}
    notes = list(controller_notes(described(KSERVE), found, is_complete=True))
    assert [said in note for note in notes] == ([True] if said else [])
    assert list(controller_notes(described(KUBERAY), found, is_complete=False)) == []


@pytest.mark.parametrize(
    ("unread", "why"), [({}, "is not there"), ({"Deployment": "you may not"}, "you may not")]
)
def test_a_controller_that_is_not_seen_is_no_known_version(unread, why):
    (note,) = controller_notes(
        described(KUBERAY), {"east": LiveObjects((), unread)}, is_complete=True
    )
    assert "Deployment kuberay-operator" in note
    assert why in note


def test_only_what_is_declared_is_asked_for():
    assert not says_something_of_clusters(described("kserve: {default_mode: Standard}\n"))
    environment = described(KSERVE + KUBERAY)
    assert says_something_of_clusters(environment)
    asked = [(query.kind, query.namespace, query.name) for query in controller_queries(environment)]
    assert asked == [
        ("Deployment", "", "kserve-controller-manager"),
        ("Deployment", "", "kuberay-operator"),
    ]


def test_clusters_are_asked_for_controllers_apart():
    """That they may not be read there is no reason to know nothing of other Deployments."""
    asked = []

    def read(some):
        asked.append([query.name for query in some])
        return {"east": LiveObjects((), {query.kind: "you may not" for query in some})}

    reader = Reader(read, lambda places: pytest.fail("no version of Kubernetes is declared"))
    environment = described(KUBERAY)
    found = judge_declared(environment, (), (), reader)
    assert asked == [[], ["kuberay-operator"]]
    assert [note.partition(" is said")[0] for note in found.notes] == ["east"]
    assert queries(()) == []


def test_files_keep_what_every_query_reads():
    """One of the status, and one that looks for the image."""
    (image,) = controller_queries(described(KSERVE))
    status = Query("east", "apps/v1", "Deployment", "models", reads=(("spec", "replicas"),))
    tree = controller("kserve/kserve-controller:v0.20.0")
    for some in ([status, image], [image, status]):
        assert Selection(some).reduce(tree)["spec"] == tree["spec"]
