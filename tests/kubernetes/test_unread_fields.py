"""What an older API server does not store is no change there, and is one where it is stored."""

import pytest

from renderer.changes.derivations import UnitPair, unit_differences
from renderer.kubernetes.unread_fields import read_fields
from renderer.values.derivations import DerivedObject, DerivedUnit
from renderer.values.diagnostics import Origin
from renderer.values.tree import uniform_tree

OLDER, NEWER = (1, 33), (1, 36)
IMAGE = {"name": "weights", "image": {"reference": "models/iris:1"}}
CLAIM = {"name": "gpu", "resourceClaimName": "card"}
BUNDLE = {"clusterTrustBundle": {"name": "ours", "path": "ca.pem"}}


def deployment(**more):
    pod = {"containers": [{"name": "main", "image": "server:1.0"}], **more}
    content = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}}
    tree = {**content, "spec": {"template": {"spec": pod}}}
    return DerivedObject(uniform_tree(tree, Origin("spec.yaml", 3, 1)))


def container(**more):
    return deployment(containers=[{"name": "main", "image": "server:1.0", **more}])


def projected(*sources):
    return deployment(volumes=[{"name": "ca", "projected": {"sources": list(sources)}}])


def differs(was, now, version):
    units = (DerivedUnit("east", "unit", objects=(item,)) for item in (was, now))
    return any(unit_differences(UnitPair(*units), version))


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (deployment(), deployment(resourceClaims=[CLAIM])),
        (deployment(), deployment(resources={"limits": {"cpu": "1"}})),
        (deployment(), container(resources={"claims": [{"name": "gpu"}]})),
        (container(lifecycle={"stopSignal": "SIGTERM"}), container(lifecycle={})),
        (projected({}), projected(BUNDLE)),
        (deployment(), deployment(volumes=[IMAGE])),
        (
            deployment(volumes=[IMAGE]),
            deployment(
                volumes=[IMAGE],
                containers=[
                    {
                        "name": "main",
                        "image": "server:1.0",
                        "volumeMounts": [{"name": "weights", "mountPath": "/w"}],
                    }
                ],
            ),
        ),
    ],
    ids=["claims", "pod", "claims-of-a-container", "signal", "bundle", "image", "mount"],
)
def test_fields_of_newer_versions(was, now):
    assert not differs(was, now, OLDER)
    assert not differs(now, was, OLDER)
    assert differs(was, now, NEWER)


def test_everything_else_is_read():
    assert differs(deployment(), container(args=["--verbose"]), OLDER)
    empty = {"name": "scratch", "emptyDir": {}}
    assert differs(deployment(volumes=[IMAGE]), deployment(volumes=[IMAGE, empty]), OLDER)


def test_objects_without_pods_are_as_they_are():
    tree = uniform_tree({"kind": "ConfigMap", "spec": {"resources": 1}}, Origin("a", 1, 1))
    assert read_fields(tree, OLDER) is tree
