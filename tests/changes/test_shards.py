"""The parts of a diff, joined, are the report of one run."""

import json
import random

import pytest

from benchmarks.repositories import edit, write
from renderer import compare, load
from renderer.evaluate.project import Project
from renderer.evaluate.question import Shard
from renderer.outputs.diff import json as as_json
from renderer.outputs.diff.parts import join, read
from renderer.outputs.diff.report import build_report
from renderer.values.codec import encode
from tests.support import memory
from tests.support.broken import edited, repositories
from tests.support.edits import OF_FLEETS, OF_SHARED, OF_SPECS
from tests.support.samples import sample


def written(folder, servings):
    pair = folder / "before", folder / "after"
    for root in pair:
        write(root, servings)
    return pair


@pytest.fixture
def roots(tmp_path):
    return written(tmp_path, 8)


def report(comparison, shard=(1, 1)):
    return build_report(comparison, ("a", "b"), {})._replace(shard=shard)


def agree(roots, total):
    """Whether parts that went through files are what one run says, in every word."""
    before, after = (one if isinstance(one, Project) else load(one) for one in roots)
    once = report(compare(before, after))
    texts = [
        as_json.show(report(compare(before, after, shard=Shard(*shard)), shard))
        for shard in ((number + 1, total) for number in range(total))
    ]
    joined = join(map(read, texts))
    shared = joined._replace(objects=tuple(i._replace(is_shared=False) for i in joined.objects))
    assert json.loads(as_json.show(shared)) == json.loads(as_json.show(once))
    return encode(shared._replace(impact_findings=())) == encode(once._replace(impact_findings=()))


@pytest.mark.parametrize("name", sample(OF_FLEETS, "inherited"))
def test_edits_of_a_few(tmp_path, name):
    roots = written(tmp_path, 20)
    OF_FLEETS[name][0](roots[1])
    assert agree(roots, 2)


@pytest.mark.parametrize("name", sample(OF_SHARED, "plain names"))
def test_edits_of_what_is_shared(roots, name):
    file, change = OF_SHARED[name]
    change(roots[1] / f"environments/{file}.yaml")
    assert agree(roots, 2)


@pytest.mark.parametrize("name", sample(OF_SPECS, "one name for all"))
def test_edits_of_a_spec(roots, name):
    for number in (1, 3):
        OF_SPECS[name](roots[1] / f"environments/prod/servings/own-0000{number}.yaml")
    edit(roots[1] / "environments/dev/servings/own-00002.yaml", 1)
    assert agree(roots, 3)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_random_edits(roots, seed):
    chance = random.Random(seed)
    for _turn in range(2):
        for root in roots:
            files = sorted(root.glob("environments/*/servings/*.yaml"))
            for path in chance.sample(files, 3):
                OF_SPECS[chance.choice(sorted(OF_SPECS))](path)
        if chance.random() < 0.5:
            file, change = OF_SHARED[chance.choice(sorted(OF_SHARED))]
            change(roots[1] / f"environments/{file}.yaml")
        assert agree(roots, chance.choice((2, 5)))


@pytest.mark.parametrize("seed", sample(range(8), 0))
def test_broken_repositories(seed):
    chance = random.Random(seed)
    for name, files in repositories().items():
        before = edited(files, chance, times=chance.choice((0, 0, 1)))
        after = edited(files, chance, times=chance.choice((1, 2, 3)))
        assert agree((memory.project(before), memory.project(after)), chance.choice((2, 3))), name


@pytest.mark.long
def test_a_file_that_is_renamed_is_one_change(roots):
    old = roots[1] / "environments/dev/servings/own-00000.yaml"
    for name in ("a", "b", "c", "d"):
        old = old.rename(old.with_name(f"{name}.yaml"))
        assert agree(roots, 3)


def test_parts_that_do_not_make_a_whole(roots):
    edit(roots[1] / "environments/dev/servings/own-00002.yaml", 1)
    before, after = map(load, roots)
    parts = [report(compare(before, after, shard=Shard(n, 2)), (n, 2)) for n in (1, 2)]
    assert join(reversed(parts)).shard == (1, 1)
    for wrong in (parts[:1], [*parts, parts[1]], [parts[0], parts[0]]):
        with pytest.raises(ValueError, match="not each of 2 once"):
            join(wrong)
    with pytest.raises(ValueError, match="different states"):
        join([parts[0], parts[1]._replace(before="c")])
    for text in ("", "{}", "[]", '{"part": 3}', '{"part": [1, 2]}'):
        with pytest.raises(ValueError, match=r"."):
            read(text)
