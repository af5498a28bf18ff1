"""The rows on disk, and their figures."""

import json
from collections import Counter
from typing import Any

from conformance.kserve.places import OBSERVED

Row = dict[str, Any]
Rows = dict[str, list[Row]]
_DEPTH = 3


def read_rows(folder: str) -> Rows:
    """All recorded rows by file."""
    return {
        path.stem: json.loads(path.read_text("utf-8"))
        for path in sorted((OBSERVED / folder).glob("*.json"))
    }


def write_rows(folder: str, rows: Rows) -> None:
    """One file for each of the table, in the table's order."""
    place = OBSERVED / folder
    place.mkdir(parents=True, exist_ok=True)
    for path in place.glob("*.json"):
        path.unlink()
    for name, found in rows.items():
        (place / f"{name}.json").write_text(dumped(found), "utf-8")


def dumped(rows: list[Row]) -> str:
    """A line for each value of a row, or for each entry of it: small, and a change can be seen."""
    return _dumped(rows, _DEPTH) + "\n"


def _dumped(tree: Any, depth: int) -> str:
    if not depth or not tree or not isinstance(tree, dict | list):
        return json.dumps(tree, sort_keys=True, ensure_ascii=False)
    indent = " " * (_DEPTH - depth)
    if isinstance(tree, list):
        inner = [_dumped(item, depth - 1) for item in tree]
        opening, closing = "[]"
    else:
        inner = [f"{json.dumps(key)}: {_dumped(tree[key], depth - 1)}" for key in sorted(tree)]
        opening, closing = "{}"
    lines = ",\n".join(f"{indent} {line}" for line in inner)
    return f"{opening}\n{lines}\n{indent}{closing}"


def count_cases(rows: Rows) -> str:
    """The figures that the documentation has."""
    found = [row for file in rows.values() for row in file]
    by = Counter(_judge(row) for row in found)
    parts = ", ".join(f"{name} {number}" for name, number in sorted(by.items()))
    return f"{len(found)} manifests: {parts}"


def _judge(row: Row) -> str:
    if not row["accepted"]:
        return "refused by the API server" if row["by"] == "API server" else "refused by a webhook"
    return "accepted"


def count_edits(rows: Rows) -> str:
    found = [row for file in rows.values() for row in file]
    by = Counter(fate for row in found for fate in row.get("templates", {"": "refused"}).values())
    parts = ", ".join(f"{name} {number}" for name, number in sorted(by.items()))
    return f"{len(found)} edits; pod templates: {parts}"
