"""How a status is shown; a function from values to text for each format."""

from collections.abc import Sequence

from renderer.outputs.layout import Formats
from renderer.outputs.status import json, text
from renderer.values.statuses import EnvironmentStatus

FORMATS: Formats[Sequence[EnvironmentStatus]] = {"text": text.show, "json": json.show}
