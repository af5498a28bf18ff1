"""Fields that came with a version of KubeRay, or need one of its features to be switched on."""

from collections.abc import Iterator

from renderer.backends.kuberay.dialect import Version, shown
from renderer.backends.kuberay.rules.sources import CRDS, VALIDATION
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.backends.kuberay.workloads import Cluster, Workload
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

#: The fields of a cluster and of its groups, by the version that brought them; parents first.
_SINCE: dict[tuple[str, ...], Version] = {
    ("suspend",): (1, 1, 0),
    ("managedBy",): (1, 3, 0),
    ("gcsFaultToleranceOptions",): (1, 3, 0),
    ("autoscalerOptions", "version"): (1, 4, 0),
    ("authOptions",): (1, 5, 1),
    ("headGroupSpec", "labels"): (1, 5, 0),
    ("headGroupSpec", "resources"): (1, 5, 0),
    ("authOptions", "enableK8sTokenAuth"): (1, 6, 0),
    ("upgradeStrategy",): (1, 6, 0),
    ("autoscalerOptions", "args"): (1, 7, 0),
    ("autoscalerOptions", "command"): (1, 7, 0),
    ("gcsFaultToleranceOptions", "backend"): (1, 7, 0),
    ("gcsFaultToleranceOptions", "storage"): (1, 7, 0),
    ("headGroupSpec", "ingressOptions"): (1, 7, 0),
    ("historyServerOptions",): (1, 7, 0),
    ("networkPolicy",): (1, 7, 0),
    ("tlsOptions",): (1, 7, 0),
}
_SINCE_OF_WORKERS: dict[str, Version] = {
    "numOfHosts": (1, 1, 0),
    "idleTimeoutSeconds": (1, 3, 0),
    "suspend": (1, 3, 0),
    "labels": (1, 5, 0),
    "resources": (1, 5, 0),
    "priority": (1, 7, 0),
}
#: What needs a feature of the operator that is off unless somebody switches it on.
_GATES = {
    "networkPolicy": "RayClusterNetworkPolicy",
    "tlsOptions": "RayClusterMTLS",
    "historyServerOptions": "RayClusterHistoryServer",
}
_ROCKSDB = "GCSFaultToleranceEmbeddedStorage"


def _fields(cluster: Cluster) -> Iterator[tuple[Path, Version]]:
    """The fields of a cluster that some version did not have."""
    for path, since in _SINCE.items():
        if cluster.node.get(*path):
            yield (*cluster.path, *path), since
    for group in cluster.workers:
        for key, since in _SINCE_OF_WORKERS.items():
            if key in group.node.items:
                yield (*group.path, key), since


@rule("RAY300", Severity.ERROR, "RayCluster")
def fields_are_known_to_the_version(workload: Workload) -> Iterator[Finding]:
    """A field is one that the CRDs of the environment's KubeRay have.

    An older CRD drops what it does not know without a word, or refuses the object where it is
    applied by the server (observed). Helm does not upgrade CRDs: they are older than the operator
    unless somebody replaced them.

    Fails: authOptions: {mode: token}
    Passes: enableInTreeAutoscaling: true
    """
    cluster, dialect = workload.cluster, workload.settings.dialect
    told: list[Path] = []
    for path, since in _fields(cluster) if cluster else ():
        is_told = any(path[: len(parent)] == parent for parent in told)
        if not dialect.knows(since) and not is_told and not _belongs_elsewhere(workload, path):
            told.append(path)
            message = f"KubeRay {dialect} has no {path[-1]} here: it came with {shown(since)}"
            yield workload.wrong(path, message, "delete it, or upgrade KubeRay", at_key=True)


def _belongs_elsewhere(workload: Workload, path: Path) -> bool:
    """Whether no version takes it there."""
    return path[-1] == "upgradeStrategy" and workload.spec.kind.name != CLUSTER


@rule("RAY301", Severity.ERROR, "RayCluster")
def features_are_switched_on(workload: Workload) -> Iterator[Finding]:
    """What needs a feature of the operator is said where that feature is switched on.

    The operator refuses the cluster otherwise, after the object was accepted.

    Fails: networkPolicy: {mode: DenyAllIngress}
    Passes with: networkPolicy: null
    """
    cluster, settings = workload.cluster, workload.settings
    if cluster is None:
        return
    needed: dict[tuple[str, ...], str] = {(key,): gate for key, gate in _GATES.items()}
    backend = cluster.node.get("gcsFaultToleranceOptions", "backend")
    if backend and backend.value == "rocksdb":
        needed["gcsFaultToleranceOptions", "backend"] = _ROCKSDB
    for path, gate in needed.items():
        knows = settings.dialect.knows(_SINCE[path])
        if cluster.node.get(*path) and knows and not settings.has(gate):
            message = f"{path[-1]} needs the feature gate {gate} of the operator"
            fix = "switch it on there, and say so in kuberay.feature_gates, or delete it"
            yield workload.wrong((*cluster.path, *path), message, fix, at_key=True)


@rule("RAY302", Severity.ERROR, "RayCluster")
def clusters_of_others_are_not_upgraded(workload: Workload) -> Iterator[Finding]:
    """Only a RayCluster by itself has an upgradeStrategy of clusters.

    The operator refuses it in one that it made for a job or a service; a service has an
    upgradeStrategy of its own.

    Fails: rayClusterConfig: {upgradeStrategy: {type: Recreate}}
    Passes with: rayClusterConfig: {upgradeStrategy: null}
    """
    if workload.cluster is None or workload.spec.kind.name == CLUSTER:
        return
    if "upgradeStrategy" in workload.cluster.node.items:
        message = f"the cluster of a {workload.spec.kind.name} has no upgradeStrategy"
        path = (*workload.cluster.path, "upgradeStrategy")
        yield workload.wrong(path, message, "delete it", at_key=True)


RULES = (
    *rules_with_source((fields_are_known_to_the_version,), CRDS),
    *rules_with_source((features_are_switched_on, clusters_of_others_are_not_upgraded), VALIDATION),
)
