"""Pictures of what runs where: a module with a function from values to text for each format."""

from renderer.outputs.layout import Formats, format_modules
from renderer.values.picture import Picture

FORMATS: Formats[Picture] = format_modules(__name__, "text", "mermaid", "svg")
