"""What the documentation shows is what happens."""

import importlib.util
import re
import shlex
import shutil
import subprocess
from functools import cache

import pytest

from renderer.backends.kuscia.pod_variables import OF_NODES, OF_SERVINGS
from renderer.cli.app import COMMANDS, cli
from tests.support.live import as_list, live_objects
from tests.support.observed import CASES
from tests.support.places import ROOT
from tests.support.processes import run

README = (ROOT / "README.md").read_text("utf-8")
ENVIRONMENTS = (ROOT / "docs/environments.md").read_text("utf-8")
DIFF = (ROOT / "docs/diff.md").read_text("utf-8")
SPECS = (ROOT / "docs/specs.md").read_text("utf-8")
PROMOTION = (ROOT / "docs/promotion.md").read_text("utf-8")
PREVIEW = (ROOT / "docs/preview.md").read_text("utf-8")
EXPORT = (ROOT / "docs/export.md").read_text("utf-8")
GITOPS = (ROOT / "docs/gitops.md").read_text("utf-8")
GITOPS_DETAIL = (ROOT / "docs/gitops-reference.md").read_text("utf-8")
STATUS = (ROOT / "docs/status.md").read_text("utf-8")


def shown_by(arguments, cwd):
    """What a command shows: its results, then what it says about them."""
    done = run(*arguments, cwd=cwd)
    return done.stdout + done.stderr


@pytest.mark.process
def test_the_worked_example(tmp_path):
    (tmp_path / "servingctl.yaml").touch()
    for path, text in re.findall(r"```yaml\n# (environments\S+)\n(.*?)```", README, re.S):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (session,) = re.findall(r"```console\n(.*?)```", README, re.S)
    for command, expected in re.findall(r"\$ servingctl (.*)\n((?:[^$].*\n)*)", session):
        assert shown_by(shlex.split(command), tmp_path) == expected
    assert (tmp_path / "rendered/dev/master/appimages/scorer.yaml").is_file()
    assert (tmp_path / "rendered/dev/master/kusciadeployments/credit-risk.yaml").is_file()


ADOPTING = (ROOT / "docs/adopting.md").read_text("utf-8")


@pytest.mark.process
@pytest.mark.parametrize("section", [s for s in ADOPTING.split("\n## ") if "```console" in s])
def test_adopting_what_runs(section, tmp_path):
    """The page, literally: the files it shows, its commands, and the spec that comes of them."""
    shown = dict(re.findall(r"```yaml\n# (\S+)\n(.*?)```", section, re.S))
    *given, spec = shown
    for path, text in {"servingctl.yaml": "", **{path: shown[path] for path in given}}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (session,) = re.findall(r"```console\n(.*?)```", section, re.S)
    for command, expected in re.findall(r"\$ servingctl (.*)\n((?:[^$].*\n)*)", session):
        assert shown_by(shlex.split(command), tmp_path) == expected
    assert (tmp_path / spec).read_text() == shown[spec]


COMPANIONS = (ROOT / "docs/companions.md").read_text("utf-8")


@pytest.mark.process
def test_the_objects_beside_a_serving(tmp_path):
    """The page, literally: its files, its commands, and what a smaller claim comes to."""
    for path, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", COMPANIONS, re.S):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (session,) = re.findall(r"```console\n(.*?)```", COMPANIONS, re.S)
    for command, expected in re.findall(r"\$ servingctl (.*)\n((?:[^$].*\n)*)", session):
        assert shown_by(shlex.split(command), tmp_path) == expected
    claim = tmp_path / "environments/base/beside/weights.yaml"
    claim.write_text(claim.read_text().replace("100Gi", "50Gi"))
    (shown,) = re.findall(r"```\n(~ .*?)```", COMPANIONS, re.S)
    assert shown_by(["diff", "--from", "rendered"], tmp_path).startswith(shown)


SECRETS = (ROOT / "docs/secrets.md").read_text("utf-8")


