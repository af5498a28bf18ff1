"""Many rows of a recording in one evaluation, and what is found of each of them.

A row becomes an environment of its own, with a cluster of its own, in a repository that only exists
in memory: rows may have the same names, and none is composed of another or refers to one.
`tests/evaluate/test_replay.py` shows that each comes to what it comes to alone.

    found = findings({row["name"]: Row(environment, {"asked": spec_of(row)}) for row in ROWS})
    told = {name: errors(items) for name, items in found.items()}
    assert_agreement((row["name"], row["refused"], bool(told[row["name"]])) for row in ROWS)

A table that takes long is replayed in part by `make test` and as a whole by `make test-long`:

    @shares
    def test_rows(share):
        rows = [row for row in ROWS if share(row["name"])]
"""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

import pytest

from renderer import render
from renderer.evaluate.project import Project
from renderer.evaluate.rendering import Rendering
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.model import Environment
from renderer.values.objects import Manifest
from tests.support.memory import project

HEADER = {"apiVersion": "serving.gitops/v1"}
#: Rows of one evaluation: with many more, each costs more, as all environments are looked at.
TOGETHER = 50


class Row(NamedTuple):
    """What an environment says beside its kind, and the specs in it, by stem."""

    environment: Mapping[str, Any]
    specs: Mapping[str, Mapping[str, Any]]


class Replayed(NamedTuple):
    """What a row comes to: its environment, its objects and findings; and all around it."""

    project: Project
    rendering: Rendering
    environment: Environment
    manifests: list[Manifest]
    found: list[Diagnostic]

    @property
    def errors(self) -> list[str]:
        """The codes of errors."""
        return errors(self.found)


def replay(rows: Mapping[str, Row]) -> dict[str, Replayed]:
    """What is made and found of each row, by its name."""
    made: dict[str, Replayed] = {}
    names = list(rows)
    for start in range(0, len(names), TOGETHER):
        some = names[start : start + TOGETHER]
        project = opened(rows[name] for name in some)
        rendering = render(project)
        for number, name in enumerate(some):
            environment = project.environment(f"row-{number}")
            made[name] = Replayed(project, rendering, environment, [], [])
        for manifest in rendering.manifests:
            made[some[_number(manifest.environment)]].manifests.append(manifest)
        for item in rendering.diagnostics:
            made[some[_number(item.file.split("/")[1])]].found.append(item)
    return made


def findings(rows: Mapping[str, Row]) -> dict[str, list[Diagnostic]]:
    """What `validate` finds of each row, by its name."""
    return {name: row.found for name, row in replay(rows).items()}


def opened(rows: Iterable[Row]) -> Project:
    """A repository of rows: the environments `row-0`, `row-1` and so on."""
    files = {"servingctl.yaml": ""}
    for number, row in enumerate(rows):
        environment = {**HEADER, "kind": "Environment", **row.environment}
        for stem, tree in {"environment": environment, **row.specs}.items():
            files[f"environments/row-{number}/{stem}.json"] = written(tree)
    return project(files)


def _number(environment: str) -> int:
    return int(environment.removeprefix("row-"))


def written(tree: Mapping[str, Any]) -> str:
    """Each value in a line of its own, so that the line of a finding tells its value."""
    return json.dumps(tree, indent=1, ensure_ascii=False)


def errors(found: Iterable[Diagnostic]) -> list[str]:
    """The codes of errors."""
    return [item.code for item in found if item.severity is Severity.ERROR]


def verdict(is_refused: object) -> str:
    return "refused" if is_refused else "accepted"


def assert_agreement(rows: Iterable[tuple[str, object, object]]) -> None:
    """Of all rows, each a name, what is expected and what is found: lists those that differ."""
    wrong = [
        f"{name}: expected {expected!r}, found {found!r}"
        for name, expected, found in rows
        if expected != found
    ]
    assert not wrong, f"{len(wrong)} rows:\n" + "\n".join(wrong)


def one_in_ten(name: str) -> bool:
    """Whether a row is of the tenth that `make test` replays; the same on every machine."""
    return int.from_bytes(sha256(name.encode()).digest()[:4]) % 10 == 0


def every_row(_name: str) -> bool:
    return True


Share = Callable[[str], bool]
#: Runs a test on a tenth of its rows in `make test`, and on all of them in `make test-long`.
shares = pytest.mark.parametrize(
    "share", [one_in_ten, pytest.param(every_row, marks=pytest.mark.long)]
)
