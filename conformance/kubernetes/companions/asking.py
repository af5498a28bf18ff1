"""Objects given to an API server as GitOps controllers do it: applied, strictly, and again."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import urlencode

from conformance.kubernetes.client import Client, Object, Reply
from conformance.kubernetes.companions.tables import Edit
from conformance.operators.quiet import wait_for

NAMESPACE = "models"
ACCEPTED, REFUSED, NOT_SERVED = "accepted", "refused", "not served"
CHANGED, NOTHING = "changed", "nothing"
_QUERY = urlencode({"fieldManager": "servingctl", "force": "true", "fieldValidation": "Strict"})
_AT_ONCE: Object = {"propagationPolicy": "Background", "gracePeriodSeconds": 0}
_MISSING = 404
#: Enough of a message to know which rule spoke.
_LONGEST = 120
#: What differs from run to run and from version to version: the server's words around a message,
#: the value that is refused, and identities of objects.
_SAME = (
    (re.compile(r"^failed to (?:create typed patch|convert new) object \(.*?\)[^:]*: "), ""),
    (re.compile(r'^((?:Invalid|Unsupported) value): (?:"(?:[^"\\]|\\.)*"|.*?): '), r"\1: "),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}"), "UID"),
)
Answer = dict[str, Any]


class Cluster(NamedTuple):
    """A server, and where it has which kinds, also those that it does not serve."""

    client: Client
    kinds: dict[tuple[str, str], tuple[str, bool]]

    def path_of(self, thing: Object) -> str | None:
        """Where an object is, if the server knows the version and the kind."""
        place = self.kinds.get((thing["apiVersion"], thing["kind"]))
        if place is None:
            return None
        base, is_namespaced = place
        version, plural = base.rsplit("/", 1)
        space = f"/namespaces/{NAMESPACE}" if is_namespaced else ""
        return f"{version}{space}/{plural}/{thing['metadata']['name']}"

    def apply(self, path: str, thing: Object) -> Reply:
        if f"/namespaces/{NAMESPACE}/" in path:
            thing = {**thing, "metadata": {**thing["metadata"], "namespace": NAMESPACE}}
        return self.client.request("PATCH", f"{path}?{_QUERY}", thing, "apply-patch+yaml")

    def remove(self, path: str) -> None:
        """At once, and whoever would have to agree."""
        free = {"metadata": {"finalizers": None}}
        self.client.request("PATCH", path, free, "merge-patch+json")
        self.client.request("DELETE", path, _AT_ONCE)
        if path.startswith("/api/v1/namespaces/") and path.count("/") == 4:  # noqa: PLR2004
            self._finish_namespace(path)
        wait_for(lambda: self.client.request("GET", path).status == _MISSING)

    def _finish_namespace(self, path: str) -> None:
        """What its controller does in the end."""
        found = self.client.request("GET", path).body
        self.client.request("PUT", f"{path}/finalize", {**found, "spec": {"finalizers": []}})


def open_cluster(client: Client) -> Cluster:
    """With the kinds that its discovery lists."""
    groups = client.request("GET", "/apis").body["groups"]
    bases = ["/api/v1", *(f"/apis/{v['groupVersion']}" for g in groups for v in g["versions"])]
    return Cluster(client, {key: place for base in bases for key, place in _kinds(client, base)})


def _kinds(client: Client, base: str) -> Iterator[tuple[tuple[str, str], tuple[str, bool]]]:
    listed = client.request("GET", base).body
    for item in listed["resources"]:
        if "/" not in item["name"]:
            key = listed["groupVersion"], item["kind"]
            yield key, (f"{base}/{item['name']}", item["namespaced"])


def ask_case(cluster: Cluster, thing: Object) -> Answer:
    """Whether it is refused, and if not what is stored otherwise, and what a second apply does."""
    path = cluster.path_of(thing)
    if path is None:
        return {"outcome": NOT_SERVED}
    reply = cluster.apply(path, thing)
    warnings = {"warnings": sorted(set(reply.warnings))} if reply.warnings else {}
    if reply.is_refusal:
        return {"outcome": REFUSED, "causes": causes_of(reply)}
    try:
        again = cluster.apply(path, thing)
    finally:
        cluster.remove(path)
    stored = dict(differences(thing, reply.body))
    return {
        "outcome": ACCEPTED,
        **warnings,
        **({"stored": stored} if stored else {}),
        **({} if _content(again.body) == _content(reply.body) else {"again": CHANGED}),
    }


def ask_edit(cluster: Cluster, edit: Edit) -> Answer:
    """Whether an edit is refused, and if not whether it changes what is stored."""
    path = cluster.path_of(edit.before)
    if path is None:
        return {"outcome": NOT_SERVED}
    before = cluster.apply(path, edit.before)
    assert not before.is_refusal, (edit.name, before.body)
    try:
        if edit.before["kind"] == "CustomResourceDefinition":
            wait_for(lambda: _is_established(cluster.client, path))
        if edit.status:
            before = _report(cluster.client, path, edit.status)
            assert not before.is_refusal, (edit.name, before.body)
        after = cluster.apply(path, edit.after)
    finally:
        cluster.remove(path)
    if after.is_refusal:
        return {"outcome": REFUSED, "causes": causes_of(after)}
    return {"outcome": NOTHING if _content(after.body) == _content(before.body) else CHANGED}


def _is_established(client: Client, path: str) -> bool:
    """The server takes a moment to serve a new kind; from then on more of it is fixed."""
    conditions = client.request("GET", path).body.get("status", {}).get("conditions") or ()
    return any(item["type"] == "Established" and item["status"] == "True" for item in conditions)


def causes_of(reply: Reply) -> list[list[str]]:
    """Field, reason and message of each; at least one, whatever the server says."""
    said = reply.body
    listed = (said.get("details") or {}).get("causes") or [said]
    causes = {
        (
            cause.get("field") or "",
            cause.get("reason") or said.get("reason") or "",
            _short(cause.get("message") or ""),
        )
        for cause in listed
    }
    return [list(cause) for cause in sorted(causes)]


def _short(message: str) -> str:
    message = message.partition("\n")[0]
    for pattern, instead in _SAME:
        message = pattern.sub(instead, message)
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"


def _report(client: Client, path: str, status: Object) -> Reply:
    return client.request("PATCH", f"{path}/status", {"status": status}, "merge-patch+json")


def _content(thing: Object) -> Object:
    """Without what the server itself counts and notes, and without the status."""
    notes = ("managedFields", "resourceVersion", "generation")
    metadata = {key: item for key, item in thing["metadata"].items() if key not in notes}
    return {key: item for key, item in {**thing, "metadata": metadata}.items() if key != "status"}


def differences(given: Any, stored: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Places of what was given at which something else is stored, and what."""
    if isinstance(given, dict) and isinstance(stored, dict):
        for key, item in given.items():
            yield from differences(item, stored.get(key), f"{place}.{key}".lstrip("."))
    elif isinstance(given, list) and isinstance(stored, list) and len(given) == len(stored):
        for index, item in enumerate(given):
            yield from differences(item, stored[index], f"{place}[{index}]")
    elif given != stored:
        yield place, stored
