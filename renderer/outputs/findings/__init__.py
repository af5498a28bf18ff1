"""How findings are shown; a function from values to text for each format."""

from importlib import import_module

from renderer.outputs.findings.report import Report

#: The formats, and the function of this room that shows each.
_FUNCTIONS = {
    "text": "text.show",
    "json": "json.show",
    "github": "annotations.show_github",
    "gitlab": "annotations.show_gitlab",
    "sarif": "sarif.show",
    "junit": "junit.show",
    "baseline": "baseline.show",
}
OUTPUTS = tuple(_FUNCTIONS)
#: Those that name or describe rules, and so are given them.
WITH_RULES = frozenset(("json", "github", "sarif", "junit"))


def show(form: str, report: Report) -> str:
    """The report in a format, whose module is imported only now."""
    module, function = _FUNCTIONS[form].split(".")
    text: str = getattr(import_module(f"renderer.outputs.findings.{module}"), function)(report)
    return text
