"""`add`: a new spec that `validate` accepts, made of what its environment has."""

import re

import pytest
import yaml

from renderer.backends.kinds import ENVIRONMENT, KINDS
from tests.support.processes import run, snapshot
from tests.support.repositories import HEADER
from tests.support.samples import sample

pytestmark = [pytest.mark.process]

SPEC_KINDS = [name for name in KINDS if name != ENVIRONMENT.name]
#: What the comments of a new file announce by their codes: a checksum to fill in, and objects that
#: are not there yet.
NAMED = {"POL006", "REF001", "KSV600", "KSV621", "KSV640"}
ANNOUNCED = {"ENV004", *NAMED}
HEAD = HEADER.format("Environment")
CLUSTERS = "  - {name: east, platform: kubernetes}\n  - {name: west, platform: kubernetes}\n"


def add(root, *arguments, expect=0):
    done = run("add", *arguments, cwd=root)
    assert done.returncode == expect, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout.strip() if expect == 0 else done.stderr


def codes(root):
    """What is found that is worse than a note."""
    found = run("validate", "--min-severity", "warning", cwd=root).stdout
    return set(re.findall(r"\[([A-Z]{3}[0-9]{3})\]$", found, re.M))


def data(root, path):
    return yaml.safe_load((root / path).read_text("utf-8"))


@pytest.fixture
def new(tmp_path):
    assert run("init", ".", cwd=tmp_path).returncode == 0
    return tmp_path


@pytest.fixture
def bare(tmp_path):
    """An environment and whatever else is given; no specs."""

    def make(description, files=()):
        for path, text in {"environment.yaml": HEAD + description, **dict(files)}.items():
            file = tmp_path / "environments/dev" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        (tmp_path / "servingctl.yaml").touch()
        return tmp_path

    return make


