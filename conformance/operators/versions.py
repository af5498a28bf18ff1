"""Answers of another version than the one that most is asked of: those that differ are kept.

`generated/<version>.json` begins with how many tenths of the generated rows were asked of it, and
how many rows that is; then come the rows that it answers otherwise. All others are answered alike,
but for the version itself, which an operator writes into variables and images.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from conformance.operators.generated_rows import beginning
from conformance.operators.generation import tenth_of
from conformance.operators.records import Row, dumped, read_rows


class Version(NamedTuple):
    """What is recorded of a version."""

    tenths: int
    asked: int
    otherwise: Mapping[str, Row]


def read_version(place: Path, version: str) -> Version:
    head, *rows = json.loads((place / f"{version}.json").read_text("utf-8"))
    return Version(head["tenths"], head["asked"], {row["name"]: row for row in rows})


def generated_rows(place: Path, kind: str, version: str = "") -> list[Row]:
    """All of `cases` or `edits`; of another version than the usual one, each with that version."""
    rows = expected_rows(place, kind, version)
    if not version:
        return rows
    tenths = read_version(place, version).tenths
    return [{**row, "version": version} for row in rows if tenth_of(row["name"]) < tenths]


def expected_rows(place: Path, kind: str, version: str = "") -> list[Row]:
    """The same, with those that another version was not asked, as if they were answered alike."""
    rows = [row for file in read_rows(place / kind).values() for row in file]
    known = read_version(place, version).otherwise if version else {}
    return [known.get(row["name"], row) for row in rows]


class Asked(NamedTuple):
    """What a version answers now, to so many tenths of all rows; `first` is the usual version."""

    version: str
    first: str
    tenths: int
    rows: list[Row]

    def otherwise(self, place: Path) -> list[Row]:
        """The rows that the usual version answered otherwise."""
        usual = _by_name(generated_rows(place, kind) for kind in ("cases", "edits"))
        return [row for row in self.rows if not self._is_alike(row, usual[row["name"]])]

    def _is_alike(self, row: Row, usual: Row) -> bool:
        named = json.loads(json.dumps(row).replace(f"v{self.version}", f"v{self.first}"))
        return beginning(named) == beginning(usual)

    def write(self, place: Path) -> None:
        head = {"tenths": self.tenths, "asked": len(self.rows)}
        content = [head, *self.otherwise(place)]
        (place / f"{self.version}.json").write_text(dumped(content), "utf-8")

    def compare(self, place: Path) -> None:
        """Fail if something else is recorded of what was asked."""
        known = read_version(place, self.version)
        assert self.tenths <= known.tenths
        recorded = {
            name: row for name, row in known.otherwise.items() if tenth_of(name) < self.tenths
        }
        answered = {row["name"]: row for row in self.otherwise(place)}
        different = {
            name: {"recorded": recorded.get(name), "answered": answered.get(name)}
            for name in sorted({*recorded, *answered})
            if recorded.get(name) != answered.get(name)
        }
        assert not different, json.dumps(different, indent=1)


def _by_name(tables: Iterable[list[Row]]) -> dict[str, Row]:
    return {row["name"]: row for rows in tables for row in rows}
