"""`init`: a repository that passes at once, and nothing that was there is touched."""

import json
import os
import re
import shutil
import sys
from itertools import combinations

import pytest
import yaml

from renderer.backends import BACKENDS
from renderer.scaffold.starter import join_sections
from tests.support.git import try_git as git
from tests.support.places import ROOT
from tests.support.processes import run, snapshot

NAMES = [backend.name for backend in BACKENDS if backend.starter]
CHOICES = [some for size in (1, 2) for some in combinations(NAMES, size)]
#: What stands beside the specs of each backend, as objects of Kubernetes.
BESIDE = {"kserve": {"ServiceAccount", "ExternalSecret"}, "kuberay": {"ExternalSecret"}}
CI = (ROOT / "docs/ci.md").read_text("utf-8")


def init(folder, *options, cwd, expect=0):
    done = run("init", folder, *options, cwd=cwd)
    assert done.returncode == expect, done.stderr
    assert done.stdout == ""
    return done.stderr


def options_of(names):
    return [word for name in names for word in ("--backend", name)]


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new")
    told = init("specs", "--github", "--argocd", cwd=folder)
    return folder / "specs", told


@pytest.mark.process
@pytest.mark.parametrize("names", [(), *CHOICES], ids=lambda names: "+".join(names) or "all")
def test_a_new_repository_passes_at_once(tmp_path, names):
    init("specs", *options_of(names), cwd=tmp_path)
    root = tmp_path / "specs"
    checked = run("validate", "--strict", cwd=root)
    assert (checked.returncode, checked.stdout) == (0, "")
    assert "no findings" in checked.stderr
    assert run("render", cwd=root).returncode == 0
    assert run("render", "--check", cwd=root).returncode == 0
    for command in set(
        re.findall(r"`servingctl (preview [^`]+)`", "".join(map(text_of, specs(root))))
    ):
        assert run(*command.split(), cwd=root).returncode == 0
    for environment in ("dev", "prod"):
        assert list((root / "rendered" / environment).rglob("*.yaml"))
    own = {kind.name for b in BACKENDS if b.name in (names or NAMES) for kind in b.kinds}
    kinds = re.findall(r"^kind: (\w+)", "\n".join(map(text_of, specs(root))), re.M)
    beside = {kind for name in names or NAMES for kind in BESIDE.get(name, ())}
    assert {"Environment", *beside} <= set(kinds) <= {"Environment", *own, *beside}
    assert ("companions: {}" in text_of(root / "servingctl.yaml")) == bool(beside)
    assert len(set(kinds)) > len(names)


def text_of(path):
    return path.read_text("utf-8")


def specs(root):
    return root.glob("environments/**/*.yaml")


def is_beside(path):
    return "apiVersion: serving.gitops/" not in text_of(path)


@pytest.mark.process
@pytest.mark.parametrize(
    ("file", "edit", "told"),
    [
        (
            "base/serviceaccounts/model-reader.yaml",
            ("model-bucket", "model-buckets"),
            "'model-bucket'?",
        ),
        ("base/inferenceservices/iris.yaml", ("model-reader ", "model-raeder "), "'model-reader'?"),
        ("prod/rayservices/fruit.yaml", ("key: password", "key: passwd"), "'password'?"),
        ("base/environment.yaml", ("ClusterSecretStore/vault", "ClusterSecretStore/x"), "vault"),
    ],
)
def test_a_name_that_nothing_makes_is_found(everything, tmp_path, file, edit, told):
    root = shutil.copytree(everything[0], tmp_path / "specs")
    path = root / "environments" / file
    assert edit[0] in text_of(path)
    path.write_text(text_of(path).replace(*edit), "utf-8")
    checked = run("validate", cwd=root)
    assert checked.returncode == 1
    assert "[REF00" in checked.stdout
    assert told in checked.stdout


def test_every_file_is_short_and_says_what_it_is(everything):
    for path in sorted(everything[0].glob("environments/**/*.yaml")):
        lines = text_of(path).splitlines()
        assert lines[0].startswith("# "), path
        assert len(lines) < 70, path
        assert max(map(len, lines)) <= 125, path


