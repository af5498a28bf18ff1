"""How a diff is shown; a module with one function from values to text for each format."""

from importlib import import_module

from renderer.outputs.differences.report import DiffReport

FORMATS = ("text", "markdown", "json", "html")


def show(form: str, report: DiffReport) -> str:
    """The report in a format, whose module is imported only now."""
    text: str = import_module(f"renderer.outputs.differences.{form}").show(report)
    return text
