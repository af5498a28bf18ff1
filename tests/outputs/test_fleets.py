"""A thousand servings in three environments, in all that people read: nothing is lost or too long.

The tag of an image is changed in the base, an AppImage that some still use is removed, and one
spec has an initiator that takes no part.
"""

import json
import re
from html import unescape

import pytest

from renderer import compare
from renderer.io.states import pair
from renderer.outputs.diff import FORMATS, stat
from renderer.outputs.diff.cause import Consequence, Touched
from renderer.outputs.diff.causes import joined_causes
from renderer.outputs.diff.report import build_report
from renderer.outputs.diff.stat import row
from renderer.outputs.layout import Layout
from renderer.values.changes import Effect
from tests.support.git import commit, git
from tests.support.processes import run
from tests.support.repositories import ENVIRONMENT, HEADER, SCORER, SERVING

pytestmark = [pytest.mark.process, pytest.mark.long]
STEMS, EVERY = 334, ("dev", "staging", "prod")
USERS_OF_LEGACY = range(7, STEMS, 50)
TAGS = "environments/base/environment.yaml"
LEGACY = "environments/base/appimages/legacy.yaml"
WRONG = "environments/base/servings/m-0300.yaml"
CAUSES = ("vars.tag", f"{LEGACY} removed")
ERRORS = ("there is no AppImage 'legacy'", "the initiator 'carol' is not a party")


def files():
    yield "servingctl.yaml", ""
    yield TAGS, HEADER.format("Environment") + "vars: {tag: 0.9.1b0}\n"
    yield "environments/base/appimages/scorer.yaml", SCORER.replace("tag: v1", 'tag: "${vars.tag}"')
    yield LEGACY, SCORER
    for name in EVERY:
        more = f"extends: base\nproduction: {str(name == 'prod').lower()}\n"
        yield f"environments/{name}/environment.yaml", ENVIRONMENT + more
    for number in range(STEMS):
        image = "legacy" if number in USERS_OF_LEGACY else "scorer"
        text = SERVING.replace("scorer", image).replace("pair", image)
        yield f"environments/base/servings/m-{number:04}.yaml", text


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    root = tmp_path_factory.mktemp("fleet")
    for path, text in files():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "init", "-q")
    commit(root)
    (root / TAGS).write_text((root / TAGS).read_text().replace("0.9.1b0", "0.9.2b0"))
    (root / LEGACY).unlink()
    (root / WRONG).write_text((root / WRONG).read_text().replace("tor: alice", "tor: carol"))
    return root


@pytest.fixture(scope="module")
def report(fleet):
    """What all formats show, compared once."""
    old, new = pair(fleet, "HEAD", None)
    names = {file: file.rpartition("/")[2][:-5] for file, _ in files() if "/m-" in file}
    return build_report(compare(old.state, new.state), ("a", "b"), {})._replace(specs=names)


def test_a_text_that_fits_two_screens(fleet):
    done = run("diff", cwd=fleet)
    assert done.returncode == 1, "there are errors"
    shown = done.stdout
    assert len(shown.splitlines()) <= 60
    for part in (*CAUSES, *ERRORS, *EVERY, "0.9.1b0", "0.9.2b0", f"{TAGS}:3"):
        assert part in shown
    users = (STEMS - len(USERS_OF_LEGACY) - 1) * len(EVERY)
    assert f"{users} specs in prod (production), dev and staging" in shown
    assert f"rolling: {users * 2:,} units" in shown
    assert not re.search("[0-9a-f]{40}", shown), "digests are not worth a line"


def test_a_line_for_each_cause(report):
    *wrong, tag, total = stat.show(report).splitlines()
    assert "vars.tag 0.9.1b0 → 0.9.2b0" in tag
    assert f"{LEGACY} removed" in wrong[0]
    assert wrong[0].endswith(f"errors: {len(USERS_OF_LEGACY) * len(EVERY)} specs")
    assert wrong[1].endswith(f"{WRONG}:3 (prod, dev, staging) errors: 3 specs")
    assert total.startswith("3 edits")


def test_the_worst_class_comes_first_and_no_class_hides_another(report):
    """Of 33 units that an edit reaches, it replaces 18; that 15 do not notice is said as well."""
    cause = joined_causes(report)[-1]
    units = [Touched("prod", "east", "Serving/m", f"u{number}") for number in range(33)]
    mixed = cause._replace(
        is_wrong=False,
        consequences=(
            Consequence(Effect.IGNORED, "", "", tuple(units[:15])),
            Consequence(Effect.REPLACE, "", "", tuple(units[15:])),
        ),
    )
    worst, number, rest = row(mixed)
    assert (worst, number) == ("replace", "18")
    assert rest.endswith("; ignored: 15")


def test_a_comment_that_is_whole(report):
    shown = unescape(FORMATS["markdown"](report, Layout(max_bytes=65_000)))
    assert len(shown.encode()) < 65_000
    assert "left out" not in shown
    for part in (*EVERY, "vars.tag", LEGACY, *ERRORS):
        assert part in shown


def test_programs_get_all_of_it(report):
    found = json.loads(FORMATS["json"](report))
    tag = next(item for item in found["causes"] if item["edit"]["path"] == "vars.tag")
    assert [item["name"] for item in tag["environments"]] == ["prod", "dev", "staging"]
    assert len(tag["specs"]) == STEMS - len(USERS_OF_LEGACY) - 1
    assert len(found["objects"]) == len(tag["specs"]) * len(EVERY) + 2 * len(EVERY)


def test_the_errors_come_first(fleet):
    done = run("validate", cwd=fleet)
    assert done.returncode == 1
    first = "\n".join(done.stdout.splitlines()[:20])
    assert all(part in first for part in ERRORS)


def test_a_picture_that_fits_a_page(fleet, tmp_path):
    git(fleet, "worktree", "add", tmp_path / "sound", "HEAD")
    drawn = run("graph", "--env", "prod", "--format", "svg", cwd=tmp_path / "sound").stdout
    assert int(re.search(r'height="(\d+)"', drawn)[1]) < 2_000


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1200, 480])
def test_a_page_to_search_in(report, tab, tmp_path, width, dark):
    path = tmp_path / "diff.html"
    path.write_text(FORMATS["html"](report))
    tab.open(f"{path.as_uri()}#specs?environment=prod", width=width, dark=dark)
    tab.settle()
    users = STEMS - len(USERS_OF_LEGACY) - 1
    told = "document.querySelector('output').value"
    assert tab.run(told).startswith(f"{users + 2} of ")
    assert tab.run("document.documentElement.scrollWidth") == width
    tab.press("/", *"m-0123")
    assert tab.run(told).startswith("1 of ")
    tab.shot(tmp_path / "shot.png")
    assert (tmp_path / "shot.png").stat().st_size > 10_000
