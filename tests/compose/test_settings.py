"""What a repository says of the program: which versions may work on it, what may differ."""

import pytest

from renderer.backends import BACKENDS
from renderer.compose.settings import require
from renderer.errors import RendererError
from renderer.io.repository import load

TRIED = {
    ">=0.1,<1": {"0.1.0": True, "0.9.9": True, "0.0.9": False, "1.0.0": False},
    "<1,>=0.10": {"0.10.0": True, "0.9.0": False, "1": False},
    " > 0.1 , <= 0.2": {"0.2.0": True, "0.1.1": True, "0.1.0": False, "0.2.1": False},
    "==0.1": {"0.1.0": True, "0.1": True, "0.1.1": False},
    "!=0.2": {"0.1.9": True, "0.2.1": True, "0.2.0": False},
    "~=0.1": {"0.1.0": False},
}


@pytest.mark.parametrize(
    ("wanted", "version", "met"),
    [(wanted, version, met) for wanted, tried in TRIED.items() for version, met in tried.items()],
)
def test_met(wanted, version, met):
    refusal = None
    try:
        require(wanted, version)
    except RendererError as error:
        refusal = str(error)
    assert (refusal is None) is met
    assert met or f"asks for servingctl {wanted}, and this is {version};" in refusal


def test_a_repository_is_not_touched_by_another_version(repository):
    with pytest.raises(RendererError, match=r"asks for servingctl >=99"):
        load(repository({"servingctl.yaml": 'required_version: ">=99"\n'}))


@pytest.mark.parametrize("marker", ["", "output: manifests\n"])
def test_environments_may_differ_in_what_backends_call_sizes(marker, repository):
    keep = load(repository({"servingctl.yaml": marker})).settings.keep
    assert {*keep} == {field for item in BACKENDS for field in item.size_fields}
    assert {"replicas", "minReplicas", "resources"} <= {*keep}
