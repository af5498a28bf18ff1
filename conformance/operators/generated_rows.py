"""Rows of generated manifests and edits: small, and alike whatever an object was called."""

import json
import re
from typing import Any

from conformance.kubernetes.client import Object
from conformance.operators.generation import Table, Variation, compact, manifest_of
from conformance.operators.plain import differences
from conformance.operators.records import Row

#: What every object is called in rows, and what names in the tables of values begin with.
NAME = "asked"
#: Enough of a message to know which rule spoke.
_LONGEST = 160
_COMPARED = 140
#: What KubeRay counts of a whole spec, with the names in it.
_HASH = re.compile(r'"[0-9A-V]{32}"')
_WRONG_VALUE = re.compile(r'value: "[^"]*"')
#: Each batch of questions has a namespace of its own.
_NAMESPACE = re.compile(r"generated-\w+")


def renamed(tree: Any, name: str, other: str = NAME) -> Any:
    """With another name: by default with one for all, so that two outcomes can be compared."""
    return _replaced(tree, re.compile(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])"), other)


def _replaced(tree: Any, name: re.Pattern[str], other: str) -> Any:
    if isinstance(tree, str):
        return name.sub(other, tree)
    if isinstance(tree, list):
        return [_replaced(item, name, other) for item in tree]
    if isinstance(tree, dict):
        return {
            _replaced(key, name, other): _replaced(value, name, other)
            for key, value in tree.items()
        }
    return tree


def described(table: Table, variation: Variation) -> Row:
    """What was asked: a base, a path, and what is there before and after."""
    row: Row = {"name": variation.name, "base": variation.base}
    base = table.bases[variation.base]
    for side, value in (("before", variation.before), ("after", variation.after)):
        if variation.path and value is not None:
            given = manifest_of(table, variation, value)
            path, content = compact(base, given, variation.path)
            row |= {"path": list(path), side: content}
    return row


def shortened(message: str) -> str:
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"


def beginning(row: Row) -> Row:
    """With as much of it as does not depend on names of objects and namespaces, nor on haste.

    After an edit from one wrong value to another an operator may speak of either, once or twice.
    """
    found: Row = json.loads(_HASH.sub('"hash"', json.dumps(row)))
    found |= {"events": sorted({*found["events"]})} if "events" in found else {}
    message = _NAMESPACE.sub("generated", row.get("message", ""))
    return {**found, "message": _WRONG_VALUE.sub("value", message)[:_COMPARED]}


def object_changes(before: dict[str, Object], after: dict[str, Object]) -> dict[str, Any]:
    """For each object that differs: `added`, `removed`, or the places that differ."""
    found: dict[str, Any] = {}
    for name in sorted({*before, *after}):
        if name not in before or name not in after:
            found[name] = "added" if name in after else "removed"
        elif changes := list(differences(before[name], after[name])):
            found[name] = changes
    return found
