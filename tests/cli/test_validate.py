"""`validate --format` and `--output`: where reports go, and what docs/ci.md promises."""

import errno
import json
import os
import re
import stat
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import yaml

from renderer.cli.findings import summary
from renderer.cli.streams import _replace, write_file
from renderer.errors import RendererError
from renderer.outputs.findings import FORMATS
from renderer.values.diagnostics import Diagnostic, Severity
from tests.support.places import ROOT
from tests.support.processes import run, start
from tests.support.repositories import BROKEN, DESCRIPTION, ENVIRONMENT, RISK, SERVING

pytestmark = pytest.mark.process

#: A baseline is for accepting findings: it does not fail.
REPORTS = tuple(form for form in FORMATS if form != "baseline")

CI = (ROOT / "docs/ci.md").read_text("utf-8")
SUMMARY = "1 environment, 3 specs: 1 error, 0 warnings\n"
MACHINE = [form for form in REPORTS if form != "text"]
NASTY = b"environments/dev/servings/::error::%0A]]> \"'`\xff\xf0\x9f\x98\x80.yaml"


def commands_of(page):
    """Our commands in a page's blocks: steps of GitHub, scripts of GitLab, lines of a shell.

    Those of a matrix are run by the tests of the recipes.
    """
    for language, block in re.findall(r"```(sh|yaml)\n(.*?)```", page, re.S):
        if language == "sh":
            yield from (line for line in block.splitlines() if "servingctl diff" not in line)
            continue
        jobs = (document := yaml.safe_load(block)).get("jobs", document)
        for job in (job for job in jobs.values() if isinstance(job, dict) and "part" not in jobs):
            yield from job.get("script", ())
            runs = (step["run"] for step in job.get("steps", ()) if "run" in step)
            yield from (line for line in runs if not line.startswith("pip install"))


@pytest.mark.parametrize("form", REPORTS)
def test_output_is_what_would_be_printed(repository, form):
    root = repository({RISK: BROKEN})
    printed = run("validate", "--format", form, cwd=root)
    written = run("validate", "--format", form, "--output", "report", cwd=root)
    assert (printed.returncode, printed.stderr) == (1, SUMMARY)
    assert (written.returncode, written.stdout, written.stderr) == (1, "", SUMMARY)
    assert (root / "report").read_text("utf-8") == printed.stdout
    assert "KUS101" in printed.stdout


@pytest.mark.parametrize("form", MACHINE)
def test_only_the_chosen_format_is_imported(repository, form):
    code = (
        "import sys; from renderer.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "sys.stderr.write('\\n'.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "validate", "--format", form],
        cwd=repository(),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
    )
    loaded = {name.rpartition(".")[2] for name in done.stderr.split() if ".outputs." in name}
    assert form in loaded
    assert not loaded & {*MACHINE} - {form}


def test_a_repository_with_nasty_names(repository):
    root = repository()
    (Path(os.fsdecode(os.fsencode(root) + b"/" + NASTY))).write_text(BROKEN)
    done = {form: run("validate", "--format", form, cwd=root) for form in REPORTS}
    assert {form: item.returncode for form, item in done.items()} == dict.fromkeys(REPORTS, 1)
    (suite,) = ET.fromstring(done["junit"].stdout)
    count = len(suite)
    assert len(json.loads(done["json"].stdout)["findings"]) == count
    assert len(json.loads(done["gitlab"].stdout)) == count
    assert len(json.loads(done["sarif"].stdout)["runs"][0]["results"]) == count
    lines = done["github"].stdout.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error"] * count
    assert all("file=environments/dev/servings/%3A%3Aerror%3A%3A%250A]]> " in x for x in lines)


def test_no_line_of_a_file_is_in_a_report(repository):
    text = BROKEN.replace("initiator: carol", "initiator: carol  # hunter2")
    root = repository({RISK: text})
    for form in MACHINE:
        assert "hunter2" not in run("validate", "--format", form, cwd=root).stdout


@pytest.mark.parametrize("form", MACHINE)
def test_a_report_is_utf_8_in_every_locale(repository, form):
    root = repository({RISK: BROKEN.replace("carol", "数据")})
    plain = run("validate", "--format", form, cwd=root)
    odd = run("validate", "--format", form, cwd=root, PYTHONIOENCODING="latin-1")
    assert (odd.returncode, odd.stdout) == (1, plain.stdout)


def test_a_file_is_replaced_at_once_and_a_link_stays(repository):
    root = repository({RISK: BROKEN, "real": "old"})
    (root / "link").symlink_to("real")
    before = (root / "real").stat().st_ino
    assert run("validate", "--format", "json", "--output", "link", cwd=root).returncode == 1
    assert (root / "link").is_symlink()
    assert json.loads((root / "real").read_text())["summary"]["errors"] == 1
    assert (root / "real").stat().st_ino != before
    usual = stat.S_IMODE((root / RISK).stat().st_mode)
    assert stat.S_IMODE((root / "real").stat().st_mode) == usual


