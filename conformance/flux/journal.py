"""All that happens to objects of some kinds, in the order in which the server stored it."""

import json
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPSConnection
from threading import Lock, Thread
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from conformance.kubernetes.client import Client, Object
from conformance.operators.plain import described

KUSTOMIZATION = "Kustomization"
#: The kinds that are watched, and the lists that they are in.
KINDS = {
    KUSTOMIZATION: "/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations",
    "AppImage": "/apis/kuscia.secretflow/v1alpha1/appimages",
    "ServingRuntime": "/apis/serving.kserve.io/v1alpha1/servingruntimes",
    "ClusterServingRuntime": "/apis/serving.kserve.io/v1alpha1/clusterservingruntimes",
    "LLMInferenceServiceConfig": "/apis/serving.kserve.io/v1alpha2/llminferenceserviceconfigs",
    "KusciaDeployment": "/apis/kuscia.secretflow/v1alpha1/kusciadeployments",
    "InferenceService": "/apis/serving.kserve.io/v1beta1/inferenceservices",
    "LLMInferenceService": "/apis/serving.kserve.io/v1alpha2/llminferenceservices",
    "InferenceGraph": "/apis/serving.kserve.io/v1alpha1/inferencegraphs",
    "TrainedModel": "/apis/serving.kserve.io/v1alpha1/trainedmodels",
    "RayCluster": "/apis/ray.io/v1/rayclusters",
    "RayJob": "/apis/ray.io/v1/rayjobs",
    "RayService": "/apis/ray.io/v1/rayservices",
    "ConfigMap": "/api/v1/configmaps",
    "Job": "/apis/batch/v1/jobs",
    "Namespace": "/api/v1/namespaces",
    "PersistentVolumeClaim": "/api/v1/persistentvolumeclaims",
    "PodDisruptionBudget": "/apis/policy/v1/poddisruptionbudgets",
    "ServiceAccount": "/api/v1/serviceaccounts",
    "ServiceMonitor": "/apis/monitoring.coreos.com/v1/servicemonitors",
}
#: Those of `companions.yaml`, which no platform reports of.
COMPANIONS = (
    "ConfigMap", "Job", "Namespace", "PersistentVolumeClaim", "PodDisruptionBudget",
    "ServiceAccount", "ServiceMonitor",
)  # fmt: skip
RENDERED = tuple(kind for kind in KINDS if kind not in (KUSTOMIZATION, *COMPANIONS))
_OWNER = "kustomize.toolkit.fluxcd.io/name"
#: Watches are behind by moments.
_DELAY = 0.5
#: A busy machine serves a kind that is new only after a while.
_PATIENCE = 180


class Entry(NamedTuple):
    """One change: of an object that a Kustomization made, or of a Kustomization that is ready now.

    The version is the server's count of all its changes: entries of all kinds have one order.
    """

    version: int
    kustomization: str
    what: str
    name: str = ""


class Journal:
    """What was seen on one server since the beginning."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._last: dict[str, Any] = {}
        self._lock = Lock()

    def note(self, kind: str, event: str, thing: Object) -> None:
        with self._lock:
            entry = self._entry(kind, event, thing)
            if entry:
                self._entries.append(entry)

    def _entry(self, kind: str, event: str, thing: Object) -> Entry | None:
        metadata = thing["metadata"]
        version = int(metadata["resourceVersion"])
        name = f"{kind}/{metadata['name']}"
        before = self._last.get(metadata["uid"])
        if kind == KUSTOMIZATION:
            ready = readiness(thing)
            is_news = ready.is_true and bool(ready.revision) and ready.revision != before
            self._last[metadata["uid"]] = ready.revision if is_news else before
            return Entry(version, metadata["name"], "ready") if is_news else None
        now = described(thing)
        self._last[metadata["uid"]] = now
        what = _change(event, metadata, before == now)
        owner = metadata.get("labels", {}).get(_OWNER, "")
        return Entry(version, owner, what, name) if what else None

    def mark(self) -> int:
        """How many entries there are, once those on their way have arrived."""
        time.sleep(_DELAY)
        with self._lock:
            return len(self._entries)

    def since(self, mark: int) -> list[Entry]:
        """Later ones, in the order of the server."""
        self.mark()
        with self._lock:
            return sorted(self._entries[mark:])


def _change(event: str, metadata: Object, is_same: bool) -> str:
    """In a word; a status that somebody wrote is no change."""
    if event == "DELETED":
        return "deleted"
    if metadata.get("deletionTimestamp"):
        return "marked for deletion"
    if event == "ADDED":
        return "created"
    return "" if is_same else "changed"


class Readiness(NamedTuple):
    """Whether a Kustomization is ready, and the revision that it was ready for at last."""

    is_true: bool
    revision: str


def readiness(thing: Object) -> Readiness:
    status = thing.get("status", {})
    states = {item["type"]: item["status"] for item in status.get("conditions", ())}
    return Readiness(states.get("Ready") == "True", status.get("lastAppliedRevision", ""))


@contextmanager
def kept(client: Client, kinds: tuple[str, ...]) -> Iterator[Journal]:
    """A journal of these kinds for as long as somebody reads it."""
    journal = Journal()
    with ExitStack() as stack:
        for kind in kinds:
            stack.callback(_Watch(client, kind, journal).close)
        yield journal


class _Watch:
    """One list of a server, followed by a thread."""

    def __init__(self, client: Client, kind: str, journal: Journal) -> None:
        self._kind, self._journal = kind, journal
        client.wait_until(KINDS[kind], _PATIENCE)
        version = client.request("GET", KINDS[kind]).body["metadata"]["resourceVersion"]
        trust = ssl.create_default_context(cafile=client.where["ca"])
        self._connection = HTTPSConnection(urlsplit(client.where["server"]).netloc, context=trust)
        headers = {"Authorization": f"Bearer {client.where['token']}"}
        path = f"{KINDS[kind]}?watch=true&timeoutSeconds=3600&resourceVersion={version}"
        self._connection.request("GET", path, headers=headers)
        self._socket: socket.socket = self._connection.sock
        self._response = self._connection.getresponse()
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        try:
            while line := self._response.readline():
                event = json.loads(line)
                self._journal.note(self._kind, event["type"], event["object"])
        except (OSError, ValueError, AttributeError):
            return

    def close(self) -> None:
        """Take the thread out of its waiting, and let nothing stay open."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._response.close()
        self._connection.close()
