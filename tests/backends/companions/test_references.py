"""References to objects of the cluster: settings, and that every way to look comes to the same."""

import json
import shutil

import pytest
from jsonschema import Draft7Validator

from renderer import check, load, render
from renderer.evaluate import run as running
from renderer.evaluate.project import open_project
from renderer.evaluate.question import Question, find_spec
from renderer.inspect.preview import preview
from renderer.io.store import Store, program
from renderer.io.worktree import Worktree
from renderer.outputs.preview import FORMATS
from renderer.schema.bundle import bundled_schema
from tests.support.memory import project
from tests.support.places import ROOT

CASE = ROOT / "tests/golden/companions/places"
BASE = """\
apiVersion: serving.gitops/v1
kind: Environment
references: {closed: true, provided: [Secret/hub, {kind: Secret, name: pull}]}
"""
DEV = """\
apiVersion: serving.gitops/v1
kind: Environment
extends: base
destinations: [{name: east, platform: kubernetes, namespace: models}]
"""
SERVICE = """\
apiVersion: serving.gitops/v1
kind: InferenceService
predictor:
  imagePullSecrets: [{name: pull}]
  model:
    modelFormat: {name: sklearn}
    storageUri: s3://models/flowers/v1
    env: [{name: A, valueFrom: {secretKeyRef: {name: hub, key: tokn}}}]
"""
RAY = """\
apiVersion: serving.gitops/v1
kind: RayCluster
rayVersion: 2.46.0
headGroupSpec:
  rayStartParams: {}
  template:
    spec:
      serviceAccountName: grid
      containers: [{name: head, image: 'rayproject/ray:2.46.0', envFrom: [{secretRef: {name: s3}}]}]
"""


def found(service=SERVICE, base=BASE, dev=DEV, **others):
    """The findings on references, as code, line and message."""
    files = {
        "servingctl.yaml": "",
        "environments/base/environment.yaml": base,
        "environments/dev/environment.yaml": dev,
        "environments/dev/flowers.yaml": service,
        **{f"environments/dev/{name}.yaml": text for name, text in others.items()},
    }
    every = check(project(files))
    return [(one.code, one.line, one.message) for one in every if one.code.startswith("REF")]


def test_a_short_name_has_any_key():
    assert found() == []


def test_an_entry_of_an_heir_is_laid_over_the_short_name():
    dev = f"{DEV}references: {{provided: [{{kind: Secret, name: hub, keys: [token]}}]}}\n"
    assert found(dev=dev) == [("REF002", 8, "Secret 'hub' has no key 'tokn'; it has 'token'")]


def test_an_heir_takes_an_entry_away():
    dev = f"{DEV}references: {{provided: [{{kind: Secret, name: pull, $remove: true}}]}}\n"
    ((code, line, message),) = found(dev=dev)
    assert (code, line) == ("REF001", 4)
    assert message.startswith("Secret 'pull' is neither made here nor provided")


def test_an_entry_that_another_environment_needs():
    """Nothing refers to it in dev, and something does in prod."""
    bare = SERVICE.replace("  imagePullSecrets: [{name: pull}]\n", "")
    assert [code for code, *_ in found(service=bare)] == ["REF004"]
    prod = {
        "environments/prod/environment.yaml": DEV,
        "environments/prod/trees.yaml": SERVICE,
        "environments/base/environment.yaml": BASE,
        "environments/dev/environment.yaml": DEV,
        "environments/dev/flowers.yaml": bare,
        "servingctl.yaml": "",
    }
    assert not [one for one in check(project(prod)) if one.code == "REF004"]


def test_nothing_is_said_where_nobody_asks():
    base = BASE.replace("references: {closed: true, provided: [Secret/hub, {kind: Secret,", "#")
    assert found(base=base) == []


@pytest.mark.parametrize("setting", ["companions: {}", "references: {closed: false}"])
def test_settings_ask_for_the_list(setting):
    base = "\n".join((*BASE.splitlines()[:2], setting, ""))
    ((code, _, message),) = found(base=base)
    assert (code, message.split(" that")[0]) == ("REF003", "2 objects")


def test_what_ray_names():
    closed = BASE.replace("Secret/hub, {kind: Secret, name: pull}", "")
    messages = [message for *_, message in found(service=RAY, base=closed)]
    names = [message.partition(" is neither")[0] for message in messages]
    assert names == ["ServiceAccount 'grid'", "Secret 's3'"]


def test_a_name_that_a_variable_sets():
    """The finding stands at the variable."""
    dev = f"{DEV}vars: {{pull: registry}}\n"
    ((code, line, _),) = [
        one
        for one in found(service=SERVICE.replace("name: pull", 'name: "${vars.pull}"'), dev=dev)
        if one[0] == "REF001"
    ]
    assert (code, line) == ("REF001", 5)


STORED = """\
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: hub}
spec: {secretStoreRef: {name: vault}, data: [{secretKey: tokn, remoteRef: {key: a}}]}
"""


def test_a_preview_says_who_makes_what():
    """To the end of the chain: the account is listed, and nobody makes the store."""
    given = project(
        {
            "servingctl.yaml": "",
            "environments/base/environment.yaml": BASE.replace("closed: true", "closed: false"),
            "environments/dev/environment.yaml": DEV,
            "environments/dev/flowers.yaml": SERVICE,
            "environments/dev/token.yaml": STORED,
        }
    )
    environment = given.environment("dev")
    made = preview(
        given, render(given), environment, find_spec(environment, "InferenceService/flowers"), {}
    )
    report = json.loads(FORMATS["json"](made))
    Draft7Validator(bundled_schema("reports/preview.json")).validate(report)
    makers = [(need["name"], need["maker"], need["file"]) for need in report["needs"]]
    assert makers == [
        ("pull", "references.provided", "environments/base/environment.yaml"),
        ("hub", "ExternalSecret/token", "environments/dev/token.yaml"),
        ("vault", None, None),
    ]
    text = FORMATS["text"](made)
    assert "SecretStore/vault\n  in namespace 'models' of east: nobody\n" in text


@pytest.fixture
def root(tmp_path):
    shutil.copytree(CASE, tmp_path / "root", ignore=shutil.ignore_patterns("expected"))
    path = tmp_path / "root/environments/base/environment.yaml"
    path.write_text(path.read_text("utf-8") + "references: {closed: true}\n", "utf-8")
    return tmp_path / "root"


def test_a_memo_comes_to_the_same(root, tmp_path):
    """After each edit, also of lines alone, what is found is what a first look finds."""

    def look():
        memo = Store(tmp_path / "cache", root, program(), None)
        made = running.run(open_project(Worktree(root)), Question(), memo)
        assert made.diagnostics == check(load(root))
        return [one for one in made.diagnostics if one.code.startswith("REF")]

    first = look()
    assert look() == first
    flowers = root / "environments/base/flowers.yaml"
    text = flowers.read_text("utf-8")
    flowers.write_text(f"# a comment\n{text}", "utf-8")
    look()
    flowers.write_text(text.replace("reader", "raeder"), "utf-8")
    assert "REF001" in {one.code for one in look()}
    flowers.write_text("\n" + text.replace("reader", "raeder"), "utf-8")
    look()
    (root / "environments/base/beside/reader.yaml").unlink()
    look()
