"""A trace for people and for programs."""

import json
from collections.abc import Iterator
from typing import Any

from renderer.outputs import safe_text
from renderer.outputs.layout import PLAIN, Formats, Layout, wrapped
from renderer.text.wording import listed, visible
from renderer.values.inspection import Event, Trace
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

_LONGEST = 60
_BELOW = " " * 8


class TraceReport(NamedTuple):
    """The history of a path of a spec in an environment, for each destination that differs."""

    spec: str
    environment: str
    path: str
    traces: list[Trace]


def show_text(report: TraceReport, layout: Layout = PLAIN) -> str:
    """The value, then every place that set it, the one that counts with an arrow."""
    lines = (line for trace in report.traces for line in _lines(report, trace))
    return "".join(f"{line}\n" for parts in lines for line in _fitted(parts, layout.width))


def show_json(report: TraceReport, _layout: Layout = PLAIN) -> str:
    """Versioned JSON with the same content."""
    document = {
        "version": 1,
        "spec": report.spec,
        "environment": report.environment,
        "path": report.path,
        "traces": [
            {
                "destinations": list(trace.destinations),
                "exists": trace.exists,
                "value": trace.value,
                "events": [_event(event) for event in trace.events],
            }
            for trace in report.traces
        ],
    }
    return safe_text.json_text(document)


FORMATS: Formats[TraceReport] = {"text": show_text, "json": show_json}


def _lines(report: TraceReport, trace: Trace) -> Iterator[tuple[str, ...]]:
    """Each line in parts: the place, what it says, and a note."""
    value = _shown(trace.value) if trace.exists else "is not there"
    where = f" at {listed(trace.destinations)}" if len(report.traces) > 1 else ""
    equals = " = " if trace.exists else " "
    yield (visible(f"{report.path}{equals}{value}{where}"),)
    places = [_place(event) for event in trace.events]
    width = max(map(len, places), default=0)
    for event, place in zip(trace.events, places, strict=True):
        arrow = "→" if event.wins else " "
        said = "deleted" if event.deleted else _shown(event.value)
        note = (f"({event.origin.note})",) if event.origin.file and event.origin.note else ()
        yield tuple(map(visible, (f"  {arrow} {place:{width}}", said, *note)))


def _fitted(parts: tuple[str, ...], width: int) -> Iterator[str]:
    """The parts on one line; on a terminal that is too narrow for it, one below the other."""
    line = "  ".join(parts)
    if not width or len(line) <= width:
        yield line
        return
    yield from wrapped(parts[0].rstrip(), width, rest=_BELOW)
    for part in parts[1:]:
        yield from wrapped(part, width, _BELOW, _BELOW)


def _place(event: Event) -> str:
    origin = event.origin
    if not origin.file:
        is_made = origin.note.startswith(("set by ", "preset "))  # by a platform
        return origin.note if is_made else f"set by servingctl: {origin.note}"
    return f"{origin.file}:{origin.line}:{origin.column}"


def _shown(value: Plain) -> str:
    return safe_text.shortened(json.dumps(value, ensure_ascii=False), _LONGEST)


def _event(event: Event) -> dict[str, Any]:
    origin = event.origin
    return {
        "file": origin.file or None,
        "line": origin.line if origin.file else None,
        "column": origin.column if origin.file else None,
        "note": origin.note or None,
        "deleted": event.deleted,
        "value": event.value,
        "wins": event.wins,
    }
