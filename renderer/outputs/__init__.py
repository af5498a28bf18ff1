"""How findings are shown; one function from values to text for each format."""

from collections.abc import Callable

from renderer.outputs import text
from renderer.outputs.report import Report

OUTPUTS: dict[str, Callable[[Report], str]] = {
    "text": text.show,
}
