"""Answers of both servers as rows: that of the first, and of the other where it differs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.kubernetes.companions.asking import NOT_SERVED, Answer, Cluster
from conformance.kubernetes.companions.tables import Case, Edit
from conformance.kubernetes.places import OBSERVED
from conformance.kubernetes.server import RELEASES
from conformance.operators.records import Row

KINDS = OBSERVED / "companions/kinds.json"
CASES, EDITS = OBSERVED / "companions/cases", OBSERVED / "companions/edits"
VERSIONS = tuple(release.minor for release in RELEASES)


def row_of(entry: Case | Edit, answers: Mapping[str, Answer]) -> Row:
    """The question without what it lacks, and the answers."""
    asked = {key: item for key, item in entry._asdict().items() if key != "file" and item}
    usual = answers[VERSIONS[0]]
    others = {version: answer for version, answer in answers.items() if answer != usual}
    return {**asked, "answer": usual, **({"otherwise": others} if others else {})}


def answer_of(row: Row, version: str) -> Answer:
    """What a server of a version said to a recorded row."""
    found: Answer = row.get("otherwise", {}).get(version, row["answer"])
    return found


def count(what: str, rows: Iterable[Row]) -> Iterator[str]:
    """The figures that the documentation has."""
    known = list(rows)
    kinds = {_object(row)["kind"] for row in known}
    yield f"{len(known)} {what} of {len(kinds)} kinds"
    for version in VERSIONS:
        found = Counter(answer_of(row, version)["outcome"] for row in known)
        parts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(found.items()))
        yield f"{version}: {parts}"


def _object(row: Row) -> Any:
    return row.get("manifest") or row["before"]


def served_kinds(clusters: Mapping[str, Cluster]) -> Row:
    """What each server calls its kinds in addresses, whether they belong to a namespace, and in
    which versions it has them.
    """
    found: Row = {}
    for minor, cluster in clusters.items():
        for (version, kind), (path, is_namespaced) in cluster.kinds.items():
            group, _, number = version.rpartition("/")
            entry = {"plural": path.rpartition("/")[2], "namespaced": is_namespaced, "versions": []}
            known = found.setdefault(minor, {}).setdefault(f"{kind}.{group}".rstrip("."), entry)
            known["versions"].append(number)
    return found


def versions_that_serve(row: Row) -> list[str]:
    return [one for one in VERSIONS if answer_of(row, one)["outcome"] != NOT_SERVED]
