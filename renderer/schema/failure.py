"""One error of a validator as values that sentences are made of."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from renderer.schema.bundle import Schema
from renderer.text.wording import path_text, visible
from renderer.values.diagnostics import Origin, Path
from renderer.values.tree import Node

_LONGEST_VALUE = 60


class Failure(NamedTuple):
    """One error of a validator, the tree it was found in, and the schema of the whole tree."""

    error: Any
    tree: Node
    root: Schema

    @property
    def path(self) -> Path:
        return tuple(self.error.absolute_path)

    @property
    def schema(self) -> Mapping[str, Any]:
        return self.error.schema if isinstance(self.error.schema, Mapping) else {}

    @property
    def subject(self) -> str:
        return place_text(self.path) or "the document"

    @property
    def value(self) -> str:
        """What stands there, as it was written."""
        value = self.error.instance
        if isinstance(value, dict | list):
            return "a mapping" if isinstance(value, dict) else "a list"
        node = self.tree.get(*self.path)
        return "empty" if value is None else (node and node.text) or shown(value)

    @property
    def here(self) -> Origin:
        return self.tree.locate(self.path)

    @property
    def expects(self) -> str:
        """What should stand there; how to write it is left to the fix if there is no other."""
        expects = str(self.schema.get("x-expects", ""))
        return expects if "x-fix" in self.schema else expects.partition(": ")[0]

    @property
    def why(self) -> str:
        return str(self.schema.get("x-why", ""))

    @property
    def fix(self) -> str:
        name, _, form = str(self.schema.get("x-expects", "")).partition(": ")
        return str(self.schema.get("x-fix", f"write {form or name}" if name else ""))


def texts_of(allowed: Iterable[Any]) -> list[str]:
    return [i if isinstance(i, str) else shown(i) for i in allowed if i not in ("", None)]


def place_text(path: Iterable[str | int]) -> str:
    shown = (_cut(visible(part)) if isinstance(part, str) else part for part in path)
    return path_text(tuple(shown))


def shown(value: Any) -> str:
    """A value as it may be printed: one line, escaped, cut."""
    text = visible(json.dumps(value, ensure_ascii=False))
    return f'"{_cut(text[1:-1])}"' if isinstance(value, str) else _cut(text)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"
