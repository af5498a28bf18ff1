"""The recorded rows of KServe, and their figures."""

from collections import Counter

from conformance.kserve.places import OBSERVED
from conformance.operators import records
from conformance.operators.records import Row, Rows


def read_rows(folder: str) -> Rows:
    """All recorded rows by file."""
    return records.read_rows(OBSERVED / folder)


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
