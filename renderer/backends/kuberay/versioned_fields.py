"""Which fields of custom resources the KubeRay of an environment has, as their schema says."""

from renderer.backends.kuberay.dialect import NEWEST, Dialect
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.backends.kuberay.workloads import Workload
from renderer.schema.versions import VersionedSchema, VersionedValue
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity

_PRODUCT = "KubeRay"
_SCHEMAS = {
    kind: VersionedSchema(_PRODUCT, "shared/ray.json", f"{kind}Spec")
    for kind in (CLUSTER, JOB, SERVICE)
}
_TEMPLATES = VersionedSchema(_PRODUCT, "spec/computetemplate.json")


def has_memory_units(dialect: Dialect) -> bool:
    """Whether templates have a memoryUnit; then a memory without one is bytes."""
    return dialect.knows(_TEMPLATES.span_of(("memoryUnit",)).first)


def has_field(workload: Workload, path: Path, value: str = "") -> bool:
    """Whether the environment's KubeRay has a field, and takes a value for it."""
    dialect = workload.settings.dialect
    if dialect.knows(NEWEST):  # the schema has nothing newer, and need not be looked at
        return True
    return dialect.knows(_SCHEMAS[workload.spec.kind.name].span_of(path, value).first)


@cached_by_identity
def unknown_fields(workload: Workload) -> tuple[VersionedValue, ...]:
    """What of a spec the environment's KubeRay does not have, without what is below it."""
    dialect = workload.settings.dialect
    if dialect.knows(NEWEST):
        return ()
    found: list[VersionedValue] = []
    for item in _SCHEMAS[workload.spec.kind.name].values_in(workload.fields):
        is_below = any(item.path[: len(other.path)] == other.path for other in found)
        if not dialect.knows(item.span.first) and not is_below:
            found.append(item)
    return tuple(found)
