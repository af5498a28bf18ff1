"""How servings fared on real control planes, and what a status says of the same objects.

`tests/observed/kuscia/status` has the objects of each step, and what a person says of them.
"""

from collections import Counter
from typing import NamedTuple

import yaml

from renderer.values.statuses import Health
from tests.support.live import found, status_of
from tests.support.memory import project
from tests.support.places import ROOT
from tests.support.replacements import edited, files_below
from tests.support.rows import each

FOLDER = ROOT / "tests" / "observed" / "kuscia" / "status"
WORDS = {
    Health.READY: "healthy",
    Health.PROGRESSING: "progressing",
    Health.FAILED: "degraded",
    Health.SUSPENDED: "suspended",
}


class Step(NamedTuple):
    """A moment of a case: the repository, the live objects and what a person says."""

    case: str
    says: dict
    serving: str
    files: dict

    @property
    def id(self):
        return f"{self.case}/{self.says['step']}"

    @property
    def words(self):
        return {self.says["truth"], *self.says.get("also_defensible", ())}


def steps():
    for path in sorted(FOLDER.glob("*/case.yaml")):
        case = read(path)
        files = files_below(path.parent / "repo")
        for says in case["steps"]:
            files = edited(files, says.get("edit", ()))
            yield Step(case["name"], says, case["serving"], files)


def read(path):
    return yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)


def objects(step, name):
    document = read(FOLDER / step.case / name)
    return document["items"] if document["kind"] == "List" else [document]


STEPS = {step.id: step for step in steps()}


def judged(step):
    """The status of the serving of a step, as the command finds it in the files."""
    live = {
        destination: found([item for file in names for item in objects(step, file)])
        for destination, names in step.says["files"].items()
    }
    status = status_of(project(step.files), "e", live)
    return next(item for item in status.specs if item.spec == f"Serving/{step.serving}")


def word(status):
    """What a status says in the words of the recordings; what is not applied does not run."""
    return WORDS[status.status.health] if status.is_applied else "degraded"


@each("step", STEPS)
def test_a_status_says_what_was_observed(step):
    said = word(judged(step))
    assert said in step.words


def test_every_step_is_replayed():
    assert len({step.case for step in STEPS.values()}) == 39
    assert Counter(step.says["truth"] for step in STEPS.values()) == {
        "degraded": 41, "healthy": 40, "progressing": 31, "suspended": 3,
    }  # fmt: skip
