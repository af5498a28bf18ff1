"""The recorded answers of engines: a line for each question, in a file for each version."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

OBSERVED = Path(__file__).resolve().parents[2] / "tests/observed/engines"
Row = dict[str, Any]


def write_rows(engine: str, version: str, rows: Iterable[Row]) -> None:
    """Rows with their answers, in the order in which they were asked."""
    folder = OBSERVED / engine
    folder.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / f"{version}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


def read_rows(engine: str) -> dict[str, list[Row]]:
    """All rows by version."""
    paths = sorted((OBSERVED / engine).glob("*.json"))
    return {path.stem: json.loads(path.read_text("utf-8")) for path in paths}
