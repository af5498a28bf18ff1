"""A preview for programs: versioned JSON, described by schemas/reports/preview.json."""

from typing import Any

from renderer.outputs.harmless import as_json, encodable
from renderer.outputs.preview import Screen
from renderer.values.previews import Address, File, Preview, UnitPreview
from renderer.values.tree import Plain

VERSION = 1


def show(preview: Preview, _screen: Screen) -> str:
    return as_json(
        _encodable(
            {
                "version": VERSION,
                "spec": preview.spec,
                "environment": preview.environment,
                "units": [_unit(unit) for unit in preview.units],
            }
        )
    )


def _unit(unit: UnitPreview) -> dict[str, Plain]:
    return {
        "destination": unit.destination,
        "unit": unit.unit,
        "problem": unit.problem or None,
        "notes": [unit.marked(note) for note in unit.notes],
        "objects": [unit.marked_data(piece.content) for piece in unit.pieces],
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
    }


def _encodable(data: Any) -> Any:
    if isinstance(data, dict):
        return {encodable(key): _encodable(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_encodable(value) for value in data]
    return encodable(data) if isinstance(data, str) else data
