"""`renderer` exports four functions, and nothing that is imported can take their places."""

import subprocess
import sys

import pytest

import renderer
from tests.support.places import ROOT

IN_EVERY_ORDER = """
import itertools, sys
from types import FunctionType
homes = "renderer.changes.comparison", "renderer.evaluate.run", "renderer.io.repository"
for order in itertools.permutations(homes):
    for name in [name for name in sys.modules if name.split(".")[0] == "renderer"]:
        del sys.modules[name]
    for home in order:
        exec(f"import {home}")
        import renderer
        from renderer import check, compare, load, render
        for name in renderer.__all__:
            function = getattr(renderer, name)
            assert isinstance(function, FunctionType) and function.__name__ == name, (name, order)
            assert globals()[name] is function, (name, order)
"""


@pytest.mark.parametrize("name", renderer.__all__)
def test_no_room_has_the_name_of_a_function(name):
    package = ROOT / "renderer"
    assert not [*package.glob(f"{name}.py"), *package.glob(f"{name}/*.py")]


@pytest.mark.process
def test_functions_in_every_order_of_imports():
    subprocess.run([sys.executable, "-c", IN_EVERY_ORDER], cwd=ROOT, check=True)


def test_other_names():
    with pytest.raises(AttributeError, match="no attribute 'validate'"):
        renderer.validate  # noqa: B018
