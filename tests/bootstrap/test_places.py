"""Which destinations there are to controllers."""

import pytest

from renderer import load
from renderer.bootstrap.places import places_of, stored_kinds
from renderer.errors import RendererError
from renderer.values.objects import ObjectType, PermittedKinds
from tests.bootstrap.places import places
from tests.support.places import ROOT


def test_a_place_is_called_after_environment_and_destination():
    found = places(dev=["a"], prod=["a", "b"])
    assert [(item.name, item.folder) for item in found] == [
        ("dev-a", "dev/a"), ("prod-a", "prod/a"), ("prod-b", "prod/b"),
    ]  # fmt: skip


def test_two_of_one_name_are_refused():
    with pytest.raises(RendererError, match="'a-b-c'; rename one of them") as error:
        places(a=["b-c"], a_b=["c"])
    assert "a/b-c and a-b/c" in str(error.value)


def test_an_environment_that_is_only_inherited_has_none():
    with pytest.raises(RendererError, match="no environment has destinations"):
        places(base=[])


def test_kinds_are_those_of_the_platforms_in_use():
    assert {kind.group for kind in stored_kinds(places(dev=["a"]))} == {
        "", "ray.io", "serving.kserve.io",
    }  # fmt: skip
    kuscia = {"name": "m", "platform": "kuscia", "domains": ["alice"]}
    assert {kind.kind for kind in stored_kinds(places(dev=[kuscia]))} == {
        "AppImage", "KusciaDeployment",
    }  # fmt: skip


def test_two_of_one_cluster_serve_each_other():
    one, two, other = places(
        dev=[{"name": "a", "cluster": "c"}, {"name": "b", "cluster": "c"}, "c"]
    )
    assert one.serves(two)
    assert one.serves(one)
    assert not one.serves(other)


def test_the_scope_of_a_custom_kind_is_what_its_crd_says():
    shared = load(ROOT / "tests/golden/companions/places").shared
    permitted = places_of(shared.environments, shared.crds)[0].permitted
    assert ObjectType("example.com", "Tenant") in permitted.cluster_wide
    assert ObjectType("example.com", "Widget") in permitted.namespaced
    assert permitted.refused is None


def test_a_control_plane_of_another_platform_has_no_companions():
    plane = {"name": "alice", "platform": "kuscia", "domains": ["alice"]}
    (place,) = places(prod={"companions": {}, "destinations": [plane]})
    assert (place.permitted, place.has_last_stage) == (PermittedKinds(), False)


def test_what_one_permits_is_not_refused_by_another():
    job, role = ObjectType("batch", "Job"), ObjectType("rbac.authorization.k8s.io", "Role")
    usual = PermittedKinds(refused=frozenset((job, role)))
    named = PermittedKinds(frozenset((job,)), frozenset((ObjectType("", "Namespace"),)))
    for joined in (usual.joined(named), named.joined(usual)):
        assert joined == PermittedKinds(frozenset(), named.cluster_wide, frozenset((role,)))
