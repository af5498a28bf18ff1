"""A diff for programs: versioned JSON, described by schemas/reports/diff.json."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from renderer.outputs.diff.cause import Cause
from renderer.outputs.diff.causes import causes_of
from renderer.outputs.diff.report import WHOLE, DiffReport, ShownChange, ShownEdit, ShownObject
from renderer.outputs.findings.causes import cause_ids
from renderer.outputs.findings.json import describe
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import encodable, encodable_data, json_text
from renderer.values.changes import Capacity, Impact, Reach
from renderer.values.codec import encode
from renderer.values.diagnostics import Diagnostic

VERSION = 1


def show(report: DiffReport, _layout: Layout = PLAIN) -> str:
    """Every change with its impacts, then what follows from all of them."""
    return json_text(
        {
            "version": VERSION,
            "before": encodable(report.before),
            "after": encodable(report.after),
            "causes": [_cause(item) for item in causes_of(report) if item.is_felt],
            "objects": [_object(item) for item in report.objects],
            "findings": _findings(report.findings),
            "incomparable": _findings(report.incomparable),
            "reach": [_reach(item) for item in report.reach],
            "capacity": [_capacity(item) for item in report.capacity if item.is_a_change],
            **({"part": encode(report)} if report.shard != WHOLE else {}),
        }
    )


def _findings(found: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    pairs = zip(found, cause_ids(found), strict=True)
    return [describe(item) | {"cause": cause} for item, cause in pairs]


def _cause(item: Cause) -> dict[str, Any]:
    return {
        "id": _id(item.numbers[0]),
        "kind": str(item.edit.kind),
        "edit": _edit(item.edit) if item.edit.change.origin.file else None,
        "environments": [
            {
                "name": at.name,
                "production": at.is_production,
                "specs": len(at.specs),
                "units": at.units,
                "broken": len(at.broken),
            }
            for at in item.environments
        ],
        "classes": {str(effect): units for effect, units in item.classes.items()},
        "specs": sorted({encodable(spec) for at in item.environments for spec in at.specs}),
        "errors": item.is_wrong,
    }


def _edit(item: ShownEdit) -> dict[str, Any]:
    change, place = item.change, item.change.origin
    return {
        "file": encodable(place.file),
        "line": place.line,
        "column": place.column,
        "path": encodable(change.path),
        "how": str(change.how),
        **_sides(change),
        "lines": [encodable(line) for line in change.lines],
        "hidden": change.hidden,
    }


def _id(number: int) -> str:
    return f"c{number + 1}"


def _sides(change: ShownChange) -> dict[str, Any]:
    """A side that has no value has no key."""
    sides = {"before": change.before} if change.has_before else {}
    sides |= {"after": change.after} if change.has_after else {}
    return {name: encodable_data(value) for name, value in sides.items()}


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
        "causes": [_id(number) for number in item.causes],
        "impacts": [_impact(impact) for impact in item.impacts],
        "changes": [_change(change, item) for change in item.changes],
    }


def _change(change: ShownChange, item: ShownObject) -> dict[str, Any]:
    place = change.origin
    return {
        "object": encodable(item.identity),
        "path": encodable(change.path),
        "how": str(change.how),
        **_sides(change),
        "lines": [encodable(line) for line in change.lines],
        "same_data": change.texts_only,
        "hidden": change.hidden,
        "origin": {"file": encodable(place.file), "line": place.line, "column": place.column},
        "impacts": [_impact(impact) for impact in change.impacts],
        "causes": [_id(number) for number in change.causes],
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
