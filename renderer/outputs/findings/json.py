"""Findings for programs: versioned JSON, described by schemas/reports/validate.json."""

from collections.abc import Sequence
from typing import Any

from renderer.outputs.findings.causes import cause_ids
from renderer.outputs.findings.report import Report
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import encodable, json_text
from renderer.values.diagnostics import Diagnostic, Severity

VERSION = 1


def show(report: Report, _layout: Layout = PLAIN) -> str:
    """Every finding in order of place with all that is known of it, then how many there are."""
    names = report.rule_names()
    found = sorted(report.diagnostics)
    every = [*found, *report.less_severe]
    return json_text(
        {
            "version": VERSION,
            "findings": [
                _finding(item, names.get(item.code, "")) | {"cause": cause}
                for item, cause in zip(found, cause_ids(found), strict=True)
            ],
            "summary": {
                "errors": _count(every, Severity.ERROR),
                "warnings": _count(every, Severity.WARNING),
                "notes": _count(every, Severity.INFO),
                "failed": any(map(report.fails, found)),
            },
        }
    )


def _finding(item: Diagnostic, name: str) -> dict[str, Any]:
    related = [encodable(path) for path in item.related]
    return {"code": item.code, "name": name, **describe(item), "related": related}


def describe(item: Diagnostic) -> dict[str, Any]:
    """What every report for programs says of a finding."""
    return {
        "code": item.code,
        "severity": str(item.severity),
        "file": encodable(item.file),
        "line": item.line,
        "column": item.column,
        "message": encodable(item.message),
        "why": encodable(item.why),
        "fix": encodable(item.fix),
        "environments": [encodable(name) for name in item.environments],
    }


def _count(found: Sequence[Diagnostic], severity: Severity) -> int:
    return sum(item.stands_for for item in found if item.severity is severity)
