"""Fields that came with a version of KubeRay, or need one of its features to be switched on."""

from collections.abc import Iterator

from renderer.backends.kuberay.dialect import NEWEST
from renderer.backends.kuberay.rules import CRDS, VALIDATION
from renderer.backends.kuberay.settings import GATES
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.schema.versions import VersionedValue
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity

#: What needs a feature of the operator that is off unless it is switched on.
_GATES = {
    "networkPolicy": "RayClusterNetworkPolicy",
    "tlsOptions": "RayClusterMTLS",
    "historyServerOptions": "RayClusterHistoryServer",
}
_ROCKSDB = "GCSFaultToleranceEmbeddedStorage"
_MODES = ("K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode")


@rule("RAY300", Severity.ERROR, "RayCluster")
def fields_are_known_to_the_version(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A field is one that the CRDs of the environment's KubeRay have.

    An older CRD drops what it does not know silently, or refuses the object where it is
    applied by the server (observed). Helm does not upgrade CRDs: they stay older than the operator
    until they are replaced by hand.

    Fails: authOptions: {mode: token}
    Passes: enableInTreeAutoscaling: true
    """
    cluster, dialect = workload.cluster, workload.settings.dialect
    for path, _, span in unknown_fields(workload):
        if _is_below(cluster.path, path) and not _belongs_elsewhere(workload, path):
            message = f"KubeRay {dialect} has no {path[-1]} here: it came with {span.since}"
            yield workload.wrong(path, message, "delete it, or upgrade KubeRay", at_key=True)


@cached_by_identity
def unknown_fields(workload: PlacelessWorkload) -> tuple[VersionedValue, ...]:
    """What of a spec the environment's KubeRay does not have, without what is below it."""
    dialect, found = workload.settings.dialect, list[VersionedValue]()
    for item in () if dialect.knows(NEWEST) else workload.schema.values_in(workload.fields):
        is_below = any(_is_below(other.path, item.path) for other in found)
        if not dialect.knows(item.span.first) and not is_below:
            found.append(item)
    return tuple(found)


def _is_below(parent: Path, path: Path) -> bool:
    return path[: len(parent)] == parent


def _belongs_elsewhere(workload: PlacelessWorkload, path: Path) -> bool:
    """Whether no version takes it there."""
    return path[-1] == "upgradeStrategy" and workload.kind != CLUSTER


@rule("RAY301", Severity.ERROR, "RayCluster")
def features_are_switched_on(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A field that needs a feature of the operator is used where that feature is switched on.

    The operator refuses the cluster otherwise, after the object was accepted.

    Fails: networkPolicy: {mode: DenyAllIngress}
    Passes with: networkPolicy: null
    """
    cluster, settings = workload.cluster, workload.settings
    needed: dict[tuple[str, ...], str] = {(key,): gate for key, gate in _GATES.items()}
    backend = cluster.node.get("gcsFaultToleranceOptions", "backend")
    if backend and backend.value == "rocksdb":
        needed["gcsFaultToleranceOptions", "backend"] = _ROCKSDB
    for path, gate in needed.items():
        is_known = GATES[gate].is_known(settings.dialect)
        if cluster.node.get(*path) and is_known and not settings.has(gate):
            message = f"{path[-1]} needs the feature gate {gate} of the operator"
            fix = "switch it on there, and say so in kuberay.feature_gates, or delete it"
            yield workload.wrong((*cluster.path, *path), message, fix, at_key=True)


@rule("RAY302", Severity.ERROR, "RayCluster")
def clusters_of_others_are_not_upgraded(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Only a RayCluster by itself has an upgradeStrategy of clusters.

    The operator refuses it in one that it made for a job or a service; a service has an
    upgradeStrategy of its own.

    Fails: rayClusterConfig: {upgradeStrategy: {type: Recreate}}
    Passes with: rayClusterConfig: {upgradeStrategy: null}
    """
    if workload.kind != CLUSTER and "upgradeStrategy" in workload.cluster.node.items:
        message = f"the cluster of a {workload.kind} has no upgradeStrategy"
        path = (*workload.cluster.path, "upgradeStrategy")
        yield workload.wrong(path, message, "delete it", at_key=True)


@rule("RAY357", Severity.ERROR, JOB)
def fields_of_jobs_are_known(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A job has fields and ways of submission that the KubeRay of the environment knows.

    An older one drops fields that it does not know silently; a job in a mode that it does
    not know is never submitted.

    Fails: submissionMode: SidecarMode
    Passes: submissionMode: HTTPMode
    """
    yield from _unknown_field_findings(workload)


@rule("RAY407", Severity.ERROR, SERVICE)
def fields_of_services_are_known(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A service has fields that the KubeRay of the environment knows.

    An older one drops a field that it does not know silently.

    Fails: suspend: true
    Passes: suspend: null
    """
    yield from _unknown_field_findings(workload)


def _unknown_field_findings(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Fields of a job or service outside of its cluster, and the mode of a job."""
    dialect = workload.settings.dialect
    for path, value, span in unknown_fields(workload):
        if len(path) > 1:
            continue
        since = span.since.rpartition(".")[0]
        message = f"KubeRay {dialect} does not know {value or path[0]}, which came with {since}"
        fix = "delete it, or raise kuberay.version"
        if value:
            known = [mode for mode in _MODES if workload.has_field(path, mode)]
            fix = f"write {listed(known, 'or')}"
        yield workload.wrong(path, message, fix, at_key=not value)


RULES = (
    *rules_with_source((fields_are_known_to_the_version,), CRDS),
    *rules_with_source((features_are_switched_on, clusters_of_others_are_not_upgraded), VALIDATION),
)
JOB_RULES = rules_with_source((fields_of_jobs_are_known,), VALIDATION)
SERVICE_RULES = rules_with_source((fields_of_services_are_known,), CRDS)
