"""Whether a cluster outlives its head, and what it keeps its state in."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.rules import VALIDATION
from renderer.backends.kuberay.vocabulary import SERVICE
from renderer.backends.kuberay.workloads import Cluster, PlacelessWorkload, Workload
from renderer.kubernetes.pod_rules.variables import source_findings, variable_sources
from renderer.kubernetes.pods import Field
from renderer.kubernetes.versions import FILE_KEYS, versions_of
from renderer.text.expressions import expression
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_OPTIONS = "gcsFaultToleranceOptions"
_ENABLED, _NAMESPACE = "ray.io/ft-enabled", "ray.io/external-storage-namespace"
_ADDRESS = "RAY_REDIS_ADDRESS"
#: What the options say instead of a variable of the head.
_VARIABLES = {_ADDRESS: "redisAddress", "REDIS_PASSWORD": "redisPassword"}
_REDIS_FIELDS = ("redisAddress", "redisUsername", "redisPassword", "externalStorageNamespace")
_REDIS = expression(r"(?:rediss?://)?(?:[^:/@\s]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}")
_CREDENTIALS = ("redisUsername", "redisPassword")
_NEW_CLAIM_FIELDS = ("size", "storageClassName", "accessModes")
_STORAGE_VARIABLES = ("RAY_gcs_storage", "RAY_gcs_storage_path")
_STORAGE_VOLUME, _STORAGE_PATH = "gcs-storage", "/data/gcs"


def _is_tolerant(workload: PlacelessWorkload) -> bool:
    is_switched_on = workload.annotation(_ENABLED).lower() == "true"
    return is_switched_on or _OPTIONS in workload.cluster.node.items


@rule("RAY310", Severity.ERROR, "RayCluster")
def tolerance_is_said_once(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Fault tolerance is set by gcsFaultToleranceOptions alone.

    With the options, the operator refuses the annotations ray.io/ft-enabled, even "false", and
    ray.io/external-storage-namespace, and the password or address of Redis as a start parameter or
    variable of the head (observed).

    Fails:
        annotations: {ray.io/ft-enabled: "true"}
        gcsFaultToleranceOptions: {redisAddress: 'redis:6379'}
    Passes: gcsFaultToleranceOptions: {redisAddress: 'redis:6379'}
    """
    cluster = workload.cluster
    if _OPTIONS not in cluster.node.items:
        return
    message, fix = f"{_OPTIONS} say this", "delete it"
    for key in (_ENABLED, _NAMESPACE):
        if workload.annotation(key):
            yield Finding(("annotations", key), f"{message}, not {key}", fix, at_key=True)
    head = cluster.head
    if head.start_params.get("redis-password"):
        path = (*head.path, "rayStartParams", "redis-password")
        yield workload.wrong(path, f"{message}, as redisPassword", fix, at_key=True)
    for name, field in _VARIABLES.items():
        if variable := head.variables.get(name):
            yield workload.wrong((*variable.path, "name"), f"{message}, as {field}", fix)


