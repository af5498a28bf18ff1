"""The type checker sees a function of a backend that has another signature."""

import subprocess
import sys

import pytest

from tests.support.places import ROOT

pytestmark = [pytest.mark.process, pytest.mark.slow]

RIGHT = """\
from collections.abc import Collection, Iterator, Sequence
from renderer.backends.base import Backend, BackendFunctions, KindFunctions, no_pods, no_rules
from renderer.values.derivations import Applied, Derivation
from renderer.values.kinds import Kind
from renderer.values.model import Environment, Spec, Summary
from renderer.values.objects import Render, Scene

def view(spec: Spec, environment: Environment, users: Sequence[Summary]) -> Spec:
    return spec

def plan(spec: Spec, scene: Scene) -> Iterator[Render]:
    yield from ()

def derive(applied: Applied, former: Derivation | None) -> Derivation:
    return Derivation()

KIND = KindFunctions(rules=no_rules, view=view, plan=plan, pods=no_pods, derive=derive)

def load() -> BackendFunctions:
    return BackendFunctions({"Thing": KIND})

THINGS = Backend(
    "things", platform="kubernetes", place="cluster", maker="somebody", codes=(),
    kinds=(Kind("Thing", "thing.json"),), stored=(),
    destination_schema="", settings_schema="", load=load,
)
"""
WRONG = {
    "plan takes what it is given": ("plan(spec: Spec, scene: Scene)", "plan(spec: Spec)", "plan"),
    "plan yields what is rendered": ("-> Iterator[Render]", "-> Iterator[str]", "plan"),
    "view sees the users": (", users: Sequence[Summary]", "", "view"),
    "derive returns one": ("None) -> Derivation", "None) -> Derivation | None", "derive"),
    "load returns functions": ("load() -> BackendFunctions", "load() -> object", "load"),
}


def errors(files):
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.stdout.splitlines()


def test_a_wrong_signature_is_an_error(tmp_path):
    right = tmp_path / "right.py"
    right.write_text(RIGHT)
    files = {right: None}
    for number, (old, new, argument) in enumerate(WRONG.values()):
        file = tmp_path / f"wrong_{number}.py"
        assert old in RIGHT
        file.write_text(RIGHT.replace(old, new))
        files[file] = argument
    found = errors(files)
    for file, argument in files.items():
        mine = [line for line in found if file.name in line and ": error: " in line]
        about = [line for line in mine if f'Argument "{argument}"' in line]
        assert len(about) == (1 if argument else 0), (file.name, found)
        assert argument or not mine


def test_the_toys_are_typed():
    assert not errors(["tests/toys"])