@pytest.mark.process
def test_secrets(tmp_path):
    """The files of its first example, literally, and what commands say of them."""
    example, _, _ = SECRETS.partition("## Sealed Secrets")
    for path, text in re.findall(r"```yaml\n# (\S+)\n(.*?)```", example, re.S):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (session,) = re.findall(r"```console\n(.*?)```", example, re.S)
    for command, expected in re.findall(r"\$ servingctl (.*)\n((?:[^$].*\n)*)", session):
        assert shown_by(shlex.split(command), tmp_path) == expected


@pytest.mark.process
def test_the_finding_it_shows(tmp_path):
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copy(ROOT / "servingctl.yaml", tmp_path)
    spec = tmp_path / "environments/base/servings/credit-risk.yaml"
    spec.write_text(spec.read_text().replace("secretflow-serving\n", "secretflow-servng\n"))
    (shown,) = re.findall(r"```\n(environments/.*?)```", README, re.S)
    assert shown in shown_by(["validate"], tmp_path)


@pytest.mark.process
def test_the_preview_it_shows():
    (shown,) = re.findall(r"```\n(.*?)```", PREVIEW, re.S)
    arguments = ["preview", "Serving/dataproxy", "--env", "prod"]
    assert shown in shown_by(arguments, ROOT)


@pytest.mark.process
def test_the_requests_it_shows():
    shown = re.findall(r"```console\n\$ servingctl ([^\n]*)\n(.*?)```", EXPORT, re.S)
    assert len(shown) == 2
    for command, expected in shown:
        assert shown_by(shlex.split(command), ROOT) == expected


@pytest.mark.process
def test_the_status_it_shows(tmp_path):
    (case,) = (item for item in CASES if item.id == "two-parties")
    objects = live_objects(case)
    for item in objects:
        if item["kind"] == "Deployment" and item["metadata"]["namespace"] == "alice":
            item["spec"]["template"]["spec"]["containers"][0]["image"] = "example/web:1.26"
    (tmp_path / "live.json").write_text(as_list(objects))
    (shown,) = re.findall(r"```\n(Serving/.*?)```", STATUS, re.S)
    arguments = ["status", "two", "--env", "e", "--from", str(tmp_path / "live.json")]
    assert shown_by(arguments, case.repository).startswith(shown)


@pytest.mark.process
def test_the_order_it_shows(tmp_path):
    """Of an edit of the example's AppImage, which two control planes have."""
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copy(ROOT / "servingctl.yaml", tmp_path)
    image = tmp_path / "environments/base/appimages/secretflow-serving.yaml"
    image.write_text(image.read_text().replace("tag: ${vars.serving_version}", "tag: 0.9.1b0"))
    (shown,) = re.findall(r"```\n(~ .*?)```", GITOPS_DETAIL, re.S)
    assert shown_by(["diff", "--from", str(ROOT), "--env", "prod"], tmp_path).startswith(shown)