@rule("RAY311", Severity.ERROR, "RayCluster")
def redis_is_said_by_options(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The address of Redis goes with fault tolerance, and its user with the options.

    The operator refuses RAY_REDIS_ADDRESS in the head of a cluster that is not fault tolerant, and
    redis-username or REDIS_USERNAME in any (observed).

    Fails:
        headGroupSpec:
          template:
            spec:
              containers: [{name: ray-head, env: [{name: RAY_REDIS_ADDRESS, value: 'redis:6379'}]}]
    Passes: gcsFaultToleranceOptions: {redisAddress: 'redis:6379'}
    """
    cluster = workload.cluster
    variables, fix = cluster.head.variables, f"delete it, and write {_OPTIONS}"
    if workload.is_message:
        fix = f"delete it, or write the annotation {_ENABLED}: 'true'"
    if _ADDRESS in variables and not _is_tolerant(workload):
        message = f"{_ADDRESS} is set, and the cluster is not fault tolerant"
        yield workload.wrong((*variables[_ADDRESS].path, "name"), message, fix)
    message = f"the user at Redis is said by {_OPTIONS}.redisUsername"
    fix = "delete it"
    if "REDIS_USERNAME" in variables:
        yield workload.wrong((*variables["REDIS_USERNAME"].path, "name"), message, fix)
    if cluster.head.start_params.get("redis-username"):
        path = (*cluster.head.path, "rayStartParams", "redis-username")
        yield workload.wrong(path, message, fix, at_key=True)


@rule("RAY312", Severity.ERROR, "RayCluster", reads=("gcsFaultToleranceOptions",))
def backend_has_what_it_needs(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Redis has an address and no storage; RocksDB has storage, and nothing of Redis.

    KubeRay up to 1.6 refuses options without an address at once (1.6.1 was observed); later ones
    keep state nowhere. What belongs to the other backend is refused by the operator.

    Fails: gcsFaultToleranceOptions: {externalStorageNamespace: mine}
    Passes with: gcsFaultToleranceOptions: {redisAddress: 'redis:6379'}
    """
    options = workload.cluster.get(_OPTIONS)
    if options is None:
        return
    if text(options.node, "backend") == "rocksdb":
        for field in options.present(_REDIS_FIELDS):
            message = f"the backend rocksdb has no {field.name}"
            yield workload.wrong(field.path, message, "delete it", at_key=True)
        return
    if not text(options.node, "redisAddress"):
        message = "the address of Redis is missing"
        yield workload.wrong((*options.path, "redisAddress"), message, "add redisAddress")
    if storage := options.get("storage"):
        message = "storage is for the backend rocksdb"
        yield workload.wrong(storage.path, message, "delete it", at_key=True)


@rule("RAY313", Severity.ERROR, "RayCluster")
def storage_is_the_operators(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Storage of RocksDB is a claim that exists or a new one, and the operator mounts it.

    The operator refuses claimName next to what describes a new claim, and variables, volumes and
    mounts of the head that it sets itself.

    Fails: gcsFaultToleranceOptions: {backend: rocksdb, storage: {claimName: mine, size: 5Gi}}
    Passes: gcsFaultToleranceOptions: {backend: rocksdb, storage: {size: 5Gi}}
    """
    options = workload.cluster.get(_OPTIONS)
    if options is None or text(options.node, "backend") != "rocksdb":
        return
    storage = options.get("storage")
    described = storage.present(_NEW_CLAIM_FIELDS) if storage else []
    if storage and text(storage.node, "claimName") and described:
        message = f"a claim that exists has no {listed(item.name for item in described)} here"
        yield workload.wrong(described[0].path, message, "keep claimName or these", at_key=True)
    for field in _operator_fields(workload.cluster):
        message = "the operator sets this itself for the backend rocksdb"
        yield workload.wrong(field.path, message, "delete it, or choose another name")


def _operator_fields(cluster: Cluster) -> Iterator[Field]:
    """What the head has that the operator would add for RocksDB."""
    head = cluster.head
    yield from (head.variables[name] for name in _STORAGE_VARIABLES if name in head.variables)
    for mount in head.container.each("volumeMounts") if head.container else ():
        is_same = text(mount.node, "name") == _STORAGE_VOLUME
        if is_same or text(mount.node, "mountPath") == _STORAGE_PATH:
            yield mount
    for volume in head.pod.each("volumes"):
        if text(volume.node, "name") == _STORAGE_VOLUME:
            yield volume


@rule("RAY314", Severity.WARNING, "RayCluster", reads=("gcsFaultToleranceOptions",))
def services_outlive_their_head(workload: Workload) -> Iterator[Finding]:
    """In production, a service outlives its head.

    Without fault tolerance the state of the cluster goes with the head: its end is an outage of all
    applications until a new cluster serves.

    Fails: rayClusterConfig: {gcsFaultToleranceOptions: null}
    Passes: rayClusterConfig: {gcsFaultToleranceOptions: {redisAddress: 'redis:6379'}}
    """
    cluster = workload.cluster
    if not workload.has_cluster or workload.kind != SERVICE or _is_tolerant(workload):
        return
    if workload.environment.is_production:
        message = "the service stops when its head pod stops"
        fix = f"add {_OPTIONS} with the address of a Redis"
        if workload.is_message:
            fix = f"write the annotation {_ENABLED}: 'true', and give the head {_ADDRESS}"
        yield workload.wrong((*cluster.path, _OPTIONS), message, fix)


@rule("RAY294", Severity.ERROR, "RayCluster", since="0.2.0")
def redis_has_an_address(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`redisAddress` is a host and a port, after `redis://` or `rediss://` if anything.

    Ray refuses other schemes and an address without a port, and the head does not start (read in
    its source).

    Fails: gcsFaultToleranceOptions: {redisAddress: 'http://redis:6379'}
    Passes: gcsFaultToleranceOptions: {redisAddress: 'redis:6379'}
    """
    options = workload.cluster.get(_OPTIONS)
    given = options.get("redisAddress") if options else None
    for part in given.text.split(",") if given and given.text and "$" not in given.text else ():
        if given and not _REDIS.fullmatch(part.strip()):
            message = f"{part.strip()[:60]!r} is no address of Redis"
            yield workload.wrong(given.path, message, "write HOST:PORT, or rediss://HOST:PORT")


@rule("RAY315", Severity.ERROR, "RayCluster", since="0.2.0")
def redis_credentials_can_be_taken(workload: Workload) -> Iterator[Finding]:
    """The user and the password of Redis are taken from where variables can be taken from.

    The operator gives them to the head as variables, and Kubernetes refuses its pod otherwise,
    after the cluster was accepted.

    Fails:
        gcsFaultToleranceOptions:
          redisAddress: 'redis:6379'
          redisPassword: {valueFrom: {fieldRef: {fieldPath: spec.password}}}
    Passes:
        gcsFaultToleranceOptions:
          redisAddress: 'redis:6379'
          redisPassword: {valueFrom: {secretKeyRef: {name: redis, key: password}}}
    """
    options = workload.cluster.get(_OPTIONS)
    for field in options.present(_CREDENTIALS) if options else ():
        source = field.get("valueFrom")
        for finding in source_findings(source) if source else ():
            yield finding._replace(tree=workload.fields)
        for finding in variable_sources(field, field.name):
            yield finding._replace(tree=workload.fields)
        if source and (file := source.get("fileKeyRef")) and not _reads_files(workload):
            message = "the Kubernetes of the cluster takes no variable from a file"
            yield workload.wrong(file.path, message, "use secretKeyRef", at_key=True)


def _reads_files(workload: Workload) -> bool:
    places = [workload.destination] if workload.destination else []
    return versions_of(workload.environment, places)[0] >= FILE_KEYS


RULES = rules_with_source(
    (
        tolerance_is_said_once,
        redis_is_said_by_options,
        backend_has_what_it_needs,
        storage_is_the_operators,
        services_outlive_their_head,
        redis_has_an_address,
        redis_credentials_can_be_taken,
    ),
    VALIDATION,
)
