"""The command line as people and pipelines meet it: real processes, streams and exit codes."""

import json
import os
import stat
import subprocess
import sys

import pytest

from renderer.backends.kinds import KINDS
from renderer.cli.failures import reported
from tests.support.processes import run, snapshot, start
from tests.support.repositories import BROKEN, RISK, SERVING, SMALL

pytestmark = pytest.mark.process


def test_validate_says_nothing_on_stdout_when_all_is_well(repository):
    done = start("validate", cwd=repository())
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "1 environment, 3 specs: no findings\n"


def test_validate_shows_place_line_why_and_fix(repository):
    done = start("validate", cwd=repository({RISK: BROKEN}))
    assert done.returncode == 1
    assert done.stdout == (
        f"{RISK}:3:12: error: the initiator 'carol' is not a party [KUS101]\n"
        "    3 | initiator: carol\n"
        "      |            ^\n"
        "  why: Kuscia's controller fails the deployment otherwise (ValidateFailed).\n"
        "  fix: add it to parties, or name alice or bob\n"
        "\n"
    )
    assert done.stderr == "1 environment, 3 specs: 1 error, 0 warnings\n"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (RISK, 1),
        ("environments/dev/appimages/pair.yaml", 1),
        ("environments/dev/environment.yaml", 1),
        ("environments/dev/servings", 1),
        (".", 1),
        ("environments/other", 0),
    ],
)
def test_validate_shows_what_depends_on_the_paths(repository, path, expected):
    root = repository({RISK: BROKEN, "environments/other/environment.yaml": (
        "apiVersion: serving.gitops/v1\nkind: Environment\n"
    )})  # fmt: skip
    assert run("validate", path, cwd=root).returncode == expected


def test_validate_works_below_the_root(repository):
    root = repository({RISK: BROKEN})
    done = run("validate", "risk.yaml", cwd=root / "environments/dev/servings")
    assert done.returncode == 1
    assert done.stdout.startswith(f"{RISK}:3:12:")


def test_strict_fails_on_warnings(repository):
    warned = SERVING.replace("  - {domain_id: bob, app_image: pair}\n", "")
    root = repository({RISK: warned})
    assert run("validate", cwd=root).returncode == 0
    assert run("validate", "--strict", cwd=root).returncode == 1


def test_verbose_and_quiet(repository):
    root = repository()
    verbose = run("validate", "-v", cwd=root).stderr
    assert "Serving/risk (alice, bob)\n    dev/east/kusciadeployments/risk.yaml\n" in verbose
    assert run("validate", "-q", cwd=root).stderr == ""


@pytest.mark.parametrize(
    ("environment", "option", "colored"),
    [
        ({}, "auto", False),
        ({}, "always", True),
        ({}, "never", False),
        ({"GITHUB_ACTIONS": "true"}, "auto", True),
        ({"GITHUB_ACTIONS": "true", "NO_COLOR": "1"}, "auto", False),
    ],
)
def test_color(repository, environment, option, colored):
    root = repository({RISK: BROKEN})
    done = run("--color", option, "validate", cwd=root, **environment)
    assert ("\x1b[" in done.stdout) is colored


def test_render_writes_then_leaves_alone(repository):
    root = repository()
    assert start("render", cwd=root).stderr == "6 files written, 0 unchanged\n"
    before = snapshot(root / "rendered")
    assert set(before) == {
        "dev/east/appimages/pair.yaml",
        "dev/east/appimages/scorer.yaml",
        "dev/east/kusciadeployments/risk.yaml",
        "dev/east/kustomization.yaml",
        "dev/east/flux/prerequisites/kustomization.yaml",
        "dev/east/flux/workloads/kustomization.yaml",
        "dev/.inventory/east",
    }
    assert run("render", cwd=root).stderr == "0 files written, 6 unchanged\n"
    assert snapshot(root / "rendered") == before


def test_render_writes_nothing_if_anything_is_wrong(repository):
    root = repository({RISK: BROKEN})
    done = run("render", cwd=root)
    assert done.returncode == 1
    assert "nothing was written" in done.stderr
    assert not (root / "rendered").exists()


def test_render_elsewhere_and_to_stdout(repository, tmp_path_factory):
    root = repository({"servingctl.yaml": "output: made"})
    other = tmp_path_factory.mktemp("other")
    assert run("render", "--output", str(other / "out"), cwd=root).returncode == 0
    assert (other / "out/dev/east/kusciadeployments/risk.yaml").is_file()
    done = run("render", "--stdout", cwd=root)
    assert done.stdout.startswith("---\n# dev/east/appimages/pair.yaml\napiVersion:")
    assert not (root / "made").exists()
    assert run("render", cwd=root).returncode == 0
    assert (root / "made/dev/east").is_dir()


