"""What KServe makes of a cache: volumes and claims for each group of nodes, and what fetches."""

from collections.abc import Iterator
from hashlib import sha256

from renderer.backends.kserve.llm.cluster import Cluster, cluster_of
from renderer.backends.kserve.model_storage.cached_services import namespaces_by_group
from renderer.backends.kserve.plain_objects import NODE_GROUP
from renderer.derive.located import located, made
from renderer.kubernetes.data import Data, make_object, mapping
from renderer.kubernetes.data import words as texts_of
from renderer.values.derivations import Applied, Derivation, DerivedObject, DerivedUnit
from renderer.values.tree import Plain

VOLUMES = "volumes"
_JOBS = "kserve-localmodel-jobs"
_FOLDER, _MODELS, _SOURCE = "/mnt/models", "models", "kserve-pvc-source"
_FOLDER_GROUP, _KEPT_SECONDS, _HASH = 1000, 3600, 16
_OFF = (
    "no service uses caches unless inferenceservice-config of the cluster turns them on, "
    'localModel: {"enabled": true}, which it does not as KServe ships it'
)
_LATER = "services that were written before the cache use it once they are written again"
_NODES = "each node of a group fetches the model by a Job of its own"
_CREDENTIALS = "the Jobs also get the credentials of {}, which are not known here"
_UNKNOWN = "the LocalModelNodeGroup {} is not in the repository: what is made for it is not known"
_SET_UP = "namespace and image are those of the configuration that KServe ships"


def derive(applied: Applied, former: Derivation | None) -> Derivation:
    """Volumes and claims are made once: those that are there stay as they are."""
    fields = located(applied.tree.get("spec"))
    groups = list(dict.fromkeys(texts_of(fields, "nodeGroups")))
    known = {name: _group(applied, name) for name in groups}
    missing = [name for name in groups if known[name] is None]
    needs = tuple((NODE_GROUP, "", name) for name in groups if known[name] is not None)
    unit = DerivedUnit(applied.destination, VOLUMES, path=("spec",), needs=needs)
    cluster = cluster_of(applied.environment, applied.destination)
    notes = (*_settings_notes(cluster), _LATER, _NODES, *_credentials(fields))
    if missing:
        return Derivation((unit._replace(problem=_UNKNOWN.format(", ".join(missing))),))
    new = [
        item for name in groups for item in _derive_group(applied, cluster, name, known[name] or {})
    ]
    if cluster.caches.get("disableVolumeManagement") is not True:
        new += _derive_for_services(applied, groups, known)
    old = former.units[0].objects if former else ()
    kept = {item.identity: item for item in old}
    objects = [*(kept.get(item.identity, item) for item in new)]
    there = {item.identity for item in objects}
    objects += [item for item in old if item.identity not in there and item.kind != "Job"]
    return Derivation((unit._replace(objects=tuple(objects), notes=notes),))


def _group(applied: Applied, name: str) -> Data | None:
    tree = applied.needed.get(applied.cluster, {}).get((NODE_GROUP, "", name))
    return located(tree.get("spec")) if tree else None


def _settings_notes(cluster: Cluster) -> Iterator[str]:
    if cluster.caches.get("enabled") is not True:
        yield _OFF
    if not cluster.is_own:
        yield _SET_UP


def _credentials(fields: Data) -> Iterator[str]:
    if key := mapping(fields, "storage").get("key"):
        yield _CREDENTIALS.format(f"the key {key} of the Secret storage-config")
    elif account := fields.get("serviceAccountName"):
        yield _CREDENTIALS.format(f"the ServiceAccount {account}")


def _derive_group(
    applied: Applied, cluster: Cluster, group: str, spec: Data
) -> Iterator[DerivedObject]:
    volume = f"{applied.name}-{group}-download"
    yield from _pair(volume, f"{applied.name}-{group}", _jobs_namespace(cluster), spec)
    address = located(applied.tree.get("spec")).get("sourceModelUri") or ""
    job = _job(applied, cluster, group, address)
    yield made(job, "KServe", (("fetches", str(address)),))


def _jobs_namespace(cluster: Cluster) -> str:
    return str(cluster.caches.get("jobNamespace") or _JOBS)


def _pair(volume: str, claim: str, namespace: str, group: Data) -> Iterator[DerivedObject]:
    """A volume as the group has it, and the claim that is bound to it."""
    content = mapping(group, "persistentVolumeSpec")
    asked = mapping(group, "persistentVolumeClaimSpec")
    size = mapping(content, "capacity").get("storage")
    head: Data = {"name": volume}
    lines = (("capacity", str(size)),) if size else ()
    yield made(make_object("v1", "PersistentVolume", head, content), "KServe", lines)
    about: Data = {"name": claim, "namespace": namespace}
    bound: Data = {**asked, "volumeName": volume}
    claimed = make_object("v1", "PersistentVolumeClaim", about, bound)
    yield made(claimed, "KServe", (("volume", volume),))


def _derive_for_services(
    applied: Applied, groups: list[str], known: dict[str, Data | None]
) -> Iterator[DerivedObject]:
    """The same once more for each namespace with services that use the cache."""
    for group, namespaces in namespaces_by_group(applied, groups).items():
        for namespace in namespaces:
            claim = f"{applied.name}-{group}"
            yield from _pair(f"{claim}-{namespace}", claim, namespace, known[group] or {})


def _job(applied: Applied, cluster: Cluster, group: str, address: Plain) -> Data:
    node, caches = f"<node of {group}>", cluster.caches
    folder = sha256(str(address).encode()).hexdigest()[:_HASH]
    container: Data = {
        "name": "kserve-localmodel-download",
        "image": cluster.initializer or f"kserve/storage-initializer:v{cluster.dialect}",
        "args": [address, _FOLDER],
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [{"name": _SOURCE, "mountPath": _FOLDER, "subPath": f"{_MODELS}/{folder}"}],
    }
    claim: Plain = {"claimName": f"{applied.name}-{group}"}
    pod: Data = {
        "nodeSelector": {"kubernetes.io/hostname": node},
        "containers": [container],
        "restartPolicy": "Never",
        "volumes": [{"name": _SOURCE, "persistentVolumeClaim": claim}],
        "securityContext": {"fsGroup": caches.get("fsGroup", _FOLDER_GROUP)},
    }
    about: Data = {
        "name": f"{applied.name}-{node}",
        "namespace": _jobs_namespace(cluster),
        "labels": {"model": applied.name, "node": node},
    }
    kept = caches.get("jobTTLSecondsAfterFinished", _KEPT_SECONDS)
    spec: Data = {"ttlSecondsAfterFinished": kept, "template": {"spec": pod}}
    return make_object("batch/v1", "Job", about, spec)
