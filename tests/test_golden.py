"""Whole repositories and the trees they render to; `--update-golden` rewrites the trees."""

import shutil

import pytest
import yaml
from deepdiff import DeepDiff

from renderer import load, render
from tests.support.places import ROOT
from tests.support.repositories import texts

CASES = sorted(path.parent for path in (ROOT / "tests/golden").glob("*/*/servingctl.yaml"))


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.yaml"))
    }


def data(files):
    return {path: yaml.safe_load(text) for path, text in files.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_case(case, request):
    rendering = render(load(case))
    assert rendering.is_sound
    files = texts(rendering)
    expected = case / "expected"
    if request.config.getoption("--update-golden"):
        shutil.rmtree(expected, ignore_errors=True)
        for path, text in files.items():
            (expected / path).parent.mkdir(parents=True, exist_ok=True)
            (expected / path).write_text(text, "utf-8")
    assert not DeepDiff(data(tree(expected)), data(files)), "the data differ"
    assert tree(expected) == files


def test_the_example_is_rendered():
    """What is committed in rendered/ is what the example environments make."""
    assert tree(ROOT / "rendered") == texts(render(load(ROOT)))
