"""Recorded pods in specs of every kind that has whole pods, and what is found in each.

`python -m tests.support.pod_rows [PATTERN [VERSION]]` lists what is judged otherwise than recorded.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from conformance.kubernetes.pods.homes import HOMES, Home
from conformance.kubernetes.pods.recordings import (
    VERSIONS,
    Row,
    fields_of_pods,
    pod_of,
    read_bases,
    read_rows,
)
from renderer import check
from renderer.values.diagnostics import Diagnostic, Severity
from tests.support.memory import project

_HEADER = {"apiVersion": "serving.gitops/v1"}
_ENVIRONMENT = {
    **_HEADER,
    "kind": "Environment",
    "destinations": [{"name": "cluster", "platform": "kubernetes", "namespace": "default"}],
    "kserve": {"default_mode": "Standard"},
    "kuberay": {"ray_version": "2.52.0"},
}
_PLACE = "environments/dev"
_AT_ONCE = 300
#: The kinds that a row is tried in.
Choice = Callable[[Row], Iterable[Home]]


class Replayed(NamedTuple):
    """A row in a spec, and the errors that were found there for a version of Kubernetes."""

    row: Row
    home: Home
    version: str
    errors: tuple[Diagnostic, ...]

    @property
    def name(self) -> str:
        return self.row.mutation.name

    @property
    def is_refused(self) -> bool:
        """By the schema of the kind, or later, when its pod is made."""
        kept_out = self.home.kind in self.row.barred
        return kept_out or self.row.is_refused(self.version, self.home.shape)

    @property
    def agrees(self) -> bool:
        return bool(self.errors) == self.is_refused

    def __str__(self) -> str:
        ours = "; ".join(f"{error.code} {error.message}" for error in self.errors) or "nothing"
        answer = self.row.answers[f"{self.version}/{self.home.shape}"]
        theirs = "; ".join(" ".join(cause) for cause in answer.get("causes", ())) or "accepted"
        schema = "its own schema, then " if self.home.kind in self.row.barred else ""
        value = json.dumps(self.row.mutation.value)[:200]
        return f"{self.home.kind} | {self.name} | {value} | {schema}{theirs} | {ours}"


def replay(choice: Choice, version: str = VERSIONS[0]) -> Iterator[Replayed]:
    """All that is chosen; hundreds of one kind in a repository, as runtimes are all compared."""
    chosen = list(_chosen(choice, read_bases()))
    for home in HOMES:
        specs = [(row, pod) for row, of, pod in chosen if of is home]
        for start in range(0, len(specs), _AT_ONCE):
            yield from _checked(home, specs[start : start + _AT_ONCE], version)


def _checked(home: Home, specs: list[tuple[Row, Any]], version: str) -> Iterator[Replayed]:
    about = {**_ENVIRONMENT, "kubernetes": {"version": version}}
    files = {"servingctl.yaml": "", f"{_PLACE}/environment.yaml": json.dumps(about)}
    for number, (_, pod) in enumerate(specs):
        files[_file(number)] = json.dumps({**_HEADER, "kind": home.kind, **home.spec(pod)})
        if home.kind == "ServingRuntime":
            files[f"{_PLACE}/users/user-{number}.yaml"] = json.dumps(_user_of(f"row-{number}"))
    errors: dict[str, list[Diagnostic]] = {}
    for item in check(project(files)):
        if item.severity is Severity.ERROR:
            errors.setdefault(item.file, []).append(item)
    for number, (row, _) in enumerate(specs):
        yield Replayed(row, home, version, tuple(errors.get(_file(number), ())))


def _chosen(choice: Choice, bases: dict[str, Any]) -> Iterator[tuple[Row, Home, Any]]:
    rows = read_rows()
    known = fields_of_pods(row.mutation for row in rows.values())
    for row in rows.values():
        if homes := [*choice(row)]:
            pod = pod_of(row.mutation, bases)
            yield from ((row, home, pod) for home in homes if home.has_room(pod, known))


def _user_of(runtime: str) -> dict[str, Any]:
    """A service, without which nothing can be said of what services add to a runtime."""
    model = {
        "modelFormat": {"name": "own", "version": "1"},
        "runtime": runtime,
        "storageUri": "s3://models/own/v1",
    }
    return {**_HEADER, "kind": "InferenceService", "predictor": {"model": model}}


def _file(number: int) -> str:
    return f"{_PLACE}/specs/row-{number}.yaml"


def figures(items: Iterable[Replayed]) -> Iterator[str]:
    """How many agree, by kind and in all."""
    seen: Counter[str] = Counter()
    alike: Counter[str] = Counter()
    for item in items:
        for kind in (item.home.kind, "all"):
            seen[kind] += 1
            alike[kind] += item.agrees
    for kind, number in seen.items():
        yield f"{kind}: {alike[kind]} of {number} alike, {alike[kind] / number:.2%}"


def _listed(pattern: str = "*", version: str = VERSIONS[0]) -> Iterator[str]:
    items = [*replay(lambda row: HOMES if fnmatchcase(row.mutation.name, pattern) else (), version)]
    yield from (str(item) for item in items if not item.agrees)
    yield from figures(items)


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in _listed(*sys.argv[1:]))
