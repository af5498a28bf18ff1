"""Findings as code hosts show them beside the lines: GitHub's annotations, GitLab's issues."""

from collections.abc import Iterator
from typing import Any

from renderer.outputs.findings.baseline import fingerprints
from renderer.outputs.findings.report import Report
from renderer.outputs.safe_text import as_json, encodable, explained, harmless
from renderer.text.wording import counted
from renderer.values.diagnostics import Diagnostic, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_MOST = 10  # of each severity; GitHub drops the rest of a step's annotations
_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def show_github(report: Report) -> str:
    """Workflow commands, the worst first; what GitHub would drop follows as lines of the log."""
    names = report.rule_names()
    commands: list[str] = []
    rest: list[str] = []
    for severity, command in _COMMANDS.items():
        found = [item for item in report.diagnostics if item.severity is severity]
        commands += (_command(command, item, names) for item in found[:_MOST])
        rest += map(_line, found[_MOST:])
    return "".join(f"{line}\n" for line in (*commands, *_left_out(rest)))


def _command(command: str, item: Diagnostic, names: dict[str, str]) -> str:
    properties = {
        "file": harmless(item.file),
        "line": str(item.line),
        "col": str(item.column),
        "title": f"{item.code} {names.get(item.code, '')}".strip(),
    }
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{command} {given}::{_data(explained(item))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _left_out(lines: list[str]) -> Iterator[str]:
    if lines:
        more = counted(len(lines), "more finding")
        yield f"{more} without annotation, since GitHub shows {_MOST} of each severity:"
        yield from lines


def _line(item: Diagnostic) -> str:
    """A line that the runner takes for no command, of the old `##[…]` form either."""
    place = f"{item.file}:{item.line}:{item.column}"
    text = harmless(f"{item.severity}: {place}: {item.message} [{item.code}]")
    return text.replace("##[", "## [")


def show_gitlab(report: Report) -> str:
    """A Code Quality report of GitLab."""
    found = report.diagnostics
    return as_json([_issue(*pair) for pair in zip(found, fingerprints(found), strict=True)])


def _issue(item: Diagnostic, fingerprint: str) -> dict[str, Any]:
    return {
        "description": explained(item),
        "check_name": item.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[item.severity],
        "location": {"path": encodable(item.file), "lines": {"begin": item.line}},
    }