def test_the_old_report_stays_if_the_new_one_fails(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("no")

    (tmp_path / "report").write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no"):
        _replace(tmp_path / "report", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["report"]
    assert (tmp_path / "report").read_text() == "old"


def test_folders_above_a_report_are_made_and_go_if_it_fails(tmp_path, monkeypatch):
    write_file("the report", tmp_path / "a/b/report", "findings")
    assert (tmp_path / "a/b/report").read_text() == "findings"

    def replace(self, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", replace)
    for path in ("a/c/d/report", "e/report"):
        with pytest.raises(RendererError, match=r"the report is not written: .*: no space left"):
            write_file("the report", tmp_path / path, "findings")
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["a", "b", "report"]


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_standard_output_by_name(repository, output):
    root = repository({RISK: BROKEN})
    done = start("validate", "--format", "json", "--output", output, cwd=root)
    assert json.loads(done.stdout)["summary"]["errors"] == 1
    assert not (root / "-").exists()


@pytest.mark.parametrize(
    ("output", "code", "part"),
    [
        (f"{RISK}/report", 3, f"servingctl: the report is not written: {RISK}/report: not a dir"),
        ("environments", 2, "is a directory"),
    ],
    ids=["below-a-file", "a-folder"],
)
def test_a_report_that_cannot_be_written(repository, output, code, part):
    done = run("validate", "--output", output, cwd=repository({RISK: BROKEN}))
    assert (done.returncode, done.stdout) == (code, "")
    assert part in done.stderr


def test_colour_goes_to_files_only_if_asked(repository):
    root = repository({RISK: BROKEN})
    run("validate", "--output", "plain", cwd=root, GITHUB_ACTIONS="true")
    run("--color", "always", "validate", "--output", "painted", cwd=root)
    assert "\x1b" not in (root / "plain").read_text()
    assert "\x1b[" in (root / "painted").read_text()


def test_strict_is_known_to_reports(repository):
    warned = BROKEN.replace("carol", "alice").replace("  - {domain_id: bob, app_image: pair}\n", "")
    root = repository({RISK: warned})
    for options, failed in (((), False), (("--strict",), True)):
        done = run("validate", "--format", "json", *options, cwd=root)
        assert done.returncode == failed
        assert json.loads(done.stdout)["summary"]["failed"] is failed


@pytest.mark.parametrize("command", [*commands_of(CI)])
def test_commands_of_the_page_about_ci(repository, command):
    root = repository()
    assert run("render", cwd=root).returncode == 0
    program, *arguments = command.split()
    assert program == "servingctl"
    assert run(*arguments, cwd=root).returncode == 0
    for report in re.findall(r"--output (\S+)", command):
        assert (root / report).stat().st_size
        assert CI.count(report) > 1 or "--format json" in command


def test_the_page_about_ci_shows_every_format():
    assert {*re.findall(r"validate --format (\w+)", CI)} == {*FORMATS} - {"text"}


class TestHowMuchIsShown:
    """Errors first, from a severity on, and never more than anybody reads."""

    KEYS = SERVING + "".join(f"k{number}: 1\n" for number in range(1000))

    @pytest.mark.parametrize("form", MACHINE)
    def test_no_format_is_flooded(self, repository, form):
        done = run("validate", "--format", form, cwd=repository({RISK: self.KEYS}))
        assert done.returncode == 1
        assert done.stdout.count("unknown key") <= 50 * (2 if form == "junit" else 1)
        assert "950 more of this rule in this file are left out" in done.stdout
        assert "1000 errors" in done.stderr

    def test_errors_come_first(self, repository):
        idle = f"{ENVIRONMENT}vars: {{idle: '1'}}\n"
        done = run("validate", cwd=repository({RISK: BROKEN, DESCRIPTION: idle}))
        levels = re.findall(r": (error|warning): ", done.stdout)
        assert levels == ["error", "warning"]

    def test_from_a_severity_on(self, repository):
        root = repository({DESCRIPTION: f"{ENVIRONMENT}vars: {{idle: '1'}}\n"})
        done = run("validate", "--min-severity", "error", cwd=root)
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.endswith(": 0 errors, 1 warning\n")
        data = run("validate", "--min-severity", "error", "--format", "json", cwd=root).stdout
        assert json.loads(data)["summary"]["warnings"] == 1
        assert "ENV012" in run("validate", "--min-severity", "warning", cwd=root).stdout

    def test_what_fails_is_shown(self, repository):
        done = run("validate", "--strict", "--min-severity", "error", cwd=repository())
        assert done.returncode == 2
        assert "do not go together" in done.stderr

    def test_one_line_of_an_environment_that_makes_many_specs_wrong_is_one_finding(
        self, repository
    ):
        files = {RISK.replace("risk", f"m-{number:04}"): SERVING for number in range(60)}
        less = ENVIRONMENT.replace("[alice, bob]", "[alice]")
        done = run("validate", cwd=repository({**files, DESCRIPTION: less}))
        assert done.stdout.count("[KUS201]") == 1
        assert "60 more places, of 61 specs: m-0000, m-0001 and 59 more" in done.stdout
        assert "61 errors" in done.stderr


def test_what_is_worse_in_another_environment_counts_as_that():
    mild = Diagnostic(
        "e/base/x.yaml", 3, 1, "POL006", Severity.WARNING, "no checksum", fix="add it"
    )
    found = sorted([mild.about("dev"), mild._replace(severity=Severity.ERROR).about("prod")])
    assert summary(found, {"dev": 1, "prod": 1}) == "2 environments, 2 specs: 1 error, 0 warnings"
