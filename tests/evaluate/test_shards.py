"""The parts of a run say together exactly what one run says, whatever is wrong."""

import random
from collections import Counter

import pytest

from benchmarks.repositories import write
from renderer import load
from renderer.compose.environment_rules import MISNAMED
from renderer.evaluate import shards
from renderer.evaluate.project import Project
from renderer.evaluate.question import Question, Shard
from renderer.evaluate.run import run
from renderer.evaluate.shards import run_shard
from renderer.values.diagnostics import merge_findings
from tests.support import memory, processes
from tests.support.broken import edited, repositories
from tests.support.edits import OF_SHARED, OF_SPECS, append
from tests.support.samples import sample

MORE_SHARED = {
    **OF_SHARED,
    "nobody uses it": ("base/appimages/unused", None),
    "an unused variable": ("base/environment", append("vars: {idle: x}\n")),
    "one cluster for two environments": (
        "dev/environment",
        append("kuscia: {external_domains: [carol]}\n"),
    ),
}


@pytest.fixture
def fleet(tmp_path):
    root = tmp_path / "fleet"
    write(root, 8)
    return root


def agree(project, total, question=Question()):  # noqa: B008 - a frozen value
    """Whether the parts find and count what one run does."""
    project = project if isinstance(project, Project) else load(project)
    made = run(project, question)
    parts = [run_shard(project, question, Shard(n + 1, total)) for n in range(total)]
    counts = Counter()
    for part in parts:
        counts.update(part.counts)
    assert merge_findings(item for part in parts for item in part.diagnostics) == made.diagnostics
    return counts == Counter(made.counts)


def change_shared(root, name):
    file, change = MORE_SHARED[name]
    path = root / f"environments/{file}.yaml"
    if change is None:
        path.write_text((root / "environments/base/appimages/image-0.yaml").read_text())
    else:
        change(path)


@pytest.mark.parametrize("name", sample(sorted(OF_SPECS), "a secret", "one name for all"))
def test_each_edit_of_a_spec(fleet, name):
    OF_SPECS[name](fleet / "environments/prod/servings/own-00001.yaml")
    assert agree(fleet, 3)


@pytest.mark.parametrize(
    "name", sample(sorted(MORE_SHARED), "nobody uses it", "an unused variable")
)
def test_each_edit_of_what_is_shared(fleet, name):
    change_shared(fleet, name)
    assert agree(fleet, 2)
    OF_SPECS["an unknown image"](fleet / "environments/prod/servings/own-00003.yaml")
    assert agree(fleet, 3)


@pytest.mark.parametrize("seed", sample(range(4), 0))
def test_random_edits(fleet, seed):
    chance = random.Random(seed)
    for _turn in range(2):
        files = sorted(fleet.glob("environments/*/servings/*.yaml"))
        for path in chance.sample(files, 2):
            OF_SPECS[chance.choice(sorted(OF_SPECS))](path)
        if chance.random() < 0.5:
            change_shared(fleet, chance.choice(sorted(MORE_SHARED)))
        total = chance.choice((2, 3, 8))
        question = Question(chance.choice(((), ("prod",))))
        assert agree(fleet, total, question), total


@pytest.mark.parametrize("seed", sample(range(8), 0))
def test_broken_repositories(seed):
    chance = random.Random(seed)
    for name, files in repositories().items():
        broken = edited(files, chance, times=chance.choice((1, 2, 3)))
        assert agree(memory.project(broken), chance.choice((2, 3, 5))), name


@pytest.mark.long
def test_a_file_that_is_meant_for_another_spec(fleet):
    """Its own findings are not told, which only the summaries of other groups can say."""
    write(fleet, 20)
    base = next(fleet.glob("environments/base/servings/*.yaml"))
    path = fleet / f"environments/prod/servings/{base.name}"
    for number in range(4):
        path = path.rename(path.with_name(f"{base.stem[:-1]}{number + 5}.yaml"))
        assert any(item.code == MISNAMED.code for item in run(load(fleet), Question()).diagnostics)
        assert agree(fleet, 3)


def test_a_clean_part_looks_at_its_own_groups_only(fleet, monkeypatch):
    seen = []
    plain = shards.evaluate_some
    monkeypatch.setattr(
        shards, "evaluate_some", lambda some, *rest: seen.extend(some) or plain(some, *rest)
    )
    assert agree(fleet, 4)
    assert len(seen) == len(load(fleet).stems)


@pytest.mark.process
def test_the_command(fleet):
    OF_SPECS["a role"](fleet / "environments/prod/servings/own-00001.yaml")
    OF_SPECS["an unknown image"](fleet / "environments/prod/servings/own-00003.yaml")
    done = [processes.run("validate", "--shard", f"{n}/3", cwd=fleet) for n in (1, 2, 3)]
    assert sorted(one.returncode for one in done)[-1] == 1
    once = processes.run("validate", "--shard", "1/1", cwd=fleet)
    errors = [line for line in once.stdout.splitlines() if ": error: " in line]
    assert errors
    for line in errors:
        assert sum(line in one.stdout for one in done) == 1
    wrong = processes.run("validate", "--shard", "4/3", cwd=fleet)
    assert (wrong.returncode, "is not a shard" in wrong.stderr) == (2, True)
