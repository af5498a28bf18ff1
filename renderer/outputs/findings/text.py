"""Findings for people: the place, the line with a marker, why it matters, how to mend it."""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

from renderer.outputs.findings.causes import Cause, by_cause
from renderer.outputs.findings.report import Report
from renderer.outputs.terminal import BOLD, COLORS, DIM, WIDTH, Paint, painter
from renderer.text.wording import LINE_END, listed, visible
from renderer.values.diagnostics import Diagnostic

_BEFORE_CARET = 60


def show(report: Report) -> str:
    """Every cause by its first finding, a blank line after each."""
    paint = painter(color=report.color)
    causes = by_cause(report.diagnostics)
    files = {cause.first.file for cause in causes}
    lines = {file: LINE_END.split(report.sources.get(file, "")) for file in files}
    return "".join(
        "".join(f"{line}\n" for line in _block(cause, lines, report.specs, paint)) + "\n"
        for cause in causes
    )


def _block(
    cause: Cause, lines: Mapping[str, list[str]], specs: Mapping[str, str], paint: Paint
) -> Iterator[str]:
    item = cause.first
    place = paint(f"{visible(item.file)}:{item.line}:{item.column}:", BOLD)
    level = paint(f"{item.severity}:", COLORS[item.severity])
    yield f"{place} {level} {visible(item.message)} [{item.code}]"
    yield from _snippet(item, lines[item.file], paint)
    notes = {"why": item.why, "fix": item.fix}
    if any(not item.file.startswith(f"environments/{name}") for name in item.environments):
        notes["in"] = listed(item.environments)
    notes["also"] = cause.others_text(specs)
    notes["of"] = cause.specs_text(specs)
    for name, text in notes.items():
        if text:
            yield from _note(name, visible(text), paint)


def _note(name: str, text: str, paint: Paint) -> Iterator[str]:
    label = paint(f"{name}:", DIM)
    for index, line in enumerate(_wrapped(text)):
        yield f"  {label} {line}" if index == 0 else f"  {' ' * len(name)}  {line}"


@lru_cache(maxsize=256)
def _wrapped(text: str) -> list[str]:
    """A note in lines; many findings say the same."""
    from textwrap import TextWrapper

    return TextWrapper(WIDTH - 7, break_long_words=False, break_on_hyphens=False).wrap(text)


def _snippet(item: Diagnostic, lines: list[str], paint: Paint) -> Iterator[str]:
    """The source line, cut around the column, and a marker under the column."""
    if not 0 < item.line <= len(lines) or not lines[item.line - 1].strip():
        return
    line = lines[item.line - 1]
    column = min(item.column - 1, len(line))
    start = max(0, column - _BEFORE_CARET) if len(line) > WIDTH else 0
    shown = line[start : start + WIDTH]
    before, after = visible(line[start:column]), visible(shown[column - start :])
    number = f"{item.line:5} | "
    yield f"{paint(number, DIM)}{'…' if start else ''}{before}{after}{_ellipsis(line, start)}"
    pad = " " * (_columns(before) + bool(start))
    yield f"{paint('      | ', DIM)}{pad}{paint('^', COLORS[item.severity])}"


def _ellipsis(line: str, start: int) -> str:
    return "…" if len(line) > start + WIDTH else ""


def _columns(text: str) -> int:
    """How many columns of a terminal a text fills."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(bool(unicodedata.combining(c)) for c in text)
