"""Findings that were accepted once do not fail a run; new ones and those of security do."""

import pytest

from tests.support.processes import run
from tests.support.repositories import (
    BROKEN,
    DESCRIPTION,
    ENVIRONMENT,
    IMAGE,
    RISK,
    SCORER,
    SERVING,
)

pytestmark = pytest.mark.process

CANARY = "c4n4ry-s3cr3t"
SECRET = SERVING + f"serving_input_config: {{ossSourceMeta: {{secretKey: {CANARY}}}}}\n"


def accept(root):
    done = run("validate", "--format", "baseline", "--output", "accepted.json", cwd=root)
    assert done.returncode == 0
    return root / "accepted.json"


def test_accepted_findings_do_not_fail_and_new_ones_do(repository):
    root = repository({RISK: BROKEN})
    accepted = accept(root)
    assert run("validate", "--baseline", accepted, cwd=root).returncode == 0
    (root / RISK).write_text(f"# moved\n\n{BROKEN}")
    assert run("validate", "--baseline", accepted, cwd=root).returncode == 0
    (root / RISK).write_text(BROKEN.replace("app_image: pair", "app_image: par"))
    done = run("validate", "--baseline", accepted, cwd=root)
    assert done.returncode == 1
    assert "[KUS104]" in done.stdout
    assert "[KUS101]" not in done.stdout


def test_what_gets_worse_is_new(repository):
    root = repository({IMAGE: SCORER.replace("tag: v1", "tag: latest")})
    accepted = accept(root)
    assert run("validate", "--baseline", accepted, "--strict", cwd=root).returncode == 0
    (root / DESCRIPTION).write_text(ENVIRONMENT + "production: true\n")
    assert run("validate", "--baseline", accepted, cwd=root).returncode == 1


def test_it_is_one_line_a_finding_and_shows_no_secret(repository):
    root = repository({RISK: SECRET})
    text = accept(root).read_text()
    assert text.count("SEC001") == 1
    assert CANARY not in text


def test_in_production_security_is_not_accepted(repository):
    described = ENVIRONMENT + "production: true\n"
    root = repository({RISK: SECRET, DESCRIPTION: described})
    assert run("validate", "--baseline", accept(root), cwd=root).returncode == 1


@pytest.mark.parametrize("content", [None, "", "[]", '{"format": 9, "accepted": []}'])
def test_a_file_that_is_no_baseline(repository, content):
    root = repository({"accepted.json": content})
    done = run("validate", "--baseline", "accepted.json", cwd=root)
    assert done.returncode == 2
    assert "--format baseline" in done.stderr


def test_the_baseline_leaves_out_what_it_cannot_accept(repository):
    text = SERVING.replace("alice", "carol", 1) + "annotations: {password: hunter2}\n"
    root = repository({DESCRIPTION: ENVIRONMENT + "production: true\n", RISK: text})
    done = run("validate", "--format", "baseline", cwd=root)
    assert "KUS101" in done.stdout
    assert "SEC001" not in done.stdout
