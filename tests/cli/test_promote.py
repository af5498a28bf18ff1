"""`servingctl promote` as people and pipelines run it."""

import json
import shutil

import pytest
from jsonschema import Draft7Validator

from renderer.schema.bundle import bundled_schema
from tests.support.places import ROOT
from tests.support.processes import run, snapshot
from tests.support.promotion import FILES, INHERITS, prod
from tests.support.repositories import HEADER, SCORER

pytestmark = pytest.mark.process
SIDES = ("--from", "staging", "--to", "prod")
STAGING = "environments/staging"
DIFFERENT = {
    **FILES,
    "environments/base/appimages/scorer.yaml": SCORER.replace("tag: v1", "tag: '${vars.tag}'"),
    f"{STAGING}/environment.yaml": INHERITS + "vars: {tag: v2}\n",
    f"{STAGING}/servings/risk.yaml": HEADER.format("Serving")
    + "annotations: {note: tried}\nparties: [{domain_id: bob, app_image: scorer}]\n",
    **prod("# more of them\nparties: {replicas: 4}  # at least\n"),
    "environments/prod/servings/churn.yaml": FILES["environments/base/servings/risk.yaml"],
}


@pytest.fixture
def different(repository):
    return repository(DIFFERENT)


def promote(root, *arguments):
    return run("promote", *arguments, cwd=root)


def differs(root, *names):
    done = run("diff", *names, "--from", "env:staging", "--to", "env:prod", "--exit-code", cwd=root)
    return done.returncode


def changed(root, before):
    after = snapshot(root)
    return {path for path in after.keys() | before.keys() if after.get(path) != before.get(path)}


def test_nothing_is_written_unless_asked(different):
    before = snapshot(different)
    done = promote(different, "--all", *SIDES)
    assert not changed(different, before)
    assert done.returncode == 0
    titles = [line for line in done.stdout.splitlines() if line and line[0] not in " ~+-@"]
    sections = ["prod", "Serving/risk", "Variables", "Left as it is", "Kept in prod", "Impact"]
    assert titles[: len(sections)] == sections
    assert titles[-1] == "Commit message"
    assert "environments/prod/servings/risk.yaml:4 parties" in done.stdout
    assert "Serving/churn is only in prod: promote deletes no spec" in done.stdout
    assert done.stderr == (
        "3 differences, 2 files to be edited; nothing is written without --write\n"
    )


def test_what_is_written(different):
    before = snapshot(different)
    done = promote(different, "--all", *SIDES, "--write")
    assert done.stderr == "3 differences, 2 files written\n"
    assert changed(different, before) == {
        "environments/prod/environment.yaml",
        "environments/prod/servings/risk.yaml",
    }
    text = (different / "environments/prod/servings/risk.yaml").read_text()
    assert "# more of them\nparties: {replicas: 4, app_image: scorer}  # at least\n" in text
    assert differs(different, "risk", "scorer", "pair") == 0
    again = promote(different, "--all", *SIDES, "--write")
    assert again.stderr == "nothing to promote from staging to prod\n"
    assert again.returncode == 0


def test_one_spec_and_what_it_uses(different):
    done = promote(different, "pair", *SIDES)
    assert done.stderr == "nothing to promote from staging to prod\n"
    done = promote(different, "scorer", *SIDES, "--write")
    assert done.stderr == "1 difference, 1 file written\n"
    assert differs(different, "scorer") == 0
    assert differs(different, "risk") == 1


def test_a_message_for_a_commit(different):
    done = promote(different, "--all", *SIDES, "--write", "--format", "message", "-q")
    assert done.stdout == (
        "Promote scorer, risk from staging to prod\n\n"
        "- AppImage/scorer: image.tag\n"
        "- Serving/risk: annotations, parties[bob].app_image\n"
        "- vars.tag\n"
    )
    assert done.stderr == ""


def test_subjects_are_short(repository):
    files = {
        f"{STAGING}/servings/a-serving-with-a-long-name-{number}.yaml": FILES[
            "environments/base/servings/risk.yaml"
        ]
        for number in range(9)
    }
    done = promote(repository({**FILES, **files}), "--all", *SIDES, "--format", "message")
    subject = done.stdout.splitlines()[0]
    assert len(subject) <= 72
    assert subject.endswith("and 8 more from staging to prod")


