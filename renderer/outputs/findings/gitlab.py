"""Findings as a Code Quality report of GitLab."""

from typing import Any

from renderer.outputs.findings.baseline import fingerprints
from renderer.outputs.findings.report import Report
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import encodable, explained, json_text
from renderer.values.diagnostics import Diagnostic, Severity

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def show(report: Report, _layout: Layout = PLAIN) -> str:
    found = report.diagnostics
    return json_text([_issue(*pair) for pair in zip(found, fingerprints(found), strict=True)])


def _issue(item: Diagnostic, fingerprint: str) -> dict[str, Any]:
    return {
        "description": explained(item),
        "check_name": item.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[item.severity],
        "location": {"path": encodable(item.file), "lines": {"begin": item.line}},
    }
