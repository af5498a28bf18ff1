"""Findings as workflow commands of GitHub Actions, which become annotations of the files."""

from collections.abc import Iterator

from renderer.outputs.findings.report import Report
from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.safe_text import explained, harmless
from renderer.text.wording import counted
from renderer.values.diagnostics import Diagnostic, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_MOST = 10  # of each severity; GitHub drops the rest of a step's annotations


def show(report: Report, _layout: Layout = PLAIN) -> str:
    """The worst first; what GitHub would drop follows as lines of the log."""
    names = report.rule_names()
    commands: list[str] = []
    rest: list[str] = []
    for severity, command in _COMMANDS.items():
        found = [item for item in report.diagnostics if item.severity is severity]
        commands += (_command(command, item, names) for item in found[:_MOST])
        rest += map(_line, found[_MOST:])
    return "".join(f"{line}\n" for line in (*commands, *_left_out(rest)))


def _command(command: str, item: Diagnostic, names: dict[str, str]) -> str:
    properties = {
        "file": harmless(item.file),
        "line": str(item.line),
        "col": str(item.column),
        "title": f"{item.code} {names.get(item.code, '')}".strip(),
    }
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{command} {given}::{_data(explained(item))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _left_out(lines: list[str]) -> Iterator[str]:
    if lines:
        more = counted(len(lines), "more finding")
        yield f"{more} without annotation, since GitHub shows {_MOST} of each severity:"
        yield from lines


def _line(item: Diagnostic) -> str:
    """A line that the runner takes for no command, of the old `##[…]` form either."""
    place = f"{item.file}:{item.line}:{item.column}"
    text = harmless(f"{item.severity}: {place}: {item.message} [{item.code}]")
    return text.replace("##[", "## [")
