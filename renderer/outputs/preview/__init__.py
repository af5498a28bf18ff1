"""How a preview is shown; a function from values to text for each format."""

from importlib import import_module
from typing import NamedTuple

from renderer.values.derivations import Preview

#: The formats, and the function of this room that shows each.
_FUNCTIONS = {"text": "text.show", "yaml": "documents.show_yaml", "json": "documents.show_json"}
FORMATS = tuple(_FUNCTIONS)


class Screen(NamedTuple):
    """What a text is laid out for."""

    width: int = 100
    color: bool = False


def show(form: str, preview: Preview, screen: Screen) -> str:
    """The preview in a format, whose module is imported only now."""
    module, function = _FUNCTIONS[form].split(".")
    loaded = import_module(f"renderer.outputs.preview.{module}")
    text: str = getattr(loaded, function)(preview, screen)
    return text
