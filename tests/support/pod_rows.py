"""Recorded pods in specs of every kind that has whole pods, and what is found in each.

`python -m tests.support.pod_rows [PATTERN]` lists what is judged otherwise than it was recorded.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from conformance.kubernetes.pods.recordings import VERSIONS, Row, pod_of, read_bases, read_rows
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
_HEAD = {
    "name": "ray-head",
    "image": "rayproject/ray:2.52.0",
    "resources": {"limits": {"cpu": "2", "memory": "4Gi"}},
}
#: What a runtime has of a pod, and both kinds of KServe of its metadata.
_FIELDS_OF_RUNTIMES = frozenset(
    ("affinity", "containers", "hostIPC", "imagePullSecrets", "nodeSelector", "resourceClaims",
     "schedulerName", "tolerations", "volumes")
)  # fmt: skip
_FIELDS_OF_METADATA = frozenset(("labels", "annotations"))


def _inference_service(pod: Any) -> dict[str, Any]:
    return {"predictor": {"minReplicas": 1, **pod.get("metadata", {}), **pod["spec"]}}


def _serving_runtime(pod: Any) -> dict[str, Any]:
    formats = [{"name": "own", "version": "1"}]
    return {"supportedModelFormats": formats, **pod.get("metadata", {}), **pod["spec"]}


def _cluster(pod: Any) -> dict[str, Any]:
    head = {"rayStartParams": {"num-cpus": "0"}, "template": pod}
    return {"rayVersion": "2.52.0", "headGroupSpec": head}


def _ray_job(pod: Any) -> dict[str, Any]:
    """The policy is the one that a Job was asked with."""
    return {
        "entrypoint": "python train.py",
        "submitterPodTemplate": {**pod, "spec": {"restartPolicy": "Never", **pod["spec"]}},
        "rayClusterSpec": _cluster({"spec": {"containers": [_HEAD]}}),
    }


class Home(NamedTuple):
    """A kind that has a pod, and the shape in which the pod comes to the API server."""

    kind: str
    shape: str
    spec: Callable[[Any], dict[str, Any]]

    def has_room(self, pod: Any, known: frozenset[str]) -> bool:
        """Whether the kind has the fields at all; one that no pod has is wrong everywhere."""
        if self.kind.startswith("Ray"):
            return True
        metadata, given = pod.get("metadata", {}), frozenset(pod["spec"])
        if self.kind == "ServingRuntime" and (given & known) - _FIELDS_OF_RUNTIMES:
            return False
        return isinstance(metadata, dict) and metadata.keys() <= _FIELDS_OF_METADATA


HOMES = (
    Home("InferenceService", "deployment", _inference_service),
    Home("ServingRuntime", "deployment", _serving_runtime),
    Home("RayCluster", "pod", _cluster),
    Home("RayJob", "job", _ray_job),
)
#: By the name of a row, the kinds that it is tried in.
Choice = Callable[[str], Iterable[Home]]


class Replayed(NamedTuple):
    """A row in a spec, and the errors that were found there."""

    row: Row
    home: Home
    errors: tuple[Diagnostic, ...]

    @property
    def name(self) -> str:
        return self.row.mutation.name

    @property
    def agrees(self) -> bool:
        return bool(self.errors) == self.row.is_refused(VERSIONS[0], self.home.shape)

    def __str__(self) -> str:
        ours = "; ".join(f"{error.code} {error.message}" for error in self.errors) or "nothing"
        answer = self.row.answers[f"{VERSIONS[0]}/{self.home.shape}"]
        theirs = "; ".join(" ".join(cause) for cause in answer.get("causes", ())) or "accepted"
        value = json.dumps(self.row.mutation.value)[:200]
        return f"{self.home.kind} | {self.name} | {value} | {theirs} | {ours}"


def everywhere(_name: str) -> Iterable[Home]:
    return HOMES


def replay(choice: Choice) -> Iterator[Replayed]:
    """All that is chosen in one repository, which is checked once."""
    pairs = list(_chosen(choice, read_bases()))
    files = {"servingctl.yaml": "", "environments/dev/environment.yaml": json.dumps(_ENVIRONMENT)}
    for number, (_, home, pod) in enumerate(pairs):
        spec = {**_HEADER, "kind": home.kind, **home.spec(pod)}
        files[_file(number)] = json.dumps(spec)
    errors: dict[str, list[Diagnostic]] = {}
    for item in check(project(files)):
        if item.severity is Severity.ERROR:
            errors.setdefault(item.file, []).append(item)
    for number, (row, home, _) in enumerate(pairs):
        yield Replayed(row, home, tuple(errors.get(_file(number), ())))


def _chosen(choice: Choice, bases: dict[str, Any]) -> Iterator[tuple[Row, Home, Any]]:
    known = frozenset(key for pod in bases.values() for key in pod["spec"])
    for name, row in read_rows().items():
        if homes := [*choice(name)]:
            pod = pod_of(row.mutation, bases)
            yield from ((row, home, pod) for home in homes if home.has_room(pod, known))


def _file(number: int) -> str:
    return f"environments/dev/specs/row-{number}.yaml"


def _list(pattern: str) -> Iterator[str]:
    items = [*replay(lambda name: HOMES if fnmatchcase(name, pattern) else ())]
    wrong = [item for item in items if not item.agrees]
    yield from map(str, wrong)
    amiss = Counter(item.home.kind for item in wrong)
    for kind, number in Counter(item.home.kind for item in items).items():
        yield f"{kind}: {number - amiss[kind]} of {number} alike"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in _list(*sys.argv[1:] or ["*"]))
