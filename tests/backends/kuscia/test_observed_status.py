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


def step(name):
    (found,) = (
        item for key, item in STEPS.items() if key.startswith(name[:3]) and key[-1] == name[-1]
    )
    return judged(found).status


@each(
    "name sentence",
    [
        ("13-/1", "Kuscia says Available; dora has 1 of 3 pods available"),
        ("17-/1", "Kuscia says Available; alice and bob: there is no AppImage 'nowhere' for alice"),
        ("39-/2", "Kuscia says Available; "
         "alice: it is paused: the latest version is not rolled out"),
        ("53-/2", "Kuscia says Available, and has not looked since 2026-11-17T13:43:44Z; "
         "ben has 0 of 1 pods available"),
        ("01-/4", ""),
    ],
)  # fmt: skip
def test_one_sentence_says_where_kuscia_and_what_runs_do_not_agree(name, sentence):
    assert step(name).disagreement == sentence


def test_texts_of_a_party_are_compared_inside():
    """Kuscia's JSON begins alike: only what differs is shown (a party that was removed)."""
    found = {item.path: item.in_git for item in step("22-/1").differences}
    place = "spec.template.spec.containers[main].env[CLUSTER_DEFINE].value.parties[carol]"
    assert found[place] is None


def test_a_failed_update_is_a_failure_whatever_the_phase():
    """Kuscia's phase is still Progressing, beside RetryProcessingFailed."""
    assert step("38-/2").state == "Failed"


@each(
    "name message",
    [
        ("11-/2", "the latest version has 1 of 2 pods, an older one 2 pods"),
        ("11-/3", 'ReplicaSet "s11-f8b685694" has timed out progressing; '
         "the latest version has 1 of 2 pods, an older one 2 pods"),
    ],
)  # fmt: skip
def test_a_rollout_says_how_far_it_is(name, message):
    assert step(name).units[0].message == message


def test_wanted_is_what_the_spec_wants():
    """Kuscia counts the pods that are there; the quota lets one of three start."""
    (dora,) = step("13-/1").units
    assert (dora.ready, dora.wanted, dora.reported) == (1, 3, "Available")


@each("name there", [("52-/1", False), ("57-/1", True)])
def test_a_copy_that_failed_is_named_with_the_remedy(name, there):
    (note,) = step(name).notes
    assert "failed at ben" in note
    assert "touch the copy there" in note
    assert ("apply the AppImage" in note) is not there


def test_a_copy_that_fails_behind_available_is_named_with_the_remedy():
    """The AppImage of ben is gone, and an edit came: both control planes say Available."""
    notes = [note for note in step("53-/1").notes if "ben" in note]
    assert notes == [
        "ben does not have the AppImage s53-app: Kuscia fails at each update there and does not "
        "say so; apply it, then touch the copy there (kubectl annotate --overwrite -n cross-domain "
        "kusciadeployment s53 touched=$(date +%s))"
    ]


def test_what_kuscia_tries_again_itself_is_waited_for():
    (note,) = step("40-/2").notes
    assert note.startswith("Kuscia tries again by itself")


def test_a_summary_tells_of_a_partner_that_cannot_be_read():
    """As the initiator's control plane has it before its own pods are ready (races.yaml)."""
    before = STEPS["57-peer-to-peer-initiator-applied-first/1"]
    objects_here = [item for name in before.says["files"]["ann"] for item in objects(before, name)]
    for item in objects_here:
        if item["kind"] == "KusciaDeploymentSummary":
            item["status"] |= {"phase": "Failed", "reason": "BuildPartyKitInfoFailed"}
    status = status_of(project(before.files), "e", {"ann": found(objects_here)})
    ben = status.specs[-1].status.units[1]
    assert (ben.state, ben.reason) == ("Failed", "BuildPartyKitInfoFailed")
