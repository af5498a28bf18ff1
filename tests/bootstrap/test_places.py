"""Which destinations there are to controllers."""

import pytest

from renderer.bootstrap.places import stored_kinds
from renderer.errors import RendererError
from tests.bootstrap.places import places


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
