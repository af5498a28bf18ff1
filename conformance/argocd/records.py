"""What Argo CD answered, a file for each subject, and whether it still answers so."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from conformance.argocd.places import OBSERVED
from conformance.kubernetes.client import Object
from conformance.operators.records import Row


def place_of(subject: str) -> Path:
    return OBSERVED / f"{subject}.json"


def read(subject: str) -> Row:
    found: Row = json.loads(place_of(subject).read_text("utf-8"))
    return found


def dumped(answers: Row) -> str:
    """A line for each answer: small, and a change can be seen."""
    lines = (f" {json.dumps(name)}: {_line(answers[name])}" for name in sorted(answers))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _line(tree: Any) -> str:
    return json.dumps(tree, sort_keys=True, ensure_ascii=False)


def compare(subject: str, answers: Row, *, update: bool) -> None:
    """Fail if something else is recorded; with `update`, record it first."""
    if update:
        OBSERVED.mkdir(parents=True, exist_ok=True)
        place_of(subject).write_text(dumped(answers), "utf-8")
    recorded = read(subject)
    names = sorted(answers.keys() | recorded.keys())
    different = {
        name: {"recorded": recorded.get(name), "answered": answers.get(name)}
        for name in names
        if answers.get(name) != recorded.get(name)
    }
    assert not different, json.dumps(different, indent=1)


def identity_of(thing: Object) -> str:
    about = thing["metadata"]
    return f"{thing['kind']} {about.get('namespace', '')}/{about['name']}"


def count_generated(rows: Row) -> str:
    number = sum(len(row["objects"]) for row in rows.values())
    return f"{number} objects generated for {len(rows)} Applications"


def count_health(answers: Row) -> str:
    """The figures that the documentation has."""
    found = Counter(row["status"] for row in answers.values())
    told = ", ".join(f"{word} {number}" for word, number in sorted(found.items()))
    return f"{len(answers)} live objects: {told}"


def count_unlike(rows: dict[str, list[str]]) -> str:
    told = ", ".join(f"{words} {len(names)}" for words, names in sorted(rows.items()))
    return f"{sum(map(len, rows.values()))} judged otherwise than by Argo CD's own script ({told})"
