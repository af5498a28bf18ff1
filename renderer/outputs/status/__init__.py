"""How a status is shown; a function from values to text for each format."""

from collections.abc import Callable

from renderer.outputs.status import json, text
from renderer.outputs.status.text import Screen
from renderer.values.statuses import EnvironmentStatus

FORMATS: dict[str, Callable[[EnvironmentStatus, Screen], str]] = {
    "text": text.show,
    "json": json.show,
}
