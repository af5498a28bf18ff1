"""A status for programs."""

from collections.abc import Sequence
from typing import Any

from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import encodable_data, json_text
from renderer.values.statuses import EnvironmentStatus, LiveDifference, SpecStatus, UnitStatus

VERSION = 1


def show(statuses: Sequence[EnvironmentStatus], _layout: Layout = PLAIN) -> str:
    """Versioned JSON, described by schemas/reports/status.json."""
    documents = [_environment(status) for status in statuses]
    several = {"version": VERSION, "environments": documents}
    return json_text(encodable_data(documents[0] if len(documents) == 1 else several))


def _environment(status: EnvironmentStatus) -> dict[str, Any]:
    return {
        "version": VERSION,
        "environment": status.environment,
        "specs": [_spec(item) for item in status.specs],
        "left_behind": [item._asdict() for item in status.left_behind],
        "notes": list(status.notes),
        **({"missing": [item._asdict() for item in status.missing]} if status.missing else {}),
    }


def _spec(item: SpecStatus) -> dict[str, Any]:
    status = item.status
    return {
        "spec": item.spec,
        "destination": item.destination,
        "object": item.object,
        "applied": item.is_applied,
        "equals_git": item.equals_git,
        "health": status.health.value,
        "state": status.state,
        "reason": status.reason or None,
        "message": status.message or None,
        "disagreement": status.disagreement or None,
        "since": status.since or None,
        "endpoints": list(status.endpoints),
        "units": [_unit(unit) for unit in status.units],
        "differences": [_difference(one) for one in (*item.differences, *status.differences)],
        "notes": list(status.notes),
        "response": status.response,
    }


def _unit(unit: UnitStatus) -> dict[str, Any]:
    return {
        "unit": unit.unit,
        "destination": unit.destination or None,
        "state": unit.state,
        "health": unit.health.value,
        "ready": unit.ready,
        "wanted": unit.wanted,
        "endpoints": list(unit.endpoints),
        "reason": unit.reason or None,
        "message": unit.message or None,
        "since": unit.since or None,
        "reported": unit.reported or None,
    }


def _difference(item: LiveDifference) -> dict[str, Any]:
    return {
        "object": item.object or None,
        "path": item.path or None,
        "git": item.in_git,
        "live": item.live,
    }
