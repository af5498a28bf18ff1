"""Flux at work on two clusters: trees are published, and then it is seen what became of them."""

import re
import time
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from conformance.flux.artifacts import Shelf, publish, revision_of
from conformance.flux.journal import KINDS, KUSTOMIZATION, Journal, readiness
from conformance.flux.places import NAMESPACE
from conformance.kubernetes.client import Client, Object
from conformance.operators.quiet import items_of

_REQUEST = "reconcile.fluxcd.io/requestedAt"
_TIMES = re.compile(r" after [0-9.]+m?s")


class Cluster(NamedTuple):
    """A server that destinations are on, and what has happened there."""

    client: Client
    journal: Journal


class Stage(NamedTuple):
    """The server where Flux is and applies to as well, a second one, and the archives."""

    first: Cluster
    second: Cluster
    shelf: Shelf
    judge: Path

    @property
    def clusters(self) -> tuple[Cluster, Cluster]:
        return self.first, self.second

    def publish(self, archives: Iterable[tuple[Object, bytes]]) -> str:
        """Give sources their artifacts, all of the same new revision."""
        number = len(self.shelf.archives) + 1
        for source, data in archives:
            publish(self.first.client, self.shelf, source, data, number)
        return revision_of(number)

    def kustomization(self, name: str) -> Object:
        reply = self.first.client.request("GET", _path(name))
        assert not reply.is_refusal, reply
        found: Object = reply.body
        return found

    def kustomizations(self) -> dict[str, Object]:
        found = items_of(self.first.client, KINDS[KUSTOMIZATION])
        return {item["metadata"]["name"]: item for item in found}

    def request(self, names: Collection[str]) -> str:
        """Have them looked at again."""
        token = str(time.monotonic_ns())
        for name in names:
            self.change(name, {"metadata": {"annotations": {_REQUEST: token}}})
        return token

    def was_handled(self, names: Collection[str], token: str) -> bool:
        known = self.kustomizations()
        return all(
            known[name].get("status", {}).get("lastHandledReconcileAt") == token for name in names
        )

    def are_ready(self, names: Collection[str], revision: str) -> bool:
        known = self.kustomizations()
        return all(is_ready(known[name], revision) for name in names)

    def change(self, name: str, change: Object) -> None:
        reply = self.first.client.request("PATCH", _path(name), change, "merge-patch+json")
        assert not reply.is_refusal, reply

    def delete(self, names: Collection[str]) -> None:
        for name in names:
            self.first.client.request("DELETE", _path(name))

    def are_gone(self, names: Collection[str]) -> bool:
        return not {*names} & {*self.kustomizations()}


def _path(name: str) -> str:
    base, _, plural = KINDS[KUSTOMIZATION].rpartition("/")
    return f"{base}/namespaces/{NAMESPACE}/{plural}/{name}"


def is_ready(kustomization: Object, revision: str) -> bool:
    metadata, status = kustomization["metadata"], kustomization.get("status", {})
    is_seen = status.get("observedGeneration") == metadata["generation"]
    return bool(is_seen and readiness(kustomization) == (True, revision))


def told(kustomization: Object) -> str:
    """What it says of itself, without times."""
    conditions = kustomization.get("status", {}).get("conditions", ())
    found = [item["message"] for item in conditions if item["type"] == "Ready"]
    return _TIMES.sub("", found[0]) if found else ""


def inventory(kustomization: Object) -> list[str]:
    """What it has applied, as kind/namespace/name."""
    entries = (kustomization.get("status", {}).get("inventory") or {}).get("entries") or ()
    return sorted(_named(entry["id"]) for entry in entries)


def _named(identity: str) -> str:
    """Flux writes namespace, name, group and kind with underscores in between."""
    namespace, name, _, kind = identity.split("_")
    return "/".join(part for part in (kind, namespace, name) if part)
