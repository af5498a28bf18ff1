"""How findings are shown; a module with one function from values to text for each format."""

from renderer.outputs.findings.report import Report
from renderer.outputs.layout import Formats, format_modules

FORMATS: Formats[Report] = format_modules(
    __name__, "text", "json", "github", "gitlab", "sarif", "junit", "baseline"
)
#: Those that name or describe rules, and so are given them.
WITH_RULES = frozenset(("json", "github", "sarif", "junit"))