def test_json_is_as_described(different):
    (different / "environments/prod/servings/risk.yaml").write_text(
        HEADER.format("Serving") + "annotations: &x {note: a}\nlabels: *x\n"
    )
    for arguments in (("--all",), ("scorer",)):
        found = json.loads(promote(different, *arguments, *SIDES, "--format", "json").stdout)
        Draft7Validator.check_schema(schema := bundled_schema("reports/promotion.json"))
        Draft7Validator(schema).validate(found)
    assert [item["path"] for item in found["carried"]] == ["image.tag"]
    assert found["edits"][0]["file"] == "environments/prod/environment.yaml"


def test_what_cannot_be_carried_fails(different):
    spec = different / "environments/prod/servings/risk.yaml"
    spec.write_text(HEADER.format("Serving") + "labels: &x {note: a}\nannotations: *x\n")
    done = promote(different, "--all", *SIDES, "--write")
    assert done.returncode == 1
    assert "Serving/risk: environments/prod/servings/risk.yaml cannot be edited" in done.stdout
    assert done.stderr == "1 difference, 1 file written, 1 not carried\n"


def test_a_result_with_errors_is_not_written(different):
    (different / "environments/prod/environment.yaml").write_text(INHERITS + "production: true\n")
    image = different / f"{STAGING}/appimages/scorer.yaml"
    image.parent.mkdir()
    image.write_text(HEADER.format("AppImage") + "image: {tag: latest}\n")
    before = snapshot(different)
    done = promote(different, "--all", *SIDES, "--write")
    assert done.returncode == 1
    assert "POL001" in done.stdout
    assert done.stderr.endswith("nothing is written\n")
    assert not changed(different, before)


def test_a_link_is_not_written_through(different):
    spec = different / "environments/prod/servings/risk.yaml"
    (different / "shared.yaml").write_text(spec.read_text())
    spec.unlink()
    spec.symlink_to("../../../shared.yaml")
    done = promote(different, "risk", *SIDES, "--write")
    assert done.returncode == 3
    assert "risk.yaml is behind a link; edit it by hand" in done.stderr
    assert "tried" not in (different / "shared.yaml").read_text()


def test_secrets_and_control_characters(different):
    spec = different / f"{STAGING}/servings/risk.yaml"
    spec.write_text(
        HEADER.format("Serving")
        + 'app: other\nserving_input_config: {password: hunter2, word: "\\e[31m\\u202e"}\n'
    )
    for form in ("text", "json", "message"):
        done = promote(different, "--all", *SIDES, "--format", form)
        assert "hunter2" not in done.stdout
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (SIDES, "name the specs that are to be promoted, or all of them with --all"),
        (("risk", "--all", *SIDES), "or all of them with --all"),
        (("rsk", *SIDES), "there is no spec 'rsk' in 'staging' to be promoted; did you mean"),
        (("churn", *SIDES), "there is no spec 'churn' in 'staging'"),
        (("--all", "--from", "stagin", "--to", "prod"), "did you mean 'staging'?"),
        (("--all", "--from", "prod", "--to", "base"), "extends 'base'"),
        (("--all", "--from", "prod", "--to", "prod"), "cannot be promoted to itself"),
        (("--all", "--from", "prod"), "Missing option '--to'"),
    ],
)
def test_wrong_usage(different, arguments, reason):
    done = promote(different, *arguments)
    assert done.returncode == 2
    assert reason in done.stderr


@pytest.fixture
def example(tmp_path):
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    shutil.copy(ROOT / "servingctl.yaml", tmp_path)
    return tmp_path


def test_the_example_from_prod_to_dev(example):
    """Every platform: all of it is carried, and only dev is touched."""
    before = snapshot(example)
    assert promote(example, "--all", "--from", "prod", "--to", "dev", "--write").returncode == 0
    touched = changed(example, before)
    assert touched
    assert {path.split("/")[1] for path in touched} == {"dev"}
    done = run("diff", "--from", "env:prod", "--to", "env:dev", "--format", "json", cwd=example)
    assert json.loads(done.stdout)["unexpected"] == []
    assert run("validate", cwd=example).returncode == 0


def test_the_example_from_dev_to_prod(example):
    """Mocked features are no features for production."""
    before = snapshot(example)
    done = promote(example, "credit-risk", "--from", "dev", "--to", "prod", "--write")
    assert done.returncode == 1
    assert "POL005" in done.stdout
    assert not changed(example, before)
    done = promote(example, "reviews", "--from", "dev", "--to", "prod", "--write")
    assert done.returncode == 0
    assert "[variable of the target]" in done.stdout
    done = run(
        "diff", "reviews", "--from", "env:dev", "--to", "env:prod", "--format", "json", cwd=example
    )
    (left,) = json.loads(done.stdout)["unexpected"]
    assert "models-prod" in str(left["after"])