@pytest.mark.parametrize("environment", sample(["base", "dev", "prod"], "prod"))
@pytest.mark.parametrize("kind", SPEC_KINDS)
def test_a_new_spec_is_sound(new, kind, environment):
    path = add(new, kind.lower(), "new", "--env", environment)
    assert re.fullmatch(rf"environments/{environment}/[a-z]+/new\.yaml", path)
    lines = (new / path).read_text("utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert lines[1:3] == ["apiVersion: serving.gitops/v1", f"kind: {kind}"]
    assert len(lines) < 40
    found = codes(new)
    assert found <= ANNOUNCED
    for code in found & NAMED:
        assert f"({code}" in "".join(lines)
    if "ENV004" in found:
        assert re.search("names it|uses it", lines[0])
    assert not list(new.glob(".servingctl-*"))


@pytest.mark.parametrize("kind", ["serving", "SERVING", "Serving"])
def test_kinds_in_any_case(new, kind):
    assert add(new, kind, "x", "--env", "dev") == "environments/dev/servings/x.yaml"


def test_a_spec_is_made_of_what_is_there(bare):
    image = HEADER.format("AppImage") + "image: {name: example/score}\n"
    description = "destinations:\n  - {name: m, platform: kuscia, domains: [zoe, yes-yes, abe]}\n"
    root = bare(description, {"appimages/score.yaml": image})
    path = add(root, "serving", "risk", "--env", "dev")
    spec = data(root, path)
    assert spec["app_image"] == "score"
    assert [party["domain_id"] for party in spec["parties"]] == ["zoe", "yes-yes"]
    assert spec["initiator"] == "zoe"
    assert spec["serving_input_config"] == {}
    assert "# there is abe too" in (root / path).read_text()


def test_names_that_yaml_takes_for_something_else(bare):
    root = bare('destinations:\n  - {name: m, platform: kuscia, domains: ["on", "123"]}\n')
    spec = data(root, add(root, "serving", "risk", "--env", "dev"))
    assert [party["domain_id"] for party in spec["parties"]] == ["on", "123"]


def test_a_model_for_the_only_runtime(bare):
    runtime = HEADER.format("ServingRuntime") + (
        'supportedModelFormats: [{name: onnx, version: "1"}]\n'
        'containers: [{name: kserve-container, image: "example/onnx:1"}]\n'
    )
    place = "destinations:\n  - {name: east, platform: kubernetes, namespace: m}\n"
    root = bare(place, {"servingruntimes/ours.yaml": runtime})
    model = data(root, add(root, "inferenceservice", "x", "--env", "dev"))["predictor"]["model"]
    assert model["runtime"] == "ours"
    assert model["modelFormat"] == {"name": "onnx", "version": "1"}
    assert not codes(root) & {"KSV110", "KSV111"}


@pytest.mark.parametrize("kind", ["InferenceService", "RayCluster", "RayJob", "RayService"])
@pytest.mark.parametrize(
    ("destinations", "line"),
    [
        (f"destinations:\n{CLUSTERS}", "destination: east   # or west"),
        ("", "# There is no destination for it yet: add one with platform: kubernetes."),
    ],
    ids=["several", "none"],
)
def test_where_it_goes(bare, kind, destinations, line):
    root = bare(destinations)
    assert line in (root / add(root, kind, "x", "--env", "dev")).read_text().splitlines()


def test_what_is_missing_is_said(bare):
    root = bare("")
    text = (root / add(root, "serving", "x", "--env", "dev")).read_text()
    assert "app_image: scorer   # not there yet: servingctl add appimage scorer --env dev" in text
    assert "parties:   # no destination has these domains yet: add one that does" in text


def test_what_is_inherited_is_only_to_be_changed(new):
    path = add(new, "serving", "credit-risk", "--env", "dev")
    assert (new / path).read_text() == (
        "# What dev has beyond environments/base/servings/credit-risk.yaml: only what differs.\n"
        "apiVersion: serving.gitops/v1\nkind: Serving\n"
    )
    assert run("validate", "--strict", cwd=new).returncode == 0


def test_the_same_name_of_another_kind_is_no_other_spec(new):
    path = add(new, "appimage", "credit-risk", "--env", "dev")
    assert "image" in data(new, path)


@pytest.mark.parametrize(
    "path", ["environments/prod/servings/credit-risk.yaml", "environments/prod/credit-risk.json"]
)
def test_nothing_is_overwritten(new, path):
    old = new / "environments/prod/servings/credit-risk.yaml"
    text = old.read_text()
    old.unlink()
    (new / path).write_text(text if path.endswith("yaml") else '{"kind": "Serving"}')
    before = snapshot(new)
    told = add(new, "serving", "credit-risk", "--env", "prod", expect=2)
    assert told == f"servingctl: there is {path} already; nothing was written\n"
    assert snapshot(new) == before


def test_a_file_that_cannot_be_read_may_be_the_one(new):
    file = new / "environments/dev/servings/odd.yaml"
    file.parent.mkdir()
    file.write_text("\tx: [\n")
    assert "there is environments/dev/servings/odd.yaml" in add(
        new, "rayjob", "odd", "--env", "dev", expect=2
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["servng", "x", "--env", "dev"], "there is no kind 'servng'; did you mean 'Serving'?"),
        (["servings", "x", "--env", "dev"], "did you mean 'Serving'?"),
        (["environment", "x", "--env", "dev"], "write environments/NAME/environment.yaml"),
        (["serving", "x", "--env", "prd"], "no environment 'prd'; did you mean 'prod'?"),
        (["serving", "../x", "--env", "dev"], "'../x' cannot be the name of a file"),
        (["serving", "a/b", "--env", "dev"], "'a/b' cannot be the name of a file"),
        (
            ["serving", "Risk", "--env", "dev"],
            "of the kind Serving; write lower-case letters, digits",
        ),
        (["serving", "a\x1b[31m", "--env", "dev"], "'a\\x1b[31m' cannot be the name"),
        (["serving", "", "--env", "dev"], "'' cannot be the name of a file"),
        (["serving", ".x", "--env", "dev"], "'.x' cannot be the name of a file"),
        (["rayservice", "a" * 48, "--env", "dev"], "cannot be the name of a file"),
        (["serving", "x"], "Missing option '--env'"),
    ],
    ids=lambda value: ascii(" ".join(value)) if isinstance(value, list) else "",
)
def test_wrong_usage(new, arguments, told):
    before = snapshot(new)
    said = add(new, *arguments, expect=2)
    assert told in said
    assert "\x1b" not in said
    assert snapshot(new) == before


def test_an_environment_that_is_broken(new):
    (new / "environments/dev/environment.yaml").write_text(HEAD + "extends: nowhere\n")
    done = run("add", "serving", "x", "--env", "dev", cwd=new)
    assert done.returncode == 1
    assert "[ENV0" in done.stdout
    assert "cannot be composed; nothing was written" in done.stderr


def test_a_folder_that_is_a_link(new):
    (new / "elsewhere").mkdir()
    (new / "environments/dev/servings").symlink_to(new / "elsewhere")
    told = add(new, "serving", "x", "--env", "dev", expect=2)
    assert "environments/dev/servings is not a folder; nothing was written" in told
    assert not list((new / "elsewhere").iterdir())
