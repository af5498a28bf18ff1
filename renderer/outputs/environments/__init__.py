"""How two environments are shown side by side, in the formats of a diff."""

from renderer.outputs.environments.report import EnvironmentReport
from renderer.outputs.layout import Formats, format_modules

FORMATS: Formats[EnvironmentReport] = format_modules(__name__, "text", "markdown", "json", "html")
