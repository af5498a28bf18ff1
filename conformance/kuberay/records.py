"""The recorded rows of KubeRay, and their figures."""

from collections import Counter
from collections.abc import Iterable

from conformance.kuberay.places import OBSERVED
from conformance.operators import records
from conformance.operators.records import Row, Rows

_JUDGES = {
    "API server": "refused by the API server",
    "API server, later": "refused by the API server later",
    "operator": "refused by the operator",
}


def read_rows(folder: str) -> Rows:
    """All recorded rows by file."""
    return records.read_rows(OBSERVED / folder)


def count_cases(rows: Rows) -> str:
    """The figures that the documentation has."""
    found = [row for file in rows.values() for row in file]
    return f"{len(found)} manifests: {_parts(map(_judge, found))}"


def _judge(row: Row) -> str:
    if row["accepted"]:
        return "accepted"
    return _JUDGES.get(row["by"], "refused by a webhook")


def count_edits(rows: Rows) -> str:
    found = [row for file in rows.values() for row in file]
    return f"{len(found)} edits: {_parts(row['outcome'] for row in found)}"


def _parts(words: Iterable[str]) -> str:
    return ", ".join(f"{word} {number}" for word, number in sorted(Counter(words).items()))
