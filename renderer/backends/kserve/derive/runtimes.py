"""The runtimes that an applied service finds: those beside it, else those that are shipped."""

from functools import lru_cache

from renderer.backends.kserve.dialect import Dialect
from renderer.backends.kserve.merged_container import RuntimeSpec
from renderer.backends.kserve.runtimes import RUNTIME_KINDS, SERVING_CONTAINER, Runtime
from renderer.backends.kserve.selection import join_runtimes
from renderer.backends.kserve.settings import KServeSettings
from renderer.backends.kserve.shipped_containers import shipped_runtime
from renderer.derive.located import located
from renderer.values.derivations import Applied
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


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


def runtimes_in_reach(applied: Applied) -> list[Runtime]:
    """The runtimes that a service can have: those applied with it, then those of the cluster."""
    near = applied.needed.get(applied.cluster, {}).items()
    own = (_applied_runtime(tree, *key).runtime for key, tree in near if key[0] in RUNTIME_KINDS)
    others = KServeSettings.of(applied.environment).runtimes
    return join_runtimes(own, applied.namespace, others)


def use_runtime(runtime: Runtime, applied: Applied) -> UsedRuntime:
    """A runtime in reach with what it adds to pods."""
    key = (runtime.kind, runtime.namespace, runtime.name)
    tree = applied.needed.get(applied.cluster, {}).get(key)
    if tree is None:
        return _shipped_runtime(runtime, KServeSettings.of(applied.environment).dialect)
    return _applied_runtime(tree, *key)


@cached_by_identity
def _applied_runtime(tree: Node, kind: str, namespace: str, name: str) -> UsedRuntime:
    fields = tree.get("spec") or Node({}, tree.origin)
    runtime = Runtime.read_object(tree, fields, (kind, namespace, name))
    spec = RuntimeSpec(name, located(fields), runtime.server_type)
    return UsedRuntime(runtime, spec, is_applied=True)


@lru_cache(maxsize=1024)
def _shipped_runtime(runtime: Runtime, dialect: Dialect) -> UsedRuntime:
    fields = located(shipped_runtime(runtime.name, dialect))
    return UsedRuntime(runtime, RuntimeSpec(runtime.name, fields, runtime.server_type))
