"""A repository says which versions of the program may work on it."""

import pytest

from renderer.compose.settings import require
from renderer.errors import RendererError
from renderer.io.loading import load


@pytest.mark.parametrize(
    ("wanted", "version"),
    [(">=0.1,<1", "0.1.0"), ("==0.1", "0.1.0"), ("!=0.2", "0.1.9"), (" > 0.1 , <= 0.2", "0.2.0")],
)
def test_met(wanted, version):
    require(wanted, version)


@pytest.mark.parametrize(("wanted", "version"), [(">=0.2", "0.1.9"), ("<1,>=0.10", "0.9.0")])
def test_not_met(wanted, version):
    with pytest.raises(RendererError, match="asks for servingctl"):
        require(wanted, version)


def test_a_repository_is_not_touched_by_another_version(repository):
    with pytest.raises(RendererError, match=r"asks for servingctl >=99"):
        load(repository({"servingctl.yaml": 'required_version: ">=99"\n'}))
