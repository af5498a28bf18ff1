"""`servingctl diff` as people and pipelines run it: real commits, real processes."""

import json
import os
import shutil
import subprocess
import sys
from html import unescape
from textwrap import indent

import pytest
from jsonschema import Draft7Validator

from renderer.outputs.diff import FORMATS
from renderer.schema.bundle import bundled_schema
from tests.support.git import commit, git
from tests.support.processes import run
from tests.support.repositories import ENVIRONMENT, HEADER, IMAGE, PAIR, RISK, SCORER, SERVING

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not shutil.which("git"), reason="git is not installed"),
]
CANARY = "c4n4ry-7f3a9b"
SECRETS = (
    "-----BEGIN RSA PRIVATE KEY-----\nMIIc4n4ry7f3a9bQ\n-----END RSA PRIVATE KEY-----\n",
    "AKIAC4N4RY7F3A9BQQQQ",
)


def diff(root, *arguments, **environment):
    return run("diff", *arguments, cwd=root, **environment)


@pytest.fixture
def committed(repository):
    root = repository()
    git(root, "init", "--quiet", "--initial-branch=main")
    commit(root)
    return root


def edit(root, path, old, new):
    text = (root / path).read_text()
    assert old in text
    (root / path).write_text(text.replace(old, new))


def report(root, *arguments):
    return json.loads(diff(root, "--format", "json", *arguments).stdout)


def test_nothing_changed(committed):
    done = diff(committed, "--exit-code")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "nothing changes\n")


def test_what_is_not_committed_yet(committed):
    edit(committed, RISK, "app_image: scorer", "app_image: scorer, replicas: 4")
    done = diff(committed)
    assert done.returncode == 0
    assert done.stdout.startswith(f"+ parties[alice].replicas: 4  {RISK}:")
    assert "[in-place] Serving/risk: alice in dev/east" in done.stdout
    assert "[in-place] Serving/risk: alice in dev/east" in done.stdout
    assert "KusciaDeployment" not in done.stdout
    assert done.stderr == "1 object with 1 change, 0 errors, 0 warnings\n"
    assert "\x1b" not in done.stdout
    assert diff(committed, "--exit-code").returncode == 1
    assert diff(committed, "-q").stderr == ""


def test_a_repository_does_not_change_how_a_page_looks_or_works(committed):
    edit(committed, RISK, "app_image: scorer", "app_image: scorer, replicas: 4")
    page = diff(committed, "--format", "html").stdout
    own = committed / "templates/outputs"
    own.mkdir(parents=True)
    for name in ("page.css", "page.js", "picture.css"):
        (own / name).write_text("nothing of ours\n")
    assert diff(committed, "--format", "html").stdout == page
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in page


def test_a_secret_in_the_old_state_does_not_stop_the_comparison(committed):
    edit(committed, RISK, "initiator: alice", "initiator: alice\nlabels: {token: abcdefgh}")
    commit(committed)
    edit(committed, RISK, "\nlabels: {token: abcdefgh}", "")
    found = report(committed)
    assert found["incomparable"] == []
    assert [change["path"] for change in found["objects"][0]["changes"]] == [
        "metadata.labels.token"
    ]


def test_between_two_revisions_whatever_the_work_tree_holds(committed):
    edit(committed, RISK, "app_image: scorer", "app_image: scorer, replicas: 4")
    commit(committed)
    shutil.rmtree(committed / "environments")
    found = report(committed, "--from", "HEAD~1", "--to", "main")
    assert [item["path"] for item in found["objects"][0]["changes"]] == [
        "spec.parties[alice].template.replicas"
    ]
    assert found["before"].startswith("HEAD~1 (")
    back = report(committed, "--from", "main", "--to", "HEAD~1")
    assert back["objects"][0]["changes"][0]["how"] == "removed"