@pytest.mark.process
def test_the_set_up_it_shows(tmp_path):
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copy(ROOT / "servingctl.yaml", tmp_path)
    shown = re.findall(r"```console\n\$ servingctl ([^\n]*)\n(.*?)```", GITOPS, re.S)
    assert len(shown) == 2
    for command, expected in shown:
        assert shown_by(shlex.split(command), tmp_path) == expected
    files = {path.name for path in (tmp_path / "gitops/argocd").iterdir()}
    assert files == set(re.findall(r"^\| `([a-z-]+\.yaml)` \|", GITOPS, re.M))


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_the_diff_it_shows(tmp_path):
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copy(ROOT / "servingctl.yaml", tmp_path)
    author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    for command in (["init", "-q"], ["add", "--all"], [*author, "commit", "-q", "-m", "x"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    spec = tmp_path / "environments/base/servings/credit-risk.yaml"
    spec.write_text(
        spec.read_text().replace("domain_id: bob\n", "domain_id: bob\n    replicas: 3\n")
    )
    ((command, shown),) = re.findall(r"```console\n\$ servingctl ([^\n]*)\n(.*?)```", DIFF, re.S)
    assert shown_by(shlex.split(command), tmp_path) == shown


@pytest.mark.process
def test_the_promotion_it_shows(tmp_path):
    page, name = PROMOTION, r"(?:environments/\S+|servingctl)\.yaml"
    for path, text in re.findall(rf"```yaml\n# ({name})\n(.*?)```", page, re.S):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (session,) = re.findall(r"```console\n(.*?)```", page, re.S)
    for command, expected in re.findall(r"\$ servingctl (.*)\n((?:[^$].*\n|\n)*)", session):
        assert shown_by(shlex.split(command), tmp_path) == expected
    ((path, after),) = re.findall(rf"```yaml\n# ({name}) afterwards\n(.*?)```", page, re.S)
    assert (tmp_path / path).read_text() == after


def test_rules_page_is_current():
    spec = importlib.util.spec_from_file_location("build", ROOT / "docs/build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    assert build.PAGE.read_text("utf-8") == build.page(), "run `make docs`"


@pytest.mark.process
@pytest.mark.parametrize(
    "text",
    [README, SPECS, ENVIRONMENTS, PREVIEW, DIFF, EXPORT, PROMOTION, STATUS, GITOPS, GITOPS_DETAIL],
    ids=["README", "specs", "environments", "preview", "diff", "export", "promotion", "status",
         "gitops", "gitops-reference"],
)  # fmt: skip
def test_commands_and_options_exist(text):
    for line in re.findall(r"`servingctl ([^`]*)`", text):
        name, *more = line.replace("\\|flux", "").split()
        nested = [more[0]] if name in ("bootstrap", "argocd") and more else []
        shown = help_of(name, *nested)
        for option in re.findall(r"--[a-z-]+", line):
            assert option in shown, line


@cache
def help_of(*words):
    shown = run(*words, "--help", cwd=ROOT)
    assert shown.returncode == 0, words
    return shown.stdout


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_readme_is_short():
    assert len(README.splitlines()) < 150


def test_the_index_knows_every_page():
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", (ROOT / "docs/README.md").read_text("utf-8")))
    assert listed == pages


@pytest.mark.process
def test_the_first_repository(tmp_path):
    """The sessions of the page, one after the other, in the folder that they change to."""
    page = (ROOT / "docs/first-repository.md").read_text("utf-8")
    folder = tmp_path
    for session in re.findall(r"```console\n(.*?)```", page, re.S):
        for command, expected in re.findall(r"\$ (.*)\n((?:[^$].*\n)*)", session):
            program, *arguments = shlex.split(command)
            if program == "cd":
                folder /= arguments[0]
            else:
                assert shown_by(arguments, folder) == expected
    (shown,) = re.findall(r"```yaml\n(.*?)```", page, re.S)
    assert (folder / "environments/prod/servings/fraud.yaml").read_text("utf-8") == shown
    options = {option for param in cli.get_command(None, "init").params for option in param.opts}
    assert options - {"folder", "--root", "--color"} <= set(re.findall(r"--[a-z]+", page))


def test_the_placeholders_are_all_told():
    page = (ROOT / "docs/config-templates.md").read_text("utf-8")
    for name in (*OF_SERVINGS, *OF_NODES):
        assert f"`{name}`" in page
    bundled = (ROOT / "templates/kuscia/config").rglob("*.conf")
    for file in bundled:
        path = file.relative_to(ROOT / "templates/kuscia/config").as_posix()
        (row,) = re.findall(rf"^\| `{re.escape(path)}` .*", page, re.MULTILINE)
        keys = set(re.findall(r"\{\{\.([A-Z_]+)\}\}", file.read_text("utf-8"))) - OF_SERVINGS
        assert keys == set(re.findall(r"`([A-Z_]+)`", row))


def test_the_options_that_pages_name_exist():
    called = re.compile(r"servingctl (?:--root \S+ )?([a-z]+) ([^`\n#]*)")
    for page in sorted((ROOT / "docs").glob("*.md")):
        for name, rest in called.findall(page.read_text("utf-8")):
            command = cli.get_command(None, name) if name in COMMANDS else None
            nested = getattr(command, "commands", {})
            command = nested.get(rest.partition(" ")[0], command)
            known = {option for param in command.params for option in param.opts} if command else ()
            given = re.findall(r"--[a-z][a-z-]+", re.sub(r"\$\(.*?\)|\|.*", "", rest))
            assert not command or set(given) <= set(known), f"{page.name}: {name} {rest}"
