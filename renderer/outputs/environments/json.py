"""Two environments for programs: versioned JSON, described by schemas/reports/environments.json."""

from typing import Any

from renderer.outputs.environments.report import Entry, EnvironmentReport, Place
from renderer.outputs.findings.json import describe
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import encodable, encodable_data, json_text
from renderer.values.diagnostics import Origin

VERSION = 1


def show(report: EnvironmentReport, _layout: Layout = PLAIN) -> str:
    """What is unexpected and what is not, apart; then what only one side has."""
    return json_text(
        {
            "version": VERSION,
            "before": f"env:{report.before}",
            "after": f"env:{report.after}",
            "compared": report.compared,
            "unexpected": [_entry(item) for item in report.unexpected],
            "expected": [{**_entry(item), "reason": str(item.reason)} for item in report.expected],
            "alone": [
                {
                    "spec": encodable(item.spec),
                    "environment": item.environment,
                    "file": encodable(item.origin.file),
                }
                for item in report.alone
            ],
            "findings": [describe(item) for item in report.findings],
            "incomparable": [describe(item) for item in report.incomparable],
        }
    )


def _entry(item: Entry) -> dict[str, Any]:
    """A side that has no value has no key."""
    change = item.change
    sides = {"before": change.before} if change.has_before else {}
    sides |= {"after": change.after} if change.has_after else {}
    return {
        "path": encodable(change.path),
        "how": str(change.how),
        **{name: encodable_data(value) for name, value in sides.items()},
        "lines": [encodable(line) for line in change.lines],
        "same_data": change.texts_only,
        "hidden": change.hidden,
        "specs": [_place(place) for place in item.places],
    }


def _place(place: Place) -> dict[str, Any]:
    sides = {"before": place.before, "after": place.after}
    known = {f"{name}_origin": _origin(origin) for name, origin in sides.items() if origin}
    return {"spec": encodable(place.spec), **known}


def _origin(origin: Origin) -> dict[str, Any]:
    return {"file": encodable(origin.file), "line": origin.line, "column": origin.column}
