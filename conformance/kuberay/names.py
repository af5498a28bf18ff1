"""Names and numbers that KubeRay and the API server draw, replaced by ones that stay the same."""

import json
import re
from collections.abc import Iterable
from typing import Any

from conformance.kubernetes.client import Object

_UID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
#: As both draw them: five characters, and no vowels.
_DRAWN = re.compile(r"-([bcdfghjklmnpqrstvwxz2456789]{5})\Z")
#: Names of pods that were never made are in messages alone.
_POD = re.compile(r"-(head|worker)-[bcdfghjklmnpqrstvwxz2456789]{5}\b")
_SPENT = re.compile(r"(Time spent [a-z]+: |exceeded after )[0-9.ms]+")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?( [+]0000 UTC)?")
_REPLICA = "ray.io/worker-group-replica-name"
#: Names of Ray clusters are cut off here where pods are named after them.
_LONGEST = 50
_SIDES = ("active", "pending")
_PATTERNS = (
    (_UID, "uid"),
    (_POD, r"-\1-xxxxx"),
    (_SPENT, r"\1drawn"),
    (_TIME, "drawn"),
)


class Names:
    """Remembers the Ray clusters of an object: the first that was drawn is 00001, and so on."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[str, str] = {}
        self._cut: dict[str, str] = {}

    def learn(self, things: Iterable[Object]) -> None:
        """Ray clusters in the order of their making; pods and replicas are all alike."""
        found = list(things)
        clusters = [thing for thing in found if thing["kind"] == "RayCluster"]
        for thing in sorted(clusters, key=lambda item: item["metadata"]["creationTimestamp"]):
            self._count(thing["metadata"]["name"])
        for thing in found:
            labels = thing["metadata"].get("labels") or {}
            drawn = [thing["metadata"]["name"]] if thing["kind"] == "Pod" else []
            for name in (*drawn, labels.get(_REPLICA, "")):
                if match := _DRAWN.search(name):
                    self._known.setdefault(match[1], "xxxxx")

    def learn_status(self, status: Object) -> None:
        """Ray clusters that are gone are in the status still; so is a job's identity, if drawn."""
        parts = (status, *(status.get(f"{side}ServiceStatus", {}) for side in _SIDES))
        for part in parts:
            self._count(part.get("rayClusterName", ""))
        identity = status.get("jobId", "")
        if identity.startswith(f"{self._root}-") and (match := _DRAWN.search(identity)):
            self._known.setdefault(match[1], "jobid")

    def _count(self, name: str) -> None:
        match = _DRAWN.search(name)
        is_child = name.startswith(f"{self._root}-")
        if match and is_child and match[1] not in self._known:
            number = sum(known.isdigit() for known in self._known.values()) + 1
            self._known[match[1]] = f"{number:05}"
            if len(name) > _LONGEST:
                whole = f"{self._root}-{number:05}"
                self._cut[name[:_LONGEST]] = whole[:_LONGEST]

    def replaced(self, tree: Any) -> Any:
        text = json.dumps(tree)
        for drawn, known in self._known.items():
            text = re.sub(rf"-{drawn}\b", f"-{known}", text)
        for drawn, known in self._cut.items():
            text = text.replace(drawn, known)
        for pattern, known in _PATTERNS:
            text = pattern.sub(known, text)
        return json.loads(text)
