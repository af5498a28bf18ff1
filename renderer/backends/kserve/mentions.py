"""Where specs of KServe name objects of the cluster."""

from functools import cache

from renderer.backends.kserve.model import ART, FRAMEWORKS, MODEL
from renderer.backends.kserve.plain_objects import (
    CACHE,
    GRAPH,
    NODE_GROUP,
    STORAGE_CONTAINER,
    TRAINED_MODEL,
)
from renderer.kubernetes.mentions import CONTAINER, POD, QUEUED, Mention, nest

#: The claim that a model lies on.
_CLAIM = r"pvc://([^/]+)"
_SERVER = (*CONTAINER, Mention(("storageUri",), "PersistentVolumeClaim", form=_CLAIM))
_SECRET_PLACE = ("annotations", "serving.kserve.io/storageSecretName")
#: Where the credentials of a storage are: a key of a Secret that all services share.
_STORAGE = Mention(("storage", "key"), "Secret", usual_name="storage-config", name_at=_SECRET_PLACE)
_URIS = Mention(("storageUris", "*", "uri"), "PersistentVolumeClaim", form=_CLAIM)
_SECRET = Mention(_SECRET_PLACE, "Secret")
#: The model servers of known formats that a component may have beside the fields of a pod.
_SERVERS = {"predictor": (MODEL, *FRAMEWORKS), "transformer": (), "explainer": (ART,)}

#: What KServe makes of a spec and names after it.
_DERIVED = frozenset(
    ("Deployment", "HTTPRoute", "HorizontalPodAutoscaler", "Ingress", "ScaledObject", "Service")
)


GATEWAY = "Gateway.gateway.networking.k8s.io"
_LLM_CLAIMS = (
    Mention(("model", "uri"), "PersistentVolumeClaim", form=_CLAIM),
    Mention(("model", "lora", "adapters", "*", "uri"), "PersistentVolumeClaim", form=_CLAIM),
)
_CACHE = ("kvCacheOffloading", "secondary", "*", "fileSystem", "pvc", "ref", "name")
_WORKLOAD = (
    Mention(_CACHE, "PersistentVolumeClaim"),
    *nest(("template",), POD),
    *nest(("worker",), POD),
)
_ROUTER = (
    Mention(("gateway", "refs", "*", "name"), GATEWAY, namespace_at="namespace"),
    Mention(("route", "http", "refs", "*", "name"), "HTTPRoute"),
    Mention(
        ("route", "http", "spec", "parentRefs", "*", "name"),
        GATEWAY,
        kind_at="kind",
        group_at="group",
        namespace_at="namespace",
    ),
    Mention(("scheduler", "pool", "ref", "name"), "InferencePool"),
    Mention(
        ("scheduler", "config", "ref", "name"),
        "ConfigMap",
        keys_at=("key",),
        optional_at="optional",
    ),
    *nest(("scheduler", "template"), POD),
)
_LLM = (
    *nest(("metadata",), QUEUED),
    *_LLM_CLAIMS,
    *_WORKLOAD,
    *nest(("prefill",), _WORKLOAD),
    *nest(("router",), _ROUTER),
)


#: What smaller kinds name.
_FURTHER = {
    GRAPH: (Mention(("serviceAccountName",), "ServiceAccount"),),
    TRAINED_MODEL: (),
    STORAGE_CONTAINER: (),
    CACHE: (),
    NODE_GROUP: (
        Mention(("persistentVolumeSpec", "storageClassName"), "StorageClass"),
        Mention(("persistentVolumeClaimSpec", "storageClassName"), "StorageClass"),
    ),
}


@cache
def mentions(kind: str) -> tuple[Mention, ...]:
    """Of a service: in each of its components; of a runtime: in its pod."""
    if kind in _FURTHER:
        return _FURTHER[kind]
    if kind.startswith("LLM"):
        return _LLM
    if kind == "InferenceService":
        components = (row for name in _SERVERS for row in _component((name,), name))
        canary = _component(("canary", "*", "predictor"), "predictor")
        return (*QUEUED, _SECRET, *components, *canary)
    return (*nest(("metadata",), QUEUED), *POD, *nest(("workerSpec",), POD))


def _component(place: tuple[str, ...], name: str) -> tuple[Mention, ...]:
    """A component is the spec of a pod that may also have a model server of a known format."""
    servers = (nest((*place, key), (*_SERVER, _STORAGE)) for key in _SERVERS[name])
    workers = nest((*place, "workerSpec"), POD) if name == "predictor" else ()
    return (*nest(place, (*POD, _URIS)), *workers, *(row for some in servers for row in some))


def derives(kind: str) -> frozenset[str]:  # noqa: ARG001
    """The same for all kinds; that some make less hides a wrong name at most."""
    return _DERIVED
