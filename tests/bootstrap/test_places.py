"""Which destinations there are to controllers, and which addresses they are given."""

import pytest

from renderer.bootstrap.places import source_of, stored_kinds
from renderer.errors import RendererError, UsageError
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


@pytest.mark.parametrize(
    "address", ["https://git.example/specs", "ssh://git@git.example/specs", "https://me@h/x"]
)
def test_addresses(address):
    assert source_of("git", address, None) == (address, "main", "", "rendered")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("https://me:secret@git.example/specs", "holds a password"),
        ("git@git.example:me/specs.git", "write ssh://git@git.example/me/specs.git"),
        ("oci://git.example/specs", "begins with https://, http:// or ssh://"),
        ("https://", "no address"),
        ("https://git.example/a b", "no address"),
        ("https://git.example/\x1b[31m", "no address"),
    ],
)
def test_odd_addresses(address, why):
    with pytest.raises(UsageError, match=why) as error:
        source_of("git", address, None)
    assert "secret" not in str(error.value)


def test_what_is_not_given_is_to_be_filled_in():
    assert source_of("oci", None, None)[:2] == ("oci://HOST/OWNER/REPOSITORY", "latest")
    assert source_of("oci", "oci://registry.example/x", "v1")[:2] == (
        "oci://registry.example/x",
        "v1",
    )
