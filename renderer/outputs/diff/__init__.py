"""How a diff is shown; a module with one function from values to text for each format."""

from importlib import import_module

from renderer.outputs.diff.report import DiffReport

FORMATS = ("text", "markdown", "json", "html")


def show(form: str, report: DiffReport) -> str:
    """The report in a format, whose module is imported only now."""
    text: str = import_module(f"renderer.outputs.diff.{form}").show(report)
    return text
