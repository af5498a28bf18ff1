"""The bundled schemas, each made self-contained."""

import json
import posixpath
from functools import cache
from typing import Any

from renderer.assets import SCHEMAS

Schema = dict[str, Any]
_FOREIGN = ".json#"


@cache
def bundled(name: str) -> Schema:
    """A schema by its path below `schemas/`, with what it refers to in other files inlined."""
    foreign: Schema = {}
    with open(f"{SCHEMAS}/{name}", encoding="utf-8") as stream:
        text = stream.read()
    schema: Schema = json.loads(text)
    if _FOREIGN in text:
        schema = _localised(schema, name.rpartition("/")[0], foreign)
    definitions = {**foreign, **schema.get("definitions", {})}
    return {**schema, "definitions": definitions} if definitions else schema


def _localised(schema: Any, folder: str, foreign: Schema) -> Any:
    """The schema with references into other files made local; `foreign` takes their targets."""
    if isinstance(schema, list):
        return [_localised(item, folder, foreign) for item in schema]
    if not isinstance(schema, dict):
        return schema
    target, mark, pointer = str(schema.get("$ref", "")).partition("#")
    if target and mark:
        foreign.update(bundled(posixpath.normpath(posixpath.join(folder, target)))["definitions"])
        return {"$ref": f"#{pointer}"}
    return {key: _localised(value, folder, foreign) for key, value in schema.items()}
