"""`servingctl diff --from env:A --to env:B` as people and pipelines run it."""

import json

import pytest
from jsonschema import Draft7Validator

from renderer.outputs.diff import FORMATS
from renderer.schema.bundle import bundled_schema
from tests.support.processes import run
from tests.support.promotion import FILES, prod

pytestmark = pytest.mark.process
SIDES = ("--from", "env:staging", "--to", "env:prod")
DIFFERENT = {
    **FILES,
    **prod("annotations: {note: <gold>}\nparties: {replicas: 4}\n"),
    "environments/prod/servings/churn.yaml": FILES["environments/base/servings/risk.yaml"],
}


@pytest.fixture
def different(repository):
    return repository(DIFFERENT)


def diff(root, *arguments):
    return run("diff", *arguments, cwd=root)


def test_text_tells_expected_and_unexpected_apart(different):
    done = diff(different, *SIDES)
    unexpected, alone, expected = done.stdout.split("\n\n")
    assert unexpected.splitlines()[:2] == ["Unexpected", "  + annotations"]
    assert "environments/prod/servings/risk.yaml:3" in unexpected
    assert alone.splitlines() == [
        "Only in prod",
        "  Serving/churn  environments/prod/servings/churn.yaml",
    ]
    assert "  + parties[alice].replicas: 4  [promote.keep]" in expected
    assert done.stderr == (
        "3 specs in both, 1 unexpected difference, 2 expected differences, 1 spec only in prod\n"
    )
    assert done.returncode == 0


def test_only_what_is_unexpected_counts(different):
    assert diff(different, *SIDES, "--exit-code").returncode == 1
    (different / "environments/prod/servings/churn.yaml").unlink()
    (different / "servingctl.yaml").write_text("promote: {keep: [annotations, replicas]}\n")
    assert diff(different, *SIDES, "--exit-code").returncode == 0


def test_stat(different):
    lines = diff(different, *SIDES, "--stat").stdout.splitlines()
    assert [line.split()[0] for line in lines[:-1]] == ["unexpected"] * 2 + ["expected"] * 2
    assert lines[-1].startswith("3 specs in both, 1 unexpected difference")


def test_json_is_as_described(different):
    found = json.loads(diff(different, *SIDES, "--format", "json").stdout)
    Draft7Validator.check_schema(schema := bundled_schema("reports/environments.json"))
    Draft7Validator(schema).validate(found)
    assert [item["path"] for item in found["unexpected"]] == ["annotations"]
    assert {item["reason"] for item in found["expected"]} == {"promote.keep"}


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_all_of_it(different, form):
    text = diff(different, *SIDES, "--format", form).stdout
    for word in ("annotations", "Serving/churn", "nexpected", "xpected", "promote.keep"):
        assert word in text, word
    assert "<gold>" not in text or form in ("text", "json", "markdown")


def test_markdown_within_a_limit(different):
    text = diff(different, *SIDES, "--format", "markdown", "--max-bytes", "1000").stdout
    assert len(text.encode()) <= 1000


def test_errors_of_the_second_one_fail(different):
    (different / "environments/prod/servings/risk.yaml").write_text("a: [\n")
    done = diff(different, *SIDES)
    assert done.returncode == 1
    assert "Errors in prod" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--from", "env:prod"), "env:prod can only be compared with another environment"),
        (("--to", "env:prod"), "name both sides"),
        (("--from", "HEAD", "--to", "env:prod"), "name both sides"),
        (("--from", "env:prd", "--to", "env:prod"), "did you mean 'prod'?"),
        ((*SIDES, "--env", "prod"), "--env, --shard and --merge do not go with env:"),
        ((*SIDES, "rsk"), "did you mean 'risk'?"),
    ],
)
def test_wrong_usage(different, arguments, reason):
    done = diff(different, *arguments)
    assert done.returncode == 2
    assert reason in done.stderr


def test_rules_on_changes_are_said_to_be_left_out(repository):
    rule = """\
apiVersion: serving.gitops/v1
kind: Rule
code: ACME050
title: nothing is deleted
severity: error
"on": change
expression: after != null
why: Somebody calls it.
examples: {passes: [{after: {}}], fails: [{before: {}}]}
"""
    root = repository({**FILES, "policies/kept.yaml": rule})
    assert "not evaluated, as they are on changes: ACME050" in diff(root, *SIDES).stderr
