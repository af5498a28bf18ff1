"""How findings are shown; a module with one function from values to text for each format."""

from importlib import import_module

from renderer.outputs.findings.report import Report

OUTPUTS = ("text", "json", "github", "gitlab", "sarif", "junit", "baseline")
#: Those that name or describe rules, and so are given them.
WITH_RULES = frozenset(("json", "github", "sarif", "junit"))


def show(form: str, report: Report) -> str:
    """The report in a format, whose module is imported only now."""
    text: str = import_module(f"renderer.outputs.findings.{form}").show(report)
    return text
