"""Findings for people: the place, the line with a marker, why it matters, how to mend it."""

import unicodedata
from collections.abc import Iterator, Mapping

from renderer.outputs.findings.causes import Cause, group_by_cause
from renderer.outputs.findings.report import Report
from renderer.outputs.layout import BOLD, COLORS, DIM, PLAIN, WIDTH, Layout, wrapped
from renderer.text.wording import LINE_END, listed, visible
from renderer.values.diagnostics import Diagnostic

_GUTTER = 10


def show(report: Report, layout: Layout = PLAIN) -> str:
    """Every cause by its first finding, a blank line after each."""
    causes = group_by_cause(report.diagnostics)
    files = {cause.first.file for cause in causes}
    lines = {file: LINE_END.split(report.sources.get(file, "")) for file in files}
    return "".join(
        "".join(f"{line}\n" for line in _block(cause, lines, report, layout)) + "\n"
        for cause in causes
    )


def _block(
    cause: Cause, lines: Mapping[str, list[str]], report: Report, layout: Layout
) -> Iterator[str]:
    item = cause.first
    yield from _head(item, layout)
    yield from _snippet(item, lines[item.file], layout)
    notes = {"why": item.why, "fix": item.fix}
    if any(not item.file.startswith(f"environments/{name}") for name in item.environments):
        notes["in"] = listed(item.environments)
    notes["elsewhere"] = cause.milder_text()
    notes["also"] = cause.others_text(report.specs)
    notes["of"] = cause.specs_text(report.specs)
    for name, text in notes.items():
        if text:
            yield from _note(name, visible(text), layout)


def _head(item: Diagnostic, layout: Layout) -> Iterator[str]:
    """The place and what is wrong there; a line, unless a terminal is too narrow for it."""
    place, level = f"{visible(item.file)}:{item.line}:{item.column}:", f"{item.severity}:"
    said = f"{visible(item.message)} [{item.code}]"
    shown = f"{layout.paint(place, BOLD)} {layout.paint(level, COLORS[item.severity])}"
    if not layout.width:
        yield f"{shown} {said}"
        return
    first, *rest = wrapped(said, layout.width, f"{place} {level} ", "    ")
    yield f"{shown}{first[len(place) + len(level) + 1 :]}"
    yield from rest


def _note(name: str, text: str, layout: Layout) -> Iterator[str]:
    label = layout.paint(f"{name}:", DIM)
    for index, line in enumerate(wrapped(text, (layout.width or WIDTH) - 7)):
        yield f"  {label} {line}" if index == 0 else f"  {' ' * len(name)}  {line}"


def _snippet(item: Diagnostic, lines: list[str], layout: Layout) -> Iterator[str]:
    """The source line, cut around the column, and a marker under the column."""
    if not 0 < item.line <= len(lines) or not lines[item.line - 1].strip():
        return
    line = lines[item.line - 1]
    column = min(item.column - 1, len(line))
    room = layout.width - _GUTTER if layout.width else WIDTH
    start = max(0, column - room * 3 // 5) if len(line) > room else 0
    shown = line[start : start + room]
    before, after = visible(line[start:column]), visible(shown[column - start :])
    number, rest = layout.paint(f"{item.line:5} | ", DIM), "…" if len(line) > start + room else ""
    yield f"{number}{'…' if start else ''}{before}{after}{rest}"
    pad = " " * (_columns(before) + bool(start))
    marker = layout.paint("^", COLORS[item.severity])
    yield f"{layout.paint('      | ', DIM)}{pad}{marker}"


def _columns(text: str) -> int:
    """How many columns of a terminal a text fills."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(bool(unicodedata.combining(c)) for c in text)
