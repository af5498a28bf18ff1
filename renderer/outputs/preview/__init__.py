"""How a preview is shown; a function from values to text for each format."""

from renderer.outputs.layout import Formats
from renderer.outputs.preview import documents, text
from renderer.values.inspection import Preview

FORMATS: Formats[Preview] = {
    "text": text.show,
    "yaml": documents.show_yaml,
    "json": documents.show_json,
}