def test_the_config_templates_are_the_bundled_ones(everything):
    path = everything[0] / "environments/base/appimages/secretflow-serving.yaml"
    templates = yaml.safe_load(text_of(path))["configTemplates"]
    bundled = (ROOT / "templates/kuscia/config/secretflow-serving").iterdir()
    assert templates == {file.name: text_of(file) for file in bundled}


@pytest.mark.process
def test_editors_find_a_schema_for_every_spec(everything):
    root = everything[0]
    places = json.loads(text_of(root / ".vscode/settings.json"))["yaml.schemas"]
    assert run("schema", "--all", ".schemas", cwd=root).returncode == 0
    assert all((root / schema).is_file() for schema in places)
    matched = {path for glob in places.values() for path in root.glob(glob)}
    beside = {path for path in root.glob("environments/**/*.yaml") if is_beside(path)}
    assert matched == set(root.glob("environments/**/*.yaml")) - beside
    for schema, glob in places.items():
        kind = json.loads(text_of(root / schema))["properties"]["kind"]["const"]
        assert all(f"kind: {kind}\n" in text_of(path) for path in root.glob(glob))
    git("init", cwd=root)
    ignored = git("check-ignore", *places, cwd=root).stdout.splitlines()
    assert sorted(ignored) == sorted(places)
    shutil.rmtree(root / ".git")


@pytest.mark.process
def test_the_hooks_let_the_first_commit_pass(tmp_path):
    init("specs", cwd=tmp_path)
    root, programs = tmp_path / "specs", tmp_path / "bin"
    programs.mkdir()
    (programs / "servingctl").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m renderer "$@"\n')
    (programs / "servingctl").chmod(0o755)
    git("init", cwd=root)
    hook = f'#!/bin/sh\nPATH="{programs}:$PATH" exec {sys.executable} -m pre_commit run\n'
    (root / ".git/hooks").mkdir(exist_ok=True)
    (root / ".git/hooks/pre-commit").write_text(hook)
    (root / ".git/hooks/pre-commit").chmod(0o755)
    git("add", "--all", cwd=root)
    refused = git("commit", "--message", "begin", cwd=root)
    assert refused.returncode == 1
    assert "missing: dev/" in refused.stdout + refused.stderr
    assert run("render", cwd=root).returncode == 0
    git("add", "--all", cwd=root)
    assert git("commit", "--message", "begin", cwd=root).returncode == 0


@pytest.mark.process
@pytest.mark.parametrize(
    ("option", "path"),
    [("--github", ".github/workflows/servingctl.yml"), ("--gitlab", ".gitlab-ci.yml")],
)
def test_ci_is_what_the_documentation_shows(tmp_path, option, path):
    init(".", option, cwd=tmp_path)
    assert f"```yaml\n{text_of(tmp_path / path)}```" in CI


@pytest.mark.process
@pytest.mark.parametrize("controller", ["argocd", "flux"])
def test_what_applies_the_output_is_what_bootstrap_writes(tmp_path, controller):
    init(".", f"--{controller}", cwd=tmp_path)
    before = snapshot(tmp_path / "gitops")
    done = run("bootstrap", controller, "--output", f"gitops/{controller}", cwd=tmp_path)
    assert done.stderr.startswith(f"0 files written to gitops/{controller}, ")
    assert snapshot(tmp_path / "gitops") == before


@pytest.mark.process
def test_below_a_repository_that_is_there(tmp_path):
    git("init", cwd=tmp_path)
    init("models/specs", "--argocd", cwd=tmp_path)
    root = tmp_path / "models/specs"
    assert "models/specs/rendered/*/*" in text_of(root / "gitops/argocd/applicationset.yaml")
    done = run("bootstrap", "argocd", "--output", "gitops/argocd", cwd=root)
    assert done.stderr.startswith("0 files written")


def test_what_is_to_be_filled_in_is_named(everything):
    root, told = everything
    assert told.startswith("26 files written to specs; next:\n  cd specs\n")
    assert "servingctl validate && servingctl render\n" in told
    assert "git init &&" in told
    named = re.search(r"in capitals in (.*)\.\n", told)[1]
    open_ends = {path for path in files_in(root) if "OWNER" in text_of(root / path)}
    assert set(re.split(", | and ", named)) == open_ends


