"""The bundled schemas, each made self-contained."""

import json
import posixpath
from functools import cache
from typing import Any

from renderer.assets import SCHEMAS

Schema = dict[str, Any]


@cache
def bundled(name: str) -> Schema:
    """A schema by its path below `schemas/`, with what it refers to in other files inlined."""
    foreign: Schema = {}

    def localised(part: Schema) -> Schema:
        """With a reference into another file made local; `foreign` takes its targets."""
        target, mark, pointer = str(part.get("$ref", "")).partition("#")
        if not target or not mark:
            return part
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        foreign.update(bundled(path)["definitions"])
        return {"$ref": f"#{pointer}"}

    with open(f"{SCHEMAS}/{name}", encoding="utf-8") as stream:
        text = stream.read()
    schema: Schema = json.loads(text, object_hook=localised if ".json#" in text else None)
    definitions = {**foreign, **schema.get("definitions", {})}
    return {**schema, "definitions": definitions} if definitions else schema
