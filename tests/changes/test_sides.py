"""What is known of a state: of what could not be read, nothing is said to have gone."""

import pytest

from renderer import compare, render
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.objects import Output
from tests.support.memory import project
from tests.support.repositories import (
    BROKEN,
    DESCRIPTION,
    ENVIRONMENT,
    HEADER,
    RISK,
    SERVING,
    SMALL,
)

CHURN = RISK.replace("risk", "churn")
RISKS = RISK.replace("risk", "risks")
TWO = {**SMALL, CHURN: SERVING}
BOTH = {**SMALL, **{path.replace("/dev/", "/prod/"): text for path, text in SMALL.items()}}
BASE = {
    **SMALL,
    "environments/base/environment.yaml": HEADER.format("Environment"),
    DESCRIPTION: ENVIRONMENT + "extends: base\n",
    RISK: None,
    RISK.replace("/dev/", "/base/"): SERVING,
}


def gone(before, after, environments=()):
    """The specs of which an object is said to have gone."""
    found = compare(project(before), project(after), environments)
    return {str(item.change.before.spec) for item in found.objects if not item.change.after}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(TWO, {**TWO, CHURN: HEADER.format("Serving") + "a: [\n"}, id="no YAML"),
        pytest.param(
            {**BASE, RISKS: SERVING},
            {**BASE, RISKS: HEADER.format("Serving") + "labels: {a: b}\n"},
            id="meant for another spec",
        ),
    ],
)
def test_a_file_that_is_no_spec_any_more(before, after):
    assert compare(project(before), project(after)).findings
    assert gone(before, after) == set()


def test_beside_errors_others_are_said_to_have_gone():
    after = {path: text for path, text in TWO.items() if path != CHURN}
    assert gone(TWO, {**after, RISK: BROKEN}) == {"Serving/churn"}


def test_an_ignore_that_may_be_used_elsewhere_is_no_error():
    files = {**SMALL, RISK: SERVING + "# servingctl: ignore[KUS308] it sleeps\n"}
    assert {item.code for item in render(project(files)).diagnostics} == {"SPC090"}
    assert not compare(project(files), project({**files, CHURN: SERVING})).findings


def test_only_some_environments_of_rendered_output():
    output = Output(render(project(BOTH)).manifests)
    assert not compare(output, project(BOTH), ["dev"]).objects
    found = compare(output, Output(()), ["dev"]).objects
    assert {item.change.environment for item in found} == {"dev"}


def test_an_environment_that_only_one_state_has():
    broken = {**SMALL, RISK: BROKEN}
    found = compare(project(broken), project({**broken, **BOTH}), ["prod"])
    assert {item.change.environment for item in found.objects} == {"prod"}
    assert found.incomparable == ()


@pytest.mark.parametrize(
    ("severity", "environments", "count"),
    [
        (Severity.ERROR, ("dev",), 1),
        (Severity.ERROR, (), 1),
        (Severity.ERROR, ("prod",), 0),
        (Severity.WARNING, ("dev",), 0),
    ],
)
def test_errors_in_rendered_output(severity, environments, count):
    about = Diagnostic("x.yaml", 1, 1, "YML001", severity, "it is wrong", "mend it")
    output = Output((), (about._replace(environments=environments),))
    assert len(compare(output, Output(()), ["dev"]).incomparable) == count


def test_settings_of_no_environment_are_told_whatever_is_asked():
    files = {**BOTH, "servingctl.yaml": "a: [\n", DESCRIPTION: None}
    assert compare(project(BOTH), project(files), ["dev"]).findings


def test_a_secret_in_the_old_state_keeps_nothing_from_being_compared():
    leak = {**SMALL, RISK: SERVING + "annotations: {password: hunter22}\n"}
    found = compare(project(leak), project(SMALL))
    assert found.objects
    assert found.incomparable == ()


def test_environments_that_users_depend_on():
    prod = DESCRIPTION.replace("/dev/", "/prod/")
    files = {**BOTH, prod: BOTH[prod] + "production: true\n"}
    assert compare(project(files), project({**files, CHURN: SERVING})).production == {"prod"}


def test_edits_that_neither_change_nor_break_anything():
    broken = {**SMALL, RISK: BROKEN}
    after = {**broken, DESCRIPTION: ENVIRONMENT + "vars: {unused: 1}\n"}
    found = compare(project(broken), project(after))
    assert (found.edits, found.broken) == ((), ())