@pytest.mark.process
def test_a_second_init_is_refused(tmp_path):
    init("specs", "--backend", "kserve", cwd=tmp_path)
    before = snapshot(tmp_path)
    told = init("specs", "--backend", "kuscia", cwd=tmp_path, expect=2)
    assert told == (
        "servingctl: specs is a repository of specs already; 'servingctl add' adds a spec to it\n"
    )
    assert snapshot(tmp_path) == before


@pytest.mark.process
def test_a_clone_of_an_empty_repository(tmp_path):
    git("init", cwd=tmp_path)
    (tmp_path / "README.md").write_text("ours\n")
    (tmp_path / ".github/workflows").mkdir(parents=True)
    (tmp_path / ".github/workflows/other.yml").write_text("on: push\n")
    told = init(".", "--github", cwd=tmp_path)
    assert "git init" not in told
    assert "cd " not in told
    assert (tmp_path / "README.md").read_text() == "ours\n"
    assert (tmp_path / ".github/workflows/servingctl.yml").is_file()
    assert not list(tmp_path.glob(".servingctl-*"))
    assert run("validate", "--strict", cwd=tmp_path).returncode == 0


def in_the_way(path, content="ours\n"):
    def make(root):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content)

    return make


def linked(path):
    def make(root):
        (root / "elsewhere").mkdir()
        (root / path).symlink_to("elsewhere")

    return make


@pytest.mark.process
@pytest.mark.parametrize(
    ("make", "told"),
    [
        (in_the_way("environments/dev/environment.yaml"), "environment.yaml is there already"),
        (in_the_way("environments"), "environments is not a folder"),
        (linked("environments"), "environments is not a folder"),
        (linked(".vscode"), ".vscode is not a folder"),
    ],
    ids=["a file", "a file for a folder", "a link", "another link"],
)
def test_what_is_in_the_way_is_named_and_kept(tmp_path, make, told):
    make(tmp_path)
    before = snapshot(tmp_path)
    said = init(".", cwd=tmp_path, expect=2)
    assert said.endswith(f"{told}; nothing was written\n")
    assert said.count("\n") == 1
    assert snapshot(tmp_path) == before


@pytest.mark.process
def test_of_much_in_the_way_some_is_named(tmp_path):
    init(".", cwd=tmp_path)
    (tmp_path / "servingctl.yaml").unlink()
    said = init(".", cwd=tmp_path, expect=2)
    assert re.search(r", \S+ and 17 more are there already; nothing was written\n", said)


@pytest.mark.process
def test_no_folder_to_write_to(tmp_path):
    (tmp_path / "file").write_text("")
    assert "file is not a folder; nothing was written" in init("file", cwd=tmp_path, expect=2)
    assert "not a directory; nothing was written" in init("file/specs", cwd=tmp_path, expect=3)
    (tmp_path / "dangling").symlink_to("nowhere")
    assert "dangling is not a folder" in init("dangling", cwd=tmp_path, expect=2)


@pytest.mark.process
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_must_not_be_written(tmp_path):
    tmp_path.chmod(0o555)
    assert "permission denied; nothing was written" in init("specs", cwd=tmp_path, expect=3)
    tmp_path.chmod(0o755)
    assert not list(tmp_path.iterdir())


@pytest.mark.process
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--github", "--gitlab"], "--github and --gitlab exclude each other"),
        (["--argocd", "--flux"], "--argocd and --flux exclude each other"),
        (["--backend", "seldon"], "'seldon' is not one of 'kuscia', 'kserve', 'kuberay'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_wrong_usage(tmp_path, options, told):
    assert told in init("specs", *options, cwd=tmp_path, expect=2)
    assert not list(tmp_path.iterdir())


def test_sections_of_one_key_are_joined():
    first = "# top\nkind: A\n\n# places\nplaces:\n\nempty:\n"
    second = "places:\n  # one\n  - a:\n      b\n  - c\n"
    third = "places:\n  - c\n  - d\n\nmore:\n  x: 1\n"
    places = "# places\nplaces:\n  # one\n  - a:\n      b\n  - c\n  - d\n"
    assert join_sections([first, second, third]) == f"# top\nkind: A\n\n{places}\nmore:\n  x: 1\n"
