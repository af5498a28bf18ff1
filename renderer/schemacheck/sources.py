"""The bundled schemas, each made self-contained."""

import json
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from renderer.assets import SCHEMAS

Schema = dict[str, Any]


@cache
def bundled(name: str) -> Schema:
    """A schema by its path below `schemas/`, with what it refers to in other files inlined."""
    foreign: Schema = {}
    text = (SCHEMAS / name).read_text("utf-8")
    schema: Schema = _localised(json.loads(text), PurePosixPath(name).parent, foreign)
    definitions = {**foreign, **schema.get("definitions", {})}
    return {**schema, "definitions": definitions} if definitions else schema


def _localised(schema: Any, folder: PurePosixPath, foreign: Schema) -> Any:
    """The schema with references into other files made local; `foreign` takes their targets."""
    if isinstance(schema, list):
        return [_localised(item, folder, foreign) for item in schema]
    if not isinstance(schema, dict):
        return schema
    target, mark, pointer = str(schema.get("$ref", "")).partition("#")
    if target and mark:
        foreign.update(bundled(_joined(folder, target))["definitions"])
        return {"$ref": f"#{pointer}"}
    return {key: _localised(value, folder, foreign) for key, value in schema.items()}


def _joined(folder: PurePosixPath, target: str) -> str:
    parts = list(folder.parts)
    for part in PurePosixPath(target).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
