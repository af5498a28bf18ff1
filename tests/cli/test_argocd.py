"""`servingctl argocd generate`: the contract of Argo CD's plugins."""

import json

import pytest
import yaml

from tests.support.processes import run, snapshot
from tests.support.repositories import BROKEN, DESCRIPTION, ENVIRONMENT, RISK

pytestmark = pytest.mark.process
TWO = ENVIRONMENT.replace("domains: [alice, bob]\n", "domains: [alice]\n").replace(
    "kuscia: ", "  - {name: west, platform: kuscia, domains: [bob]}\nkuscia: "
)


def generate(root, expect=0, **parameters):
    given = [{"name": k.replace("_", "-"), "string": v} for k, v in parameters.items()]
    variables = {"ARGOCD_APP_PARAMETERS": json.dumps(given), "HOME": "/nonexistent"}
    done = run("argocd", "generate", cwd=root, **variables)
    assert done.returncode == expect, done.stderr
    return done


def test_the_only_destination_need_not_be_named(repository):
    root = repository()
    before = snapshot(root)
    done = generate(root)
    kinds = [item["kind"] for item in yaml.safe_load_all(done.stdout)]
    assert kinds == ["AppImage", "AppImage", "KusciaDeployment"]
    assert done.stderr == ""
    assert snapshot(root) == before


def test_it_prints_what_render_writes(repository):
    root = repository({DESCRIPTION: TWO})
    assert run("render", cwd=root).returncode == 0
    for name in ("east", "west"):
        files = (root / "rendered/dev" / name).glob("*/*.yaml")
        written = sorted(path.read_text() for path in files)
        printed = generate(root, environment="dev", destination=name).stdout
        assert sorted(printed.split("---\n")[1:]) == written


def test_it_runs_where_an_application_points(repository):
    root = repository()
    assert generate(root / "environments").stdout == generate(root).stdout


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({}, "names no destination; set its parameter destination to east or west"),
        ({"destination": "eats"}, "no destination 'eats' in dev; did you mean 'east'?"),
        ({"environment": "dve"}, "no environment 'dve'; did you mean 'dev'?"),
        ({"destination": "east", "allow_empty": "1"}, "true or false, not '1'"),
    ],
)
def test_parameters_that_say_too_little(repository, parameters, why):
    done = generate(repository({DESCRIPTION: TWO}), expect=2, **parameters)
    assert done.stdout == ""
    assert why in done.stderr


def test_no_environment_is_named_and_there_are_two(repository):
    root = repository({"environments/prod/environment.yaml": ENVIRONMENT})
    done = generate(root, expect=2)
    assert "names no environment; set its parameter environment to dev or prod" in done.stderr


def test_findings_go_to_standard_error_and_nothing_is_printed(repository):
    done = generate(repository({RISK: BROKEN}), expect=1)
    assert done.stdout == ""
    assert f"{RISK}:3:12: error: " in done.stderr


def test_a_broken_environment(repository):
    done = generate(repository({DESCRIPTION: "kind: Environment\na: on\n"}), 1, environment="dev")
    assert done.stdout == ""
    assert f"{DESCRIPTION}:" in done.stderr


def test_the_only_environment_is_broken_and_not_named(repository):
    done = generate(repository({DESCRIPTION: "kind: Environment\na: on\n"}), expect=3)
    assert done.stdout == ""
    assert "no environment can be read that has destinations; 'servingctl validate'" in done.stderr


def test_nothing_to_print_is_a_failure_unless_it_is_meant(repository):
    root = repository({DESCRIPTION: TWO, RISK: None})
    done = generate(root, expect=3, destination="west")
    assert done.stdout == ""
    assert "set its parameter allow-empty to true" in done.stderr
    assert generate(root, destination="west", allow_empty="true").stdout == ""


@pytest.mark.parametrize("allowed", ["true", "false"])
def test_an_environment_that_is_only_inherited(repository, allowed):
    root = repository({"environments/base/environment.yaml": ENVIRONMENT.partition("dest")[0]})
    done = generate(root, expect=2, environment="base", allow_empty=allowed)
    assert done.stderr == "servingctl: base has no destinations; it is only inherited from\n"
