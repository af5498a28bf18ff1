"""Where a controller finds what is rendered, and what it is never told."""

import pytest

from renderer.bootstrap.sources import RepositorySource, source_of
from renderer.errors import RendererError, UsageError


@pytest.mark.parametrize(
    "address", ["https://git.example/specs", "ssh://git@git.example/specs", "http://h:8080/x"]
)
def test_addresses(address):
    assert source_of("git", address) == RepositorySource(address, "main")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("https://me:secret@git.example/specs", "holds more than a place"),
        ("https://secret@git.example/specs", "holds more than a place"),
        ("https://git.example/specs?token=secret", "holds more than a place"),
        ("ssh://me:secret@git.example/specs", "holds more than a place"),
        ("git@git.example:me/specs.git", "write ssh://git@git.example/me/specs.git"),
        ("oci://git.example/specs", "begins with https://, http:// or ssh://"),
        ("https://", "no address"),
        ("https://git.example/a b", "no address"),
        ("https://git.example/\x1b[31m", "no address"),
    ],
)
def test_odd_addresses(address, why):
    with pytest.raises(UsageError, match=why) as error:
        source_of("git", address)
    assert "secret" not in str(error.value)


def test_what_is_not_given_is_to_be_filled_in():
    assert source_of("oci") == RepositorySource("oci://HOST/OWNER/REPOSITORY", "latest")
    assert source_of("oci", "oci://registry.example/x/", "v1").url == "oci://registry.example/x"


@pytest.mark.parametrize("end", [":latest", "@sha256:00"])
def test_one_artifact_is_not_what_environments_are_behind(end):
    with pytest.raises(UsageError, match="leave its tag to --revision"):
        source_of("oci", f"oci://registry.example:5000/models{end}")


@pytest.mark.parametrize("name", ["", "A", "-a", "a_b", "a" * 41])
def test_a_name_that_no_object_may_have(name):
    with pytest.raises(UsageError, match="cannot begin names of objects"):
        source_of("git", name=name)


@pytest.mark.parametrize("output", ["rendered/", "./rendered", "rendered"])
def test_an_output_folder_in_any_spelling(output):
    assert source_of("git").located("a/", output).rendered == "a/rendered"


@pytest.mark.parametrize("output", [".hidden", "a/.b", "../x", "/x", "."])
def test_an_output_folder_that_nobody_finds(output):
    with pytest.raises(RendererError, match="hidden or outside of the repository"):
        source_of("git").located("", output)
