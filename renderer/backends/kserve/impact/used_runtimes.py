"""The runtimes that rendered services find: those of their state, else those that are shipped."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from renderer.backends.fields import plain, text
from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.merged_container import Begun
from renderer.backends.kserve.runtimes import (
    CLUSTER_RUNTIME,
    SERVER_TYPE,
    SERVING_CONTAINER,
    SERVING_RUNTIME,
    Runtime,
)
from renderer.backends.kserve.shipped_containers import shipped_runtime as shipped_spec
from renderer.values.changes import State
from renderer.values.identity_cache import cached_by_identity
from renderer.values.objects import Manifest
from renderer.values.tree import Node

_FOLDERS = {SERVING_RUNTIME: "servingruntimes", CLUSTER_RUNTIME: "clusterservingruntimes"}


class UsedRuntime(NamedTuple):
    """A runtime and what it begins pods with; `manifest` is nothing for one that is not ours."""

    runtime: Runtime
    begun: Begun
    manifest: Manifest | None = None

    @property
    def fault(self) -> str:
        """Why KServe makes no pod of it; empty if it does."""
        name = f"the runtime `{self.runtime.name}`"
        if self.runtime.disabled:
            return f"{name} is disabled (RuntimeDisabled)"
        if self.manifest and self.begun.container(SERVING_CONTAINER) is None:
            return f"{name} has no container `{SERVING_CONTAINER}` (InvalidPredictorSpec)"
        return ""


def runtimes_near(service: Manifest, state: State) -> Iterator[UsedRuntime]:
    """The runtimes of a state that a service may use, those of its namespace first."""
    namespace = text(service.tree, "metadata", "namespace")
    for kind, folder in _FOLDERS.items():
        for manifest in in_cluster(service, folder, state):
            own = text(manifest.tree, "metadata", "namespace")
            if kind == CLUSTER_RUNTIME or own == namespace:
                yield rendered_runtime(manifest, kind)


def in_cluster(one: Manifest, folder: str, state: State) -> Iterator[Manifest]:
    """The objects of a folder in the cluster of another one, at whatever destination they are."""
    for destination in state.cluster_destinations(one):
        yield from state.manifests_below(f"{one.environment}/{destination}/{folder}/")


@cached_by_identity
def rendered_runtime(manifest: Manifest, kind: str) -> UsedRuntime:
    """The runtime that an object is."""
    tree = manifest.tree
    spec = tree.get("spec") or Node({}, tree.origin)
    name = text(tree, "metadata", "name")
    server = text(tree, "metadata", "annotations", SERVER_TYPE)
    many = spec.get("workerSpec") is not None
    runtime = Runtime.of_tree(spec, name)._replace(kind=kind, multi_node=many, server_type=server)
    fields = plain(spec)
    return UsedRuntime(
        runtime, Begun(name, fields if isinstance(fields, dict) else {}, server), manifest
    )


def shipped_runtime(runtime: Runtime, dialect: Dialect) -> UsedRuntime:
    """One that the environment has besides those of the repository."""
    return UsedRuntime(runtime, _shipped(runtime.name, runtime.server_type, dialect))


@lru_cache(maxsize=256)
def _shipped(name: str, server_type: str, dialect: Dialect) -> Begun:
    fields = plain(shipped_spec(name, dialect))
    return Begun(name, fields if isinstance(fields, dict) else {}, server_type)
