"""Rows of answers on disk, and whether they are still what is answered."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Rows = dict[str, list[Row]]
_DEPTH = 3


def read_rows(place: Path) -> Rows:
    """All recorded rows by file."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(place.glob("*.json"))}


def write_rows(place: Path, rows: Rows) -> None:
    """One file for each of the table, in the table's order."""
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


def in_order(files: Mapping[str, str], rows: Iterable[Row]) -> Rows:
    """Rows by file, in the order of the table, which says by name in which file each is."""
    found: Rows = {}
    by_name = {row["name"]: row for row in rows}
    for name, file in files.items():
        found.setdefault(file, []).append(by_name[name])
    return found


def as_it_is(row: Row) -> Row:
    return row


def compare(
    place: Path, found: Rows, *, update: bool, steady: Callable[[Row], Row] = as_it_is
) -> None:
    """Fail if something else is recorded; with `update`, record it first.

    `steady` leaves out what a platform answers now this way, now that.
    """
    if update:
        write_rows(place, found)
    compare_some(place, found, steady)
    assert _by_name(found).keys() == _by_name(read_rows(place)).keys()


def compare_some(place: Path, found: Rows, steady: Callable[[Row], Row] = as_it_is) -> None:
    """Fail if something else is recorded of those rows that were asked."""
    recorded = _by_name(read_rows(place))
    different = {
        name: {"recorded": recorded.get(name), "answered": row}
        for name, row in _by_name(found).items()
        if name not in recorded or steady(row) != steady(recorded[name])
    }
    assert not different, json.dumps(different, indent=1)


def _by_name(found: Rows) -> dict[str, Row]:
    return {row["name"]: row for rows in found.values() for row in rows}
