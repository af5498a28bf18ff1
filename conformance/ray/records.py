"""The recorded answers of Ray: a line for each, in a file for each subject."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from conformance.ray.mutations import HERE, Mutation

OBSERVED = HERE.parent.parent / "tests/observed/ray"
Row = dict[str, Any]


def row_of(mutation: Mutation, answers: Mapping[str, str | None]) -> Row:
    """What was given, and by version which step refused it and in which words."""
    refused = {version: said for version, said in answers.items() if said is not None}
    return {"name": mutation.name, "given": mutation.given, "refused": refused}


def read_rows() -> dict[str, list[Row]]:
    """All rows by subject."""
    return {p.stem: json.loads(p.read_text("utf-8")) for p in sorted(OBSERVED.glob("*.json"))}


def write_rows(rows: Mapping[str, Iterable[Row]]) -> None:
    OBSERVED.mkdir(parents=True, exist_ok=True)
    for subject, found in rows.items():
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
        (OBSERVED / f"{subject}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


def count(rows: Mapping[str, list[Row]]) -> str:
    """How many there are, for the documentation."""
    refused = {name: sum(bool(row["refused"]) for row in some) for name, some in rows.items()}
    parts = (f"{name} {len(some)} ({refused[name]} refused)" for name, some in rows.items())
    return f"{sum(map(len, rows.values()))} questions to Ray: {', '.join(parts)}"
