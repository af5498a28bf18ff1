"""How a preview is shown; a module with one function from values to text for each format."""

from importlib import import_module
from typing import NamedTuple

from renderer.values.previews import Preview

FORMATS = ("text", "yaml", "json")


class Screen(NamedTuple):
    """What a text is laid out for."""

    width: int = 100
    color: bool = False


def show(form: str, preview: Preview, screen: Screen) -> str:
    """The preview in a format, whose module is imported only now."""
    module = import_module(f"renderer.outputs.preview.{form}")
    text: str = module.show(preview, screen)
    return text
