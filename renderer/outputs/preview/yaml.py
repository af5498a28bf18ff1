"""A preview as a stream of YAML documents: the objects that the platform will make."""

from collections.abc import Iterator

from renderer.outputs.harmless import encodable, harmless
from renderer.outputs.preview import Screen
from renderer.text.yaml_writer import write
from renderer.values.previews import Preview, UnitPreview
from renderer.values.tree import constant

_DERIVED = "what the platform makes"


def show(preview: Preview, _screen: Screen) -> str:
    """Every object of every unit; markers stand where numbers are drawn."""
    return "".join(document for unit in preview.units for document in _documents(unit))


def _documents(unit: UnitPreview) -> Iterator[str]:
    where = harmless(" ".join(filter(None, (unit.unit, "at", unit.destination))))
    if unit.problem:
        yield f"---\n# {where}: nothing, because {harmless(unit.problem)}\n"
    for piece in unit.pieces:
        text = unit.marked(write(constant(piece.content, _DERIVED)))
        yield f"---\n# {where}\n{encodable(text)}"
