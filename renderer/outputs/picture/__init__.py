"""Pictures of what runs where: values, and a module with a function to text for each format."""

from importlib import import_module

from renderer.values.picture import Picture

FORMATS = ("text", "mermaid", "svg")


def draw(form: str, picture: Picture, width: int = 0) -> str:
    """The picture in a format, whose module is imported only now; text as wide as a terminal."""
    module = import_module(f"renderer.outputs.picture.{form}")
    text: str = module.draw(picture, width) if form == "text" else module.draw(picture)
    return text
