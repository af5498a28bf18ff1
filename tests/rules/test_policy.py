"""How bad findings are where a repository keeps to the rules of an earlier version."""

import pytest

from renderer.outputs.findings.report import Report
from renderer.rules.policy import Policy, tempered
from renderer.values.diagnostics import Diagnostic, Severity, is_newer

OLD = Diagnostic("a.yaml", 1, 1, "SEC001", Severity.ERROR, "old")
NEW = OLD._replace(message="new", since="0.2.0")


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [
        ("0.2.0", "0.1.0", True),
        ("0.10.0", "0.9.9", True),
        ("0.2.0", "0.2.0", False),
        ("0.2.0", "0.2.0.dev0", False),
        ("0.1.0", "0.2.0", False),
        ("9.9.9", "", False),
    ],
)
def test_which_version_is_newer(version: str, than: str, newer: bool) -> None:
    assert is_newer(version, than) is newer


def test_newer_findings_are_warnings_at_most() -> None:
    severities = [item.severity for item in tempered([OLD, NEW], "0.1.0")]
    assert severities == [Severity.ERROR, Severity.WARNING]
    advice = NEW._replace(severity=Severity.INFO)
    assert tempered([advice], "0.1.0") == [advice]
    assert tempered([NEW], "") == tempered([NEW], "0.2.0") == [NEW]


@pytest.mark.parametrize("code", ["SEC001", "POL001", "ENV014"])
def test_neither_production_nor_a_setting_makes_them_errors(code: str) -> None:
    policy = Policy({code: "error"}, production=True, rules_as_of="0.1.0")
    judged = policy.judge(NEW._replace(code=code, severity=Severity.WARNING))
    assert judged
    assert judged.severity is Severity.WARNING
    assert policy.tempered(NEW).severity is Severity.WARNING


def test_they_do_not_fail_a_strict_run() -> None:
    report = Report([], {}, limit=Severity.WARNING, rules_as_of="0.1.0")
    assert report.fails(OLD._replace(severity=Severity.WARNING))
    assert not report.fails(NEW._replace(severity=Severity.WARNING))
