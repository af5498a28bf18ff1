"""A preview for programs: the objects that the platform will make as YAML, or all as JSON."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from renderer.outputs.layout import PLAIN, Layout
from renderer.outputs.preview.engines import engine_data
from renderer.outputs.requests import address_command
from renderer.outputs.safe_text import encodable, encodable_data, harmless, json_text
from renderer.text.yaml_writer import write
from renderer.values.derivations import DerivedUnit
from renderer.values.inspection import Preview
from renderer.values.tree import Plain, constant
from renderer.values.unit_details import Address, File

if TYPE_CHECKING:
    from renderer.values.references import Need

VERSION = 1
_DERIVED = "what the platform makes"


def show_yaml(preview: Preview, _layout: Layout = PLAIN) -> str:
    """The objects as a stream of YAML documents; markers stand where numbers are drawn."""
    return "".join(document for unit in preview.units for document in _documents(unit))


def _documents(unit: DerivedUnit) -> Iterator[str]:
    where = harmless(" ".join(filter(None, (unit.unit, "at", unit.destination))))
    if unit.problem:
        yield f"---\n# {where}: nothing, because {harmless(unit.problem)}\n"
    for piece in unit.objects:
        text = unit.marked(write(constant(piece.content, _DERIVED)))
        yield f"---\n# {where}\n{encodable(text)}"


def show_json(preview: Preview, _layout: Layout = PLAIN) -> str:
    """Versioned JSON, described by schemas/reports/preview.json."""
    return json_text(
        encodable_data(
            {
                "version": VERSION,
                "spec": preview.spec,
                "environment": preview.environment,
                "units": [_unit(unit) for unit in preview.units],
                **({"needs": list(map(_need, preview.needs))} if preview.needs else {}),
                **({"engines": [*map(engine_data, preview.engines)]} if preview.engines else {}),
            }
        )
    )


def _need(need: "Need") -> Plain:
    maker = need.maker
    return {
        "kind": need.use.kind,
        "name": need.use.name,
        "keys": list(need.use.keys),
        "optional": need.use.is_optional,
        "destination": need.destination,
        "namespace": need.namespace or None,
        "owner": need.owner,
        "maker": maker.name if maker else None,
        "file": (maker.file or None) if maker else None,
    }


def _unit(unit: DerivedUnit) -> dict[str, Plain]:
    return {
        "destination": unit.destination,
        "unit": unit.unit,
        "problem": unit.problem or None,
        "notes": [unit.marked(note) for note in unit.notes],
        "objects": [unit.marked_data(piece.content) for piece in unit.objects],
        "files": [unit.marked_data(_file(file)) for file in unit.files],
        "addresses": [unit.marked_data(_address(item)) for item in unit.addresses],
    }


def _file(file: File) -> Plain:
    return {
        "container": file.container or None,
        "path": file.path or None,
        "source": file.source,
        "text": file.text,
        "not_previewed": list(file.not_previewed),
        "problem": file.problem or None,
    }


def _address(item: Address) -> Plain:
    return {
        "name": item.name,
        "url": item.url,
        "callers": item.callers,
        "through": item.through or None,
        "headers": {**dict(item.headers)},
        "method": item.method or None,
        "body": item.body or None,
        "command": address_command(item) or None,
    }
