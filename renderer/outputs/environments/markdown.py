"""Two environments as a comment: what is unexpected first, the rest folded, within a limit."""

from renderer.outputs.diff.markdown import values_text
from renderer.outputs.diff.markdown_elements import (
    Section,
    code,
    fence,
    fit,
    prose,
    sentence,
)
from renderer.outputs.environments.report import (
    Entry,
    EnvironmentReport,
    places_text,
    specs_text,
    total_text,
)
from renderer.outputs.layout import PLAIN, Layout
from renderer.text.wording import counted
from renderer.values.diagnostics import Diagnostic
from renderer.values.environments import LoneSpec

#: By which a pipeline finds the comment that it made before.
MARKER = "<!-- servingctl environments -->"
_MOST = 10
_NO_LIMIT = 2**62


def show(report: EnvironmentReport, layout: Layout = PLAIN) -> str:
    """All of it, or what fits into `max_bytes`; what matters most stands first."""
    headline = (
        f"{MARKER}\n### {prose(report.before)} and {prose(report.after)}\n\n"
        f"{prose(total_text(report))}.\n\n"
    )
    sections = (
        _section("**Unexpected**\n\n", [_entry(item) for item in report.unexpected]),
        _section("**Only in one of them**\n\n", [_lone(item) for item in report.alone]),
        _errors(report.before, report.incomparable),
        _errors(report.after, report.findings),
        _section(
            "<details><summary>Expected</summary>\n\n",
            [_entry(item) for item in report.expected],
            "\n</details>\n",
        ),
    )
    return headline + fit(sections, (layout.max_bytes or _NO_LIMIT) - len(headline.encode()))


def _section(opening: str, pieces: list[str], closing: str = "\n") -> Section:
    return Section(
        opening, pieces, closing, lambda out: f"_{counted(out, 'difference')} left out_.\n\n"
    )


def _entry(item: Entry) -> str:
    reason = f" ({item.reason})" if item.reason else ""
    places = f" {code(places_text(item))}" if places_text(item) else ""
    names = prose(specs_text(item, _MOST))
    said = f"- {code(item.change.path)} {values_text(item.change)}{reason}: {names}{places}\n"
    if not item.change.lines:
        return said
    block = fence(item.change.lines, "diff").replace("\n", "\n  ")
    return f"{said}\n  {block}\n\n"


def _lone(item: LoneSpec) -> str:
    return f"- {code(item.spec)} only in {prose(item.environment)} {code(item.origin.file)}\n"


def _errors(name: str, found: tuple[Diagnostic, ...]) -> Section:
    pieces = [
        f"- 🛑 {sentence(item.message)} [{item.code}] "
        f"{code(f'{item.file}:{item.line}:{item.column}')}\n"
        for item in found
    ]
    opening = f"**Errors in {prose(name)}**\n\n"
    return Section(opening, pieces, "\n", lambda out: f"_{counted(out, 'error')} left out_.\n\n")
