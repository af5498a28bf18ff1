"""The recipes for CI: their steps are run as they are written, in real repositories."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.support.places import ROOT
from tests.support.repositories import SERVING, SMALL

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
GITLAB = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text("utf-8"))
SHARDS = yaml.safe_load((ROOT / "ci/gitlab-shards.yml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "run" in step}
MARKER = "<!-- servingctl diff -->"
#: A branch whose name runs a command wherever it is not quoted.
HOSTILE = 'main";touch${IFS}pwned;"$(touch${IFS}pwned)`touch${IFS}pwned`'
MORE = SERVING.replace("app_image: pair}", "app_image: pair, replicas: 3}")
BREAKING = SERVING + "  - {domain_id: bob, app_image: scorer, role: guest}\n"

GH = """\
#!/bin/sh
echo "$@" >> "$CALLS"
if [ -n "$FORBIDDEN" ]; then echo "HTTP 403" >&2; exit 1; fi
case "$*" in *--paginate*) echo "$COMMENTS" ;; esac
"""
CURL = """\
#!/bin/sh
cat > "$CALLS.config"
echo "$@" >> "$CALLS"
if [ -n "$FORBIDDEN" ]; then exit 22; fi
case "$*" in *per_page*) echo "$NOTES" ;; esac
"""


@pytest.fixture
def machine(tmp_path):
    """A runner: its programs, and the environment that steps get."""
    programs = tmp_path / "bin"
    programs.mkdir()
    python = f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'
    own = python.replace('"$@"', '-m renderer "$@"')
    for name, text in {"gh": GH, "curl": CURL, "python3": python, "servingctl": own}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (tmp_path / "temp").mkdir()
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HOME": str(tmp_path),
        "CALLS": str(tmp_path / "calls"),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_REPOSITORY": "example/servings",
        "GITHUB_REF": "refs/pull/7/merge",
    }


def git(folder, *arguments):
    identity = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
        "-c",
        "init.defaultBranch=main",
    )
    command = ["git", *identity, "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder, files, message="change"):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)
    return git(folder, "rev-parse", "HEAD")


class Origin:
    """A repository with a target branch, and a pull request that was merged into it for a try."""

    def __init__(self, folder, target="main", serving=MORE, commits=3):
        self.folder = folder / "origin"
        self.folder.mkdir()
        git(self.folder, "init", "--quiet")
        for number in range(commits):
            commit(self.folder, {**SMALL, "README": str(number)})
        git(self.folder, "checkout", "--quiet", "-b", "feature")
        self.head = commit(self.folder, {"environments/dev/servings/risk.yaml": serving})
        git(self.folder, "checkout", "--quiet", "main")
        self.base = commit(self.folder, {"README": "the target moved on"})
        git(self.folder, "checkout", "--quiet", "--detach")
        git(self.folder, "merge", "--quiet", "--no-ff", "feature", "--message", "try")
        git(self.folder, "update-ref", "refs/pull/7/merge", "HEAD")
        git(self.folder, "checkout", "--quiet", "feature")
        if target != "main":
            git(self.folder, "update-ref", f"refs/heads/{target}", self.base)

    def clone(self, ref="refs/pull/7/merge", depth=("--depth=1",)):
        """What a checkout makes: one commit, detached, without branches."""
        folder = self.folder.parent / "work"
        folder.mkdir()
        git(folder, "init", "--quiet")
        git(folder, "remote", "add", "origin", self.folder.as_uri())
        git(folder, "fetch", "--quiet", *depth, "origin", ref)
        git(folder, "checkout", "--quiet", "--detach", "FETCH_HEAD")
        return folder


def run(name, folder, machine, check=True, **values):
    """A step of the action; values are what its expressions amount to, by their last word."""
    step = STEPS[name]
    given = {}
    for key, expression in step.get("env", {}).items():
        word = re.fullmatch(r"\$\{\{ (?:.*\.)?([\w-]+) \}\}", expression)[1]
        given[key] = values.get(word.replace("-", "_"), "")
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    extra = {key: value for key, value in values.items() if key.isupper()}
    return subprocess.run(
        command,
        cwd=folder,
        env={**machine, **given, **extra},
        check=check,
        capture_output=True,
        text=True,
    )


def outputs(machine):
    lines = Path(machine["GITHUB_OUTPUT"]).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def calls(machine):
    file = Path(machine["CALLS"])
    return file.read_text().splitlines() if file.exists() else []


def text_of(machine, name):
    file = Path(machine[name])
    return file.read_text() if file.exists() else ""


def test_no_expression_is_part_of_a_script():
    for step in STEPS.values():
        assert "${{" not in step["run"], step["name"]
        assert step["shell"] == "bash"
    used = [step["uses"] for step in ACTION["runs"]["steps"] if "uses" in step]
    assert all(re.search(r"@[0-9a-f]{40}$", name) for name in used)


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize("target", ["main", HOSTILE])
def test_a_shallow_checkout_finds_its_base(tmp_path, machine, target):
    origin = Origin(tmp_path, target)
    folder = origin.clone()
    run("Find what to compare with", folder, machine, base_ref=target)
    assert outputs(machine)["base"] == origin.base
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.process
@pytest.mark.long
def test_the_base_of_a_branch_is_where_it_left(tmp_path, machine):
    origin = Origin(tmp_path)
    folder = origin.clone("refs/heads/feature", depth=())
    machine["GITHUB_REF"] = "refs/heads/feature"
    run("Find what to compare with", folder, machine, base_ref="main")
    assert outputs(machine)["base"] == git(origin.folder, "rev-parse", "main~1")
    assert git(folder, "rev-parse", "--is-shallow-repository") == "false"


@pytest.mark.process
@pytest.mark.long
def test_a_base_far_back_is_fetched(tmp_path, machine):
    origin = Origin(tmp_path, commits=3)
    git(origin.folder, "checkout", "--quiet", "main")
    for number in range(60):
        git(origin.folder, "commit", "--quiet", "--allow-empty", "--message", str(number))
    folder = origin.clone("refs/heads/feature")
    machine["GITHUB_REF"] = "refs/heads/feature"
    run("Find what to compare with", folder, machine, base_ref="main", check=False)
    assert outputs(machine)["base"] == git(origin.folder, "merge-base", "main", "feature")


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize("known", [True, False])
def test_a_push_is_compared_with_what_it_came_after(tmp_path, machine, known):
    origin = Origin(tmp_path)
    folder = origin.clone()
    before = origin.base if known else "0" * 40
    run("Find what to compare with", folder, machine, before=before)
    assert outputs(machine)["base"] == (origin.base if known else "")


@pytest.mark.process
@pytest.mark.long
def test_a_base_that_is_given(tmp_path, machine):
    origin = Origin(tmp_path)
    folder = origin.clone()
    done = run("Find what to compare with", folder, machine, base="--upload-pack=x", check=False)
    assert done.returncode == 1
    assert "::error::there is no revision" in done.stdout
    run("Find what to compare with", folder, machine, base="HEAD")
    assert outputs(machine)["base"] == git(folder, "rev-parse", "HEAD")


@pytest.mark.process
@pytest.mark.long
def test_validate_and_render(tmp_path, machine):
    folder = Origin(tmp_path).clone()
    done = run("Validate", folder, machine, root=".", strict="false")
    report = json.loads(Path(outputs(machine)["sarif"]).read_text())
    assert report["version"] == "2.1.0"
    assert "Traceback" not in done.stderr
    name = "Check that the rendered manifests are current"
    assert run(name, folder, machine, root=".", check=False).returncode == 1
    subprocess.run(
        ["servingctl", "render"], cwd=folder, env=machine, check=True, capture_output=True
    )
    assert run(name, folder, machine, root=".").returncode == 0


@pytest.mark.process
@pytest.mark.long
def test_errors_fail_but_are_reported(tmp_path, machine):
    folder = Origin(tmp_path, serving=SERVING.replace("app_image: pair", "app_image: pare")).clone()
    done = run("Validate", folder, machine, root=".", check=False)
    assert done.returncode == 1
    assert "::error file=environments/dev/servings/risk.yaml" in done.stdout
    results = json.loads(Path(outputs(machine)["sarif"]).read_text())["runs"][0]["results"]
    assert results


def diffed(origin, machine, **values):
    folder = origin.clone()
    run("Find what to compare with", folder, machine, base_ref="main")
    done = run("Diff", folder, machine, root=".", base=origin.base, check=False, **values)
    return done, outputs(machine)


@pytest.mark.process
@pytest.mark.long
def test_the_diff_of_a_pull_request(tmp_path, machine):
    done, made = diffed(Origin(tmp_path), machine)
    assert done.returncode == 0, done.stderr
    text = Path(made["file"]).read_text()
    assert text.startswith(MARKER)
    assert "parties&#91;bob].replicas" in text
    assert "**in-place**" in text
    assert Path(made["html"]).read_text().startswith("<!DOCTYPE html>")


@pytest.mark.process
@pytest.mark.long
def test_a_change_that_breaks_fails_after_it_is_told(tmp_path, machine):
    done, made = diffed(Origin(tmp_path, serving=BREAKING), machine)
    assert done.returncode == 1
    assert "**breaks**" in Path(made["file"]).read_text()


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize(
    ("known", "expected"), [("", "--method POST"), ("42\n43", "--method PATCH")]
)
def test_one_comment_is_kept_up_to_date(tmp_path, machine, known, expected):
    (tmp_path / "diff.md").write_text(f"{MARKER}\nit\n")
    values = {
        "file": str(tmp_path / "diff.md"),
        "comment": "true",
        "number": "7",
        "COMMENTS": known,
    }
    run("Show the diff", tmp_path, machine, **values)
    listed, written = calls(machine)
    assert "--paginate repos/example/servings/issues/7/comments" in listed
    assert expected in written
    assert f"body=@{tmp_path / 'diff.md'}" in written
    assert not known or "issues/comments/42 " in written
    assert not text_of(machine, "GITHUB_STEP_SUMMARY")


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize(
    "values",
    [
        {"comment": "true", "number": "7", "FORBIDDEN": "yes"},  # a fork's token
        {"comment": "true", "number": ""},  # a push
        {"comment": "false", "number": "7"},
    ],
)
def test_otherwise_the_summary_has_it(tmp_path, machine, values):
    (tmp_path / "diff.md").write_text(f"{MARKER}\nit\n")
    run("Show the diff", tmp_path, machine, file=str(tmp_path / "diff.md"), **values)
    assert text_of(machine, "GITHUB_STEP_SUMMARY") == f"{MARKER}\nit\n"
    assert not [line for line in calls(machine) if "POST" in line]


def job(name, folder, machine, check=True, template=GITLAB, **values):
    """A job of a template, as one script."""
    given = {key: str(value) for key, value in GITLAB["variables"].items()}
    script = "\n".join(template[name]["script"])
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    env = {**machine, **given, **values}
    return subprocess.run(command, cwd=folder, env=env, check=check, capture_output=True, text=True)


def merge_request(origin, **values):
    return {
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(origin.folder, "merge-base", "main", "feature"),
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "5",
        "CI_MERGE_REQUEST_IID": "7",
        **values,
    }


@pytest.mark.process
@pytest.mark.long
def test_gitlab_validates_and_renders(tmp_path, machine):
    folder = Origin(tmp_path).clone("refs/heads/feature")
    job("servingctl:validate", folder, machine)
    assert isinstance(json.loads((folder / "gl-code-quality-report.json").read_text()), list)
    assert json.loads((folder / "servingctl.sarif").read_text())["version"] == "2.1.0"
    assert job("servingctl:render", folder, machine, check=False).returncode == 1


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize(
    ("notes", "expected"),
    [("[]", "--request POST"), (json.dumps([{"id": 9, "body": MARKER}]), "--request PUT")],
)
def test_gitlab_keeps_one_note(tmp_path, machine, notes, expected):
    origin = Origin(tmp_path)
    folder = origin.clone("refs/heads/feature")
    done = job(
        "servingctl:diff",
        folder,
        machine,
        **merge_request(origin, SERVINGCTL_TOKEN="s3cret", NOTES=notes),
    )
    assert "**in-place**" in (folder / "servingctl-diff.md").read_text()
    assert (folder / "servingctl-diff.html").read_text().startswith("<!DOCTYPE html>")
    _, written = calls(machine)
    assert expected in written
    assert "--data-urlencode body@servingctl-diff.md" in written
    assert "s3cret" not in "".join((*calls(machine), done.stdout, done.stderr))
    assert Path(f"{machine['CALLS']}.config").read_text() == 'header = "PRIVATE-TOKEN: s3cret"\n'


@pytest.mark.process
@pytest.mark.long
@pytest.mark.parametrize("values", [{}, {"SERVINGCTL_TOKEN": "s3cret", "FORBIDDEN": "yes"}])
def test_gitlab_without_a_token_logs_the_diff(tmp_path, machine, values):
    origin = Origin(tmp_path)
    folder = origin.clone("refs/heads/feature")
    done = job("servingctl:diff", folder, machine, **merge_request(origin, **values))
    assert MARKER in done.stdout


@pytest.mark.process
@pytest.mark.long
def test_gitlab_fails_after_a_change_that_breaks_is_told(tmp_path, machine):
    origin = Origin(tmp_path, serving=BREAKING)
    folder = origin.clone("refs/heads/feature")
    done = job("servingctl:diff", folder, machine, check=False, **merge_request(origin))
    assert done.returncode == 1
    assert "**breaks**" in done.stdout


@pytest.mark.process
@pytest.mark.long
def test_gitlab_shares_the_work(tmp_path, machine):
    origin = Origin(tmp_path, serving=BREAKING)
    folder = origin.clone("refs/heads/feature")
    for number in (1, 2):
        given = {"CI_NODE_INDEX": str(number), "CI_NODE_TOTAL": "2", **merge_request(origin)}
        job("servingctl:part", folder, machine, template=SHARDS, **given)
    joined = job("servingctl:join", folder, machine, check=False, template=SHARDS)
    assert joined.returncode == 1, joined.stderr
    once = job("servingctl:diff", folder, machine, check=False, **merge_request(origin))
    assert joined.stdout == once.stdout
    assert (folder / "servingctl-diff.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.process
@pytest.mark.long
def test_github_shares_the_work(tmp_path, machine):
    """The steps of the documented matrix, one part after the other, and then the join."""
    origin = Origin(tmp_path)
    folder = origin.clone("refs/heads/feature", depth=())
    git(folder, "fetch", "--quiet", "origin", "main:refs/remotes/origin/main")
    (jobs,) = [block["jobs"] for block in BLOCKS if "part" in block.get("jobs", {})]
    (total,) = {text.partition("/")[2] for text in [jobs["part"]["env"]["PART"]]}
    assert jobs["part"]["strategy"]["matrix"]["part"] == [n + 1 for n in range(int(total))]

    def steps(name, **values):
        runs = [step["run"] for step in jobs[name]["steps"] if "run" in step]
        for step in (line for line in runs if not line.startswith("pip install")):
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step]
            env = {**machine, **values}
            subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True)

    for number in range(1, int(total) + 1):
        steps("part", PART=f"{number}/{total}", FILE=f"part-{number}.json")
    steps("diff")
    assert "**in-place**" in text_of(machine, "GITHUB_STEP_SUMMARY")


DOCS = (ROOT / "docs/ci.md").read_text("utf-8")
BLOCKS = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", DOCS, re.DOTALL)]


def test_the_documentation_knows_every_input():
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.*?) \|", DOCS, re.MULTILINE))
    wanted = {name: f"`{item['default']}`" for name, item in ACTION["inputs"].items()}
    assert rows == {**wanted, "base": "by the event", "token": "the job's"}
    for name in ACTION["outputs"]:
        assert f"`{name}`" in DOCS
    included, *_parts = [block for block in BLOCKS if "include" in block]
    package = {"SERVINGCTL_PACKAGE": included["variables"]["SERVINGCTL_PACKAGE"]}
    assert included["variables"] == {**GITLAB["variables"], **package}
    assert all(f"`{name}`" in DOCS for name in GITLAB if name.startswith("servingctl:"))


def test_what_is_installed_exists():
    """A path, or a repository at a revision; no name on an index, which is nobody's of ours."""
    pages = [ROOT / "README.md", ROOT / "action.yml", *sorted((ROOT / "docs").rglob("*.md"))]
    told = [line for page in pages for line in page.read_text("utf-8").splitlines()]
    installed = [re.sub(r"\s+#.*", "", line) for line in told if re.search(r"pip install\b", line)]
    assert installed
    own = re.compile(
        r"""pip install\b.*?(?:'?\.(?:\[[a-z]+\])?'?(?:\s|$|`)|git\+https://HOST/OWNER|\$GITHUB_ACTION)"""
    )
    assert [line for line in installed if "servingctl" in line and not own.search(line)] == []
    assert GITLAB["variables"]["SERVINGCTL_PACKAGE"] == ""
    assert [line for line in told if re.search(r"servingctl@v[0-9]|rev: v[0-9]", line)] == []


