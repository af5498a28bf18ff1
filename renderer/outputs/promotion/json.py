"""A promotion for programs: versioned JSON, described by schemas/reports/promotion.json."""

import json
from typing import Any

from renderer.outputs.diff import json as diff
from renderer.outputs.diff.report import ShownChange
from renderer.outputs.findings.json import describe
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.promotion import message
from renderer.outputs.promotion.report import PromotionReport, ShownDifference, ShownEdit
from renderer.outputs.safe_text import encodable, encodable_data, json_text

VERSION = 1


def show(report: PromotionReport, _layout: Layout = PLAIN) -> str:
    """Edits and what they carry, what is not carried, errors, and the impact as a diff has it."""
    return json_text(
        {
            "version": VERSION,
            "source": f"env:{report.source}",
            "target": f"env:{report.target}",
            "written": report.written,
            "specs": [encodable(spec) for spec in report.specs],
            "created": [encodable(spec) for spec in report.created],
            "carried": [_difference(item) for item in report.carried],
            "kept": [{**_difference(i), "reason": i.reason} for i in report.kept],
            "left": [
                {
                    "spec": encodable(item.spec),
                    "environment": item.environment,
                    "reason": encodable(item.reason),
                }
                for item in report.left
            ],
            "not_carried": [
                {**_difference(i), "reason": encodable(i.reason)} for i in report.not_carried
            ],
            "variables": [
                {
                    "name": encodable(item.name),
                    "changes": [encodable(spec) for spec in item.changes],
                    "reaches": [encodable(spec) for spec in item.reaches],
                }
                for item in report.variables
            ],
            "edits": [_edit(item) for item in report.edits],
            "files": [encodable(file) for file in report.files],
            "findings": [describe(item) for item in report.findings],
            "message": encodable(message.show(report)),
            "impact": json.loads(diff.show(report.impact)),
        }
    )


def _difference(item: ShownDifference) -> dict[str, Any]:
    return {"spec": encodable(item.spec), **_change(item.change)}


def _change(change: ShownChange) -> dict[str, Any]:
    """A side that has no value has no key."""
    sides = {"before": change.before} if change.has_before else {}
    sides |= {"after": change.after} if change.has_after else {}
    return {
        "path": encodable(change.path),
        "how": str(change.how),
        **{name: encodable_data(value) for name, value in sides.items()},
        "hidden": change.hidden,
    }


def _edit(item: ShownEdit) -> dict[str, Any]:
    place = item.change.origin
    return {
        "spec": encodable(item.spec),
        "file": encodable(place.file),
        "line": place.line,
        **_change(item.change),
        "lines": [encodable(line) for line in item.lines or item.change.lines],
    }
