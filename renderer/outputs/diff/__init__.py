"""How a diff is shown; a module with one function from values to text for each format."""

from renderer.outputs.diff.report import DiffReport
from renderer.outputs.layout import Formats, format_modules

FORMATS: Formats[DiffReport] = format_modules(__name__, "text", "markdown", "json", "html")
