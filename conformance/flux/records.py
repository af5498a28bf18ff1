"""The recorded answers of Flux, and their figures."""

import json
from collections import Counter
from typing import Any

from conformance.flux.places import OBSERVED
from conformance.operators.records import Row, dumped


def read(name: str) -> Any:
    return json.loads((OBSERVED / f"{name}.json").read_text("utf-8"))


def compare(name: str, found: Any, *, update: bool) -> None:
    """Fail if something else is recorded; with `update`, record it first."""
    if update:
        OBSERVED.mkdir(parents=True, exist_ok=True)
        (OBSERVED / f"{name}.json").write_text(dumped(found), "utf-8")
    assert found == read(name)


def count_steps(rows: list[Row]) -> str:
    """The figures that the documentation has."""
    done = Counter(word for row in rows for word in _changes(row))
    parts = ", ".join(f"{number} {word}" for word, number in sorted(done.items()))
    return f"{len({row['step'] for row in rows})} steps: objects {parts}"


def _changes(row: Row) -> list[str]:
    return [line.partition(" ")[0] for line in row["order"] if not line.startswith("ready ")]


def count_health(answers: dict[str, Row]) -> str:
    by_status = Counter(answer["status"] for answer in answers.values())
    parts = ", ".join(f"{status} {number}" for status, number in sorted(by_status.items()))
    return f"{len(answers)} objects: {parts}"
