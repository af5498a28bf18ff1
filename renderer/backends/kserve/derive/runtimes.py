"""The runtimes that an applied service finds: those beside it, else those that are shipped."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.merged_container import RuntimeSpec
from renderer.backends.kserve.model import Model
from renderer.backends.kserve.runtimes import (
    CLUSTER_RUNTIME,
    SERVER_TYPE,
    SERVING_CONTAINER,
    SERVING_RUNTIME,
    Runtime,
)
from renderer.backends.kserve.selection import Request, choose
from renderer.backends.kserve.settings import KServeSettings
from renderer.backends.kserve.shipped_containers import shipped_runtime
from renderer.derive.located import located
from renderer.values.derivations import Applied
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

KINDS = (SERVING_RUNTIME, CLUSTER_RUNTIME)


class UsedRuntime(NamedTuple):
    """A runtime and what it adds to pods; it is applied from this repository or shipped."""

    runtime: Runtime
    spec: RuntimeSpec
    is_applied: bool = False

    @property
    def fault(self) -> str:
        """Why KServe makes no pod of it; empty if it does."""
        name = f"the runtime `{self.runtime.name}`"
        if self.runtime.disabled:
            return f"{name} is disabled (RuntimeDisabled)"
        if self.is_applied and self.spec.container(SERVING_CONTAINER) is None:
            return f"{name} has no container `{SERVING_CONTAINER}` (InvalidPredictorSpec)"
        return ""


def known_runtimes(applied: Applied, settings: KServeSettings) -> list[UsedRuntime]:
    """The runtimes in reach of a service: those applied here first, of its namespace first."""
    near = sorted(_applied_runtimes(applied), key=lambda item: KINDS.index(item.runtime.kind))
    own = {item.runtime.name for item in near if item.runtime.kind == CLUSTER_RUNTIME}
    rest = (item for item in settings.runtimes if item.name not in own)
    return [*near, *(_shipped_runtime(item, settings.dialect) for item in rest)]


def find_runtime(model: Model, asked: Request, known: list[UsedRuntime]) -> UsedRuntime | None:
    """The one that a model names, else the one that KServe chooses; nothing if there is none."""
    if model.runtime:
        return next((item for item in known if item.runtime.name == model.runtime), None)
    request = asked._replace(protocol=asked.protocol or "v1")
    winner = choose(request, [item.runtime for item in known]).winner
    return next((item for item in known if item.runtime is winner), None)


def _applied_runtimes(applied: Applied) -> Iterator[UsedRuntime]:
    for (kind, namespace, _), tree in applied.needed.get(applied.cluster, {}).items():
        if kind == CLUSTER_RUNTIME or (kind == SERVING_RUNTIME and namespace == applied.namespace):
            yield _applied_runtime(tree, kind)


@cached_by_identity
def _applied_runtime(tree: Node, kind: str) -> UsedRuntime:
    spec = tree.get("spec") or Node({}, tree.origin)
    name = text(tree, "metadata", "name")
    server = text(tree, "metadata", "annotations", SERVER_TYPE)
    has_workers = spec.get("workerSpec") is not None
    runtime = Runtime.of_tree(spec, name)._replace(
        kind=kind, multi_node=has_workers, server_type=server
    )
    return UsedRuntime(runtime, RuntimeSpec(name, located(spec), server), is_applied=True)


@lru_cache(maxsize=1024)
def _shipped_runtime(runtime: Runtime, dialect: Dialect) -> UsedRuntime:
    fields = located(shipped_runtime(runtime.name, dialect))
    return UsedRuntime(runtime, RuntimeSpec(runtime.name, fields, runtime.server_type))