def test_in_a_bare_repository(committed, tmp_path_factory):
    edit(committed, RISK, "app_image: scorer", "app_image: scorer, replicas: 4")
    commit(committed)
    bare = tmp_path_factory.mktemp("bare")
    git(committed, "clone", "--quiet", "--bare", str(committed), str(bare / "x.git"))
    done = diff(bare / "x.git", "--from", "main~1", "--to", "main", "--exit-code")
    assert done.returncode == 1, done.stderr
    assert "replicas" in done.stdout


def test_against_the_committed_output(committed):
    arguments = ["-m", "renderer", "render", "-q"]
    subprocess.run([sys.executable, *arguments], cwd=committed, check=True)
    assert diff(committed, "--from", "rendered", "--exit-code").returncode == 0
    edit(committed, IMAGE, "tag: v1", "tag: v2")
    for old in ("rendered", "./rendered", str(committed / "rendered")):
        found = report(committed, "--from", old)
        assert len(found["objects"]) == 2
        assert {i["class"] for o in found["objects"] for c in o["changes"] for i in c["impacts"]}


def test_an_inventory_that_is_no_file(committed):
    arguments = ["-m", "renderer", "render", "-q"]
    subprocess.run([sys.executable, *arguments], cwd=committed, check=True)
    inventory = next((committed / "rendered/dev/.inventory").iterdir())
    inventory.unlink()
    inventory.mkdir()
    done = diff(committed, "--from", "rendered")
    assert done.returncode == 3
    assert done.stderr.endswith(f"{inventory.name}: the inventory is not read: it is a folder\n")


def test_output_on_its_own_branch(committed):
    arguments = ["-m", "renderer", "render", "-q"]
    subprocess.run([sys.executable, *arguments], cwd=committed, check=True)
    tree = git(committed, "add", "--force", "rendered") or git(
        committed, "write-tree", "--prefix=rendered/"
    )
    git(committed, "branch", "rendered", git(committed, "commit-tree", tree, "-m", "output"))
    edit(committed, IMAGE, "tag: v1", "tag: v2")
    assert len(report(committed, "--from", "refs/heads/rendered")["objects"]) == 2


def test_against_another_folder(committed, tmp_path_factory):
    other = tmp_path_factory.mktemp("copy") / "repository"
    shutil.copytree(committed, other)
    edit(other, RISK, "initiator: alice", "initiator: alice\nlabels: {a: b}")
    assert len(report(committed, "--from", ".", "--to", str(other))["objects"]) == 1


def test_before_there_was_a_repository(committed):
    git(committed, "checkout", "--quiet", "--orphan", "empty")
    git(committed, "commit", "--quiet", "--allow-empty", "-m", "x", "--only")
    done = diff(committed, "--from", git(committed, "commit-tree", "-m", "x", EMPTY_TREE))
    assert done.returncode == 0, done.stderr
    assert "+ KusciaDeployment  dev/east risk" in done.stdout


EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_specs_in_a_submodule_are_not_taken_for_none(committed):
    name = git(committed, "rev-parse", "HEAD")
    git(committed, "rm", "-r", "--quiet", "--cached", "environments")
    git(committed, "update-index", "--add", "--cacheinfo", f"160000,{name},environments")
    git(committed, "commit", "--quiet", "-m", "a submodule")
    done = diff(committed)
    assert (done.returncode, done.stdout) == (3, "")
    assert "environments is a submodule, and those of a revision are not read" in done.stderr


def test_errors_of_both_sides(committed):
    edit(committed, RISK, "initiator: alice", "initiator: nobody")
    done = diff(committed)
    assert done.returncode == 1
    assert f"{RISK}:3:12: error:" in done.stdout
    commit(committed)
    edit(committed, RISK, "initiator: nobody", "initiator: alice")
    done = diff(committed)
    assert done.returncode == 0
    assert "Not comparable" in done.stdout
    assert "1 not comparable" in done.stderr


def test_a_change_that_breaks_exits_with_1(committed):
    edit(committed, IMAGE, "{name: service,", "{name: serving,")
    done = diff(committed)
    assert done.returncode == 1
    assert "[breaks]" in done.stdout
    assert "[IMP001]" in done.stdout


