"""A diff for programs: versioned JSON, described by schemas/reports/diff.json."""

from decimal import Decimal
from typing import Any

from renderer.outputs.diff.report import DiffReport, ShownChange, ShownObject
from renderer.outputs.findings.json import describe
from renderer.outputs.safe_text import as_json, encodable, encodable_data
from renderer.values.changes import Capacity, Impact, Reach

VERSION = 1


def show(report: DiffReport) -> str:
    """Every change with its impacts, then what follows from all of them."""
    return as_json(
        {
            "version": VERSION,
            "before": encodable(report.before),
            "after": encodable(report.after),
            "objects": [_object(item) for item in report.objects],
            "findings": [describe(item) for item in report.findings],
            "incomparable": [describe(item) for item in report.incomparable],
            "reach": [_reach(item) for item in report.reach],
            "capacity": [_capacity(item) for item in report.capacity],
        }
    )


def _object(item: ShownObject) -> dict[str, Any]:
    return {
        "object": encodable(item.identity),
        "former": encodable(item.former),
        "environment": item.environment,
        "destination": item.destination,
        "spec": encodable(item.spec),
        "file": encodable(item.file),
        "how": str(item.how),
        "elsewhere": item.elsewhere,
        "impacts": [_impact(impact) for impact in item.impacts],
        "changes": [_change(change, item) for change in item.changes],
    }


def _change(change: ShownChange, item: ShownObject) -> dict[str, Any]:
    """A side that has no value has no key."""
    sides = {"before": change.before} if change.has_before else {}
    sides |= {"after": change.after} if change.has_after else {}
    place = change.origin
    return {
        "object": encodable(item.identity),
        "path": encodable(change.path),
        "how": str(change.how),
        **{name: encodable_data(value) for name, value in sides.items()},
        "lines": [encodable(line) for line in change.lines],
        "same_data": change.texts_only,
        "hidden": change.hidden,
        "origin": {"file": encodable(place.file), "line": place.line, "column": place.column},
        "impacts": [_impact(impact) for impact in change.impacts],
    }


def _impact(item: Impact) -> dict[str, str]:
    return {
        "class": str(item.effect),
        "destination": item.destination,
        "spec": encodable(item.spec),
        "unit": encodable(item.unit),
        "consequence": encodable(item.consequence),
        "advice": encodable(item.advice),
    }


def _reach(item: Reach) -> dict[str, Any]:
    specs = [
        {"environment": one.environment, "spec": encodable(one.spec), "units": [*one.units]}
        for one in item.specs
    ]
    return {"file": encodable(item.file), "specs": specs}


def _capacity(item: Capacity) -> dict[str, str]:
    names = item._asdict()
    return {
        name: f"{value.normalize():f}" if isinstance(value, Decimal) else encodable(value)
        for name, value in names.items()
    }
