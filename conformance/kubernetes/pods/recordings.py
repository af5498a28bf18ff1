"""The recorded answers: a file of rows for each area of a pod, and one of pods to begin with."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from conformance.kubernetes.places import OBSERVED
from conformance.kubernetes.pods.asking import SHAPES, Answer
from conformance.kubernetes.pods.mutations import Mutation
from conformance.kubernetes.pods.trees import changed, expanded
from conformance.kubernetes.server import RELEASES

FOLDER = OBSERVED / "pods"
VERSIONS = tuple(release.minor for release in RELEASES)
_BASES = FOLDER / "bases.json"
#: What each pod is asked as: `1.33/deployment`. The first answer stands for all that are equal.
QUESTIONS = tuple(f"{version}/{shape}" for version in VERSIONS for shape in SHAPES)
#: The first that is in the name of a row, up to its colon, says the row's file.
_AREAS = {
    "together": "combinations",
    "metadata": "metadata",
    "affinity": "affinity",
    "volumes": "volumes",
    "Probe": "probes",
    "lifecycle": "probes",
    "securityContext": "security",
    "env": "environment",
    "initContainers": "init_containers",
    "containers": "containers",
    "": "pod",
}


class Row(NamedTuple):
    """A changed pod, and what was said to it, by question."""

    mutation: Mutation
    answers: dict[str, Answer]
    #: Kinds of platforms whose schemas do not let it in.
    barred: tuple[str, ...] = ()

    def is_refused(self, version: str, shape: str) -> bool:
        return "causes" in self.answers[f"{version}/{shape}"]


def area_of(name: str) -> str:
    place = name.partition(":")[0]
    return next(area for part, area in _AREAS.items() if part in place)


def pod_of(mutation: Mutation, bases: dict[str, Any]) -> Any:
    """The whole pod, as the template of a workload has it."""
    base = bases[mutation.base]
    return expanded(changed(base, mutation.path, mutation.value)) if mutation.path else base


def fields_of_pods(mutations: Iterable[Mutation]) -> frozenset[str]:
    """Those that a pod has at its top."""
    paths = (mutation.path for mutation in mutations)
    return frozenset(str(path[1]) for path in paths if path[:1] == ("spec",) and len(path) > 1)


def read_bases() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_BASES.read_text("utf-8"))
    return found


def read_rows() -> dict[str, Row]:
    """All of them by name."""
    files = sorted(path for path in FOLDER.glob("*.json") if path != _BASES)
    rows = (_row(data) for path in files for data in json.loads(path.read_text("utf-8")))
    return {row.mutation.name: row for row in rows}


def _row(data: dict[str, Any]) -> Row:
    others = data.get("otherwise", {})
    return Row(
        Mutation(data["name"], data["base"], tuple(data["path"]), data["value"]),
        {question: others.get(question, data["answer"]) for question in QUESTIONS},
        tuple(data.get("barred", ())),
    )


def _data(row: Row) -> dict[str, Any]:
    usual = row.answers[QUESTIONS[0]]
    others = {key: answer for key, answer in row.answers.items() if answer != usual}
    return {
        **row.mutation._asdict(),
        "answer": usual,
        **({"otherwise": others} if others else {}),
        **({"barred": row.barred} if row.barred else {}),
    }


def write(bases: dict[str, Any], rows: Iterable[Row]) -> None:
    """All files anew; a row is a line, so that a difference can be read."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    _BASES.write_text(_object(bases), "utf-8")
    by_area: dict[str, list[str]] = {}
    for row in rows:
        by_area.setdefault(area_of(row.mutation.name), []).append(_line(_data(row)))
    for area, lines in by_area.items():
        text = "[\n" + ",\n".join(lines) + "\n]\n"
        (FOLDER / f"{area}.json").write_text(text, "utf-8")


def _line(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _object(data: dict[str, Any]) -> str:
    lines = (f"{_line(key)}:{_line(value)}" for key, value in data.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def count(rows: Iterable[Row]) -> Iterator[str]:
    """The figures that the documentation has."""
    refused: Counter[str] = Counter()
    total = differing = 0
    for row in rows:
        total += 1
        refused.update(key for key, answer in row.answers.items() if "causes" in answer)
        differing += any(
            row.is_refused(VERSIONS[0], shape) != row.is_refused(VERSIONS[-1], shape)
            for shape in SHAPES
        )
    yield f"{total} changes of pods, of which {differing} are judged otherwise by {VERSIONS[-1]}"
    for question in QUESTIONS:
        yield f"{question}: {total - refused[question]} accepted, {refused[question]} refused"
