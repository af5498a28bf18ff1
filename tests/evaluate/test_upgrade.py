"""With `rules_as_of`, what only newer rules find fails nothing and hides no object."""

import pytest

from renderer import check, render
from renderer.values.diagnostics import Severity
from tests.support.cases import cases
from tests.support.memory import project

MARKER = "servingctl.yaml"
OLD = "0.1.0"


def repositories():
    """The states of all cases that are about one state and say nothing of the settings."""
    for case in cases():
        files = case.changed(case.files, case.says)
        if "then" not in case.says and not case.on_disk and not files.get(MARKER):
            yield case.id, files


@pytest.mark.long
def test_newer_findings_are_warnings_and_objects_are_made():
    newer, wrong = 0, []
    for name, files in repositories():
        if all(item.since == OLD for item in check(project(files))):
            continue
        newer += 1
        made = render(project({**files, MARKER: f"rules_as_of: {OLD}\n"}))
        errors = [item for item in made.diagnostics if item.severity is Severity.ERROR]
        if any(item.since != OLD for item in errors) or (made.unsound and not errors):
            wrong.append((name, errors, made.unsound))
    assert not wrong
    assert newer > 100
