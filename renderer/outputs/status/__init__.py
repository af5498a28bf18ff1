"""How a status is shown; a function from values to text for each format."""

from renderer.outputs.layout import Formats
from renderer.outputs.status import json, text
from renderer.values.statuses import EnvironmentStatus

FORMATS: Formats[EnvironmentStatus] = {"text": text.show, "json": json.show}