@pytest.mark.process
@pytest.mark.long
def test_nothing_is_installed_that_nobody_named():
    (asked, *_) = GITLAB[".servingctl"]["before_script"]
    for package, code in (("", 1), ("./servingctl.whl", 0)):
        environment = {"SERVINGCTL_PACKAGE": package, "PATH": "/usr/bin:/bin"}
        done = subprocess.run(["sh", "-c", asked], env=environment, capture_output=True, text=True)
        assert bool(done.returncode) == bool(code)
        assert ("say what to install" in done.stderr) == bool(code)


@pytest.mark.process
@pytest.mark.long
def test_the_documentation_calls_what_there_is():
    steps = [
        step for block in BLOCKS for job in block.get("jobs", {}).values() for step in job["steps"]
    ]
    lines = [step["run"] for step in steps if step.get("run", "").startswith("servingctl")]
    lines += [line for block in BLOCKS for line in block.get("specs", {}).get("script", ())]
    lines += re.findall(r"^servingctl .*", DOCS, re.MULTILINE)
    lines += re.findall(r"`(servingctl [a-z]+ [^`]*)`", DOCS)
    assert len(lines) > 8
    for line in lines:
        command = line.split()[1]
        shown = subprocess.run(
            [sys.executable, "-m", "renderer", command, "--help"],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        assert shown.returncode == 0, line
        for option in re.findall(r"--[a-z][a-z-]+", re.sub(r"\$\(.*?\)", "", line)):
            assert option in shown.stdout, line


@pytest.mark.process
@pytest.mark.long
def test_the_documented_diff(tmp_path, machine):
    folder = Origin(tmp_path, serving=BREAKING).clone("refs/heads/feature", depth=())
    git(folder, "fetch", "--quiet", "origin", "main:refs/remotes/origin/main")
    (line,) = re.findall(r"^servingctl diff .*", DOCS, re.MULTILINE)
    subprocess.run(["bash", "-ec", line], cwd=folder, env=machine, check=True, capture_output=True)
    assert "**breaks**" in (folder / "diff.md").read_text()


SCRIPTS = {name: step["run"] for name, step in STEPS.items()}
SCRIPTS |= {
    name: "\n".join(job["script"]) for name, job in {**GITLAB, **SHARDS}.items() if "script" in job
}


@pytest.mark.process
@pytest.mark.long
@pytest.mark.skipif(not shutil.which("shellcheck"), reason="needs shellcheck")
@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_sound(name):
    unquoted = "SC2086"  # lists of words, in a shell without arrays
    command = ["shellcheck", "--shell=bash", f"--exclude={unquoted}", "-"]
    done = subprocess.run(command, input=SCRIPTS[name], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.process
@pytest.mark.long
@pytest.mark.skipif(not shutil.which("check-jsonschema"), reason="needs check-jsonschema")
@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("github-actions", "action.yml"),
        ("gitlab-ci", "ci/gitlab.yml"),
        ("gitlab-ci", "ci/gitlab-shards.yml"),
    ],
)
def test_recipes_have_the_shape_their_forges_want(schema, file):
    command = ["check-jsonschema", "--builtin-schema", f"vendor.{schema}", str(ROOT / file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