def test_an_environment_that_came_or_went(committed):
    shutil.copytree(committed / "environments/dev", committed / "environments/prod")
    assert {item["environment"] for item in report(committed, "--env", "prod")["objects"]} == {
        "prod"
    }
    assert report(committed, "--env", "dev")["objects"] == []
    done = diff(committed, "--env", "prodd")
    assert (done.returncode, "did you mean 'prod'?" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--from", "nowhere"], 3, "git fetch origin"),
        (["--from=--output=x"], 2, "no Git revision"),
        (["--from", "rendered"], 2, "servingctl render"),
        (["--from", "\x1b[31m"], 2, "no Git revision"),
        (["--format", "yaml"], 2, "Invalid value"),
    ],
)
def test_what_cannot_be_compared(committed, arguments, code, said):
    done = diff(committed, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert "\x1b" not in done.stderr
    assert not (committed / "x").exists()


def test_a_folder_that_is_no_state(committed):
    (committed / "notes").mkdir()
    done = diff(committed, "--from", "notes")
    assert (done.returncode, "neither a repository" in done.stderr) == (2, True)
    git(committed, "branch", "notes")
    assert diff(committed, "--from", "notes").returncode == 0


def test_an_object_that_goes_to_another_place(committed):
    places = ENVIRONMENT.replace("[alice, bob]", "[bob]").replace(
        "kuscia:", "  - {name: west, platform: kuscia, domains: [alice]}\nkuscia:"
    )
    (committed / "environments/dev/environment.yaml").write_text(places)
    shown = diff(committed).stdout
    assert "- KusciaDeployment  dev/east risk (goes to west)" in shown
    assert "+ KusciaDeployment  dev/west risk (comes from east)" in shown


def test_a_finding_about_what_is_gone_is_in_the_old_file(committed):
    (committed / RISK).unlink()
    done = diff(committed)
    assert "- environments/dev/servings/risk.yaml removed" in done.stdout
    assert "- KusciaDeployment  dev/east risk" in done.stdout
    assert "[delete]" in done.stdout


def test_json_is_as_its_schema_says(committed):
    shutil.copytree(committed / "environments/dev", committed / "environments/prod")
    edit(committed, IMAGE, "{name: service,", "{name: serving,")
    edit(committed, RISK, "app_image: pair", "app_image: pair, replicas: 2")
    (committed / "environments/dev/servings/more.yaml").write_text(SERVING)
    found = report(committed)
    Draft7Validator.check_schema(bundled_schema("reports/diff.json"))
    Draft7Validator(bundled_schema("reports/diff.json")).validate(found)
    assert all(found[key] for key in ("objects", "findings", "reach"))


SECRETIVE = (
    HEADER.format("Serving")
    + """\
initiator: alice
app: other
serving_input_config:
  password: %(canary)s
  deep: {token: %(canary)s-deep, host: %(host)s}
parties:
  - {domain_id: alice, app_image: scorer}
  - {domain_id: bob, app_image: pair}
"""
)


@pytest.mark.parametrize("form", FORMATS)
def test_no_secret_is_ever_shown(committed, form):
    def written(number):
        values = {"canary": f"{CANARY}-{number}", "host": f"host-{number}"}
        (committed / RISK).write_text(SECRETIVE % values)
        env = [
            f"{{name: DB_PASSWORD, value: {CANARY}{number}}}",
            f"{{name: A, value: {SECRETS[1][:-1]}{number}}}",
        ]
        more = f"workingDir: /work, env: [{', '.join(env)}],"
        key = SECRETS[0].replace("Q\n", f"Q{number}\n")
        conf = f"user: x{number}\npassword: {CANARY}{number}\nport: 1\n{key}"
        template = f"configTemplates:\n  app.conf: |\n{indent(conf, '    ')}"
        (committed / IMAGE).write_text(SCORER.replace("workingDir: /work,", more) + template)
        pair = PAIR + (f"labels: {{secret-key: {CANARY}}}\n" if number else "")
        (committed / "environments/dev/appimages/pair.yaml").write_text(pair)

    written(0)
    commit(committed)
    written(1)
    done = diff(committed, "--format", form)
    assert done.returncode in (0, 1), done.stderr
    shown = unescape(done.stdout + done.stderr).lower()
    for needle in (CANARY, "c4n4ry"):
        assert needle not in shown
    assert "host-1" in shown
    for key in ("password", "token", "db_password"):
        assert key in shown


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_steers_a_terminal(committed, form):
    edit(
        committed,
        RISK,
        "initiator: alice",
        'initiator: alice\nannotations: {a: "x\\e[31my\\u202e"}',
    )
    done = diff(committed, "--format", form)
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


def test_colour_only_if_wanted(committed):
    edit(committed, RISK, "app_image: scorer", "app_image: scorer, replicas: 4")
    command = [sys.executable, "-m", "renderer", "--color", "always", "diff"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, cwd=committed, env=environment, capture_output=True, text=True)
    assert "\x1b[32m+" in done.stdout


def test_a_text_is_shown_by_its_lines(committed):
    conf = "configTemplates:\n  app.conf: |\n" + "".join(f"    line {n}\n" for n in range(20))
    (committed / IMAGE).write_text(SCORER + conf)
    commit(committed)
    edit(committed, IMAGE, "line 10\n", "line ten\n")
    done = diff(committed)
    wanted = ["@@ -8,7 +8,7 @@", " line 9", "-line 10", "+line ten", " line 11"]
    assert all(f"      {line}\n" in done.stdout for line in wanted)
    assert "line 3" not in done.stdout


def test_an_environment_that_is_only_inherited_from(committed):
    (committed / "environments/base").mkdir()
    (committed / "environments/base/environment.yaml").write_text(HEADER.format("Environment"))
    commit(committed)
    done = diff(committed, "--env", "base")
    assert (done.returncode, done.stdout) == (2, "")
    assert "is only inherited from" in done.stderr


def test_a_secret_of_a_command_is_not_shown(committed):
    edit(committed, IMAGE, "workingDir: /work,", f"workingDir: /work, args: [--token, {CANARY}-1],")
    commit(committed)
    edit(committed, IMAGE, f"{CANARY}-1", f"{CANARY}-2")
    for form in FORMATS:
        done = diff(committed, "--format", form)
        assert CANARY not in done.stdout + done.stderr
        assert "args" in done.stdout


def test_what_comes_and_goes_has_no_changes(committed):
    (committed / RISK).unlink()
    done = diff(committed)
    assert done.stderr.startswith("3 objects deleted, 0 errors")


def test_parts_are_joined(committed):
    edit(committed, IMAGE, "tag: v1", "tag: v2")
    edit(committed, RISK, "app_image: scorer", "app_image: scorer, replicas: 4")
    for number in (1, 2):
        done = diff(committed, "--shard", f"{number}/2", "--format", "json")
        found = json.loads(done.stdout)
        Draft7Validator(bundled_schema("reports/diff.json")).validate(found)
        (committed / f"{number}.json").write_text(done.stdout)
    parts = ("--merge", "1.json", "2.json")
    for form in ("text", "markdown", "json"):
        once, joined = diff(committed, "--format", form), diff(committed, *parts, "--format", form)
        assert (once.stdout, once.stderr) == (joined.stdout, joined.stderr)
    assert diff(committed, *parts, "--exit-code").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--merge",), "name the files"),
        (("--merge", "nothing.json"), "nothing.json cannot be read"),
        (("--merge", "servingctl.yaml"), "servingctl.yaml is not the report of a shard"),
        (("--shard", "3/2"), "is not a shard"),
        (("--shard", "1/2", "risk"), "--shard is for all specs"),
    ],
)
def test_wrong_parts(committed, arguments, reason):
    done = diff(committed, *arguments)
    assert done.returncode == 2
    assert reason in done.stderr


def test_errors_that_are_left_out_are_counted(committed):
    (committed / RISK).write_text(SERVING + "".join(f"key{n}: 1\n" for n in range(80)))
    assert "80 errors" in run("diff", cwd=committed).stderr