def test_render_is_the_same_everywhere(repository):
    root = repository()
    plain = run("render", "--stdout", cwd=root).stdout
    odd = {"LC_ALL": "tr_TR.UTF-8", "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "PYTHONUTF8": "0"}
    assert run("render", "--stdout", cwd=root, **odd).stdout == plain


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(repository):
    root = repository()
    (root / "rendered").mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    done = run("render", cwd=root)
    assert done.returncode == 3
    assert done.stderr.startswith("servingctl: nothing was rendered: ")


def test_a_file_where_the_output_folder_should_be(repository):
    root = repository({"rendered/dev": "in the way"})
    done = run("render", cwd=root)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert snapshot(root / "rendered").keys() == {"dev"}


def test_a_link_inside_the_output_folder(repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    root = repository()
    (root / "rendered").mkdir()
    (root / "rendered/dev").symlink_to(outside)
    done = run("render", cwd=root)
    assert done.returncode == 3
    assert "link" in done.stderr
    assert not list(outside.iterdir())


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["validat"], "Did you mean 'validate'?"),
        (["validate", "--env", "dve"], "did you mean 'dev'?"),
        (["validate", "nowhere"], "does not exist"),
        (["validate", "/"], "is not in the repository"),
        (["validate", "--colour"], "No such option"),
        (["schema"], "name one kind"),
        (["schema", "Srving"], "did you mean 'Serving'?"),
        (["--root", "/", "validate"], "no servingctl.yaml in /"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_usage(repository, arguments, part):
    done = run(*arguments, cwd=repository())
    assert done.returncode == 2
    assert part in done.stderr
    assert done.stdout == ""


def test_no_traceback_ever(repository, tmp_path_factory):
    """A bug of ours is one line and a report."""
    site = tmp_path_factory.mktemp("site")
    (site / "usercustomize.py").touch()
    (site / "sitecustomize.py").write_text(
        "import renderer.evaluate.run as p\n"
        "def broken(*a, **b): raise KeyError('surprise')\n"
        "p.evaluate_some = broken\n"
    )
    path = os.pathsep.join([str(site), *sys.path])
    done = run("validate", cwd=repository(), PYTHONPATH=path, TMPDIR=str(site))
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("servingctl: unexpected KeyError; the report is in ")
    report = done.stderr.rsplit(" ", 1)[1].strip()
    with open(report, encoding="utf-8") as stream:
        assert "surprise" in stream.read()


def test_a_closed_pipe_is_no_crash(repository):
    root = repository({RISK: "\n".join(f"a{n}: on" for n in range(20_000))})
    done = subprocess.run(
        f"{sys.executable} -m renderer validate | head -n 1",
        shell=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "unexpected" not in done.stderr
    assert "Traceback" not in done.stderr


def test_schema(repository, tmp_path_factory):
    root = repository()
    printed = json.loads(run("schema", "serving", cwd=root).stdout)
    assert printed["title"] == "Serving"
    folder = tmp_path_factory.mktemp("schemas")
    assert run("schema", "--all", str(folder), cwd="/").returncode == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(f"{name.lower()}.schema.json" for name in (*KINDS, "Rule"))
    assert json.loads((folder / "serving.schema.json").read_text()) == printed


def test_help_and_version(repository):
    root = repository()
    from renderer import __version__

    for arguments in (["--version"], ["--color", "never", "--version"]):
        assert run(*arguments, cwd=root).stdout == f"servingctl {__version__}\n"
    for command in ("add", "init", "list", "preview", "render", "schema", "trace", "validate"):
        assert "Examples:" in run(command, "--help", cwd=root).stdout


def test_the_environment_is_named_where_the_file_does_not_say_it(repository):
    base = {
        "environments/base/environment.yaml": "apiVersion: serving.gitops/v1\nkind: Environment\n",
        "environments/base/servings/risk.yaml": BROKEN,
    }
    described = SMALL["environments/dev/environment.yaml"] + "extends: base\n"
    files = {**base, RISK: None, "environments/dev/environment.yaml": described}
    shown = run("validate", cwd=repository(files)).stdout
    assert "\n  in: dev\n" in shown


def test_a_finding_depends_on_more_than_its_own_file(repository):
    described = SMALL["environments/dev/environment.yaml"]
    serving = SERVING.replace("initiator: alice", "initiator: ${vars.who}")
    root = repository({RISK: serving, "environments/dev/environment.yaml": described})
    assert run("validate", "environments/dev/environment.yaml", cwd=root).returncode == 1


@pytest.mark.parametrize("arguments", [["--stdout", "--check"], ["--output", ".git/x"]])
def test_renders_that_make_no_sense(repository, arguments):
    assert run("render", *arguments, cwd=repository()).returncode == 2


def test_an_interrupted_run_ends_in_one_line(capsys):
    with pytest.raises(SystemExit) as ended, reported():
        raise KeyboardInterrupt
    assert ended.value.code == 130
    assert capsys.readouterr().err == "servingctl: interrupted\n"


@pytest.mark.parametrize("wrong", [["--jobs"], ["--jobs", "0"], ["--jobs", "x"], ["--chek"]])
def test_wrong_options_of_a_rendering(repository, wrong):
    done = run("render", *wrong, cwd=repository())
    assert done.returncode == 2
    assert wrong[0] in done.stderr
