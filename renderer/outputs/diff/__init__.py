"""How a diff is shown; a module with one function from values to text for each format."""

from importlib import import_module

from renderer.outputs.diff.report import WHOLE, DiffReport
from renderer.outputs.findings.report import limited

FORMATS = ("text", "markdown", "json", "html")


def show(form: str, report: DiffReport) -> str:
    """The report in a format, whose module is imported only now; a part is told in full."""
    if report.shard == WHOLE:
        found = tuple(limited(report.findings)), tuple(limited(report.incomparable))
        report = report._replace(findings=found[0], incomparable=found[1])
    text: str = import_module(f"renderer.outputs.diff.{form}").show(report)
    return text
