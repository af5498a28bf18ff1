"""Where specs of KServe name objects of the cluster."""

from functools import cache

from renderer.backends.kserve.model import ART, FRAMEWORKS, MODEL
from renderer.kubernetes.mentions import CONTAINER, POD, QUEUED, Mention, nest

#: The claim that a model lies on.
_CLAIM = r"pvc://([^/]+)"
_SERVER = (*CONTAINER, Mention(("storageUri",), "PersistentVolumeClaim", form=_CLAIM))
_URIS = Mention(("storageUris", "*", "uri"), "PersistentVolumeClaim", form=_CLAIM)
_SECRET = Mention(("annotations", "serving.kserve.io/storageSecretName"), "Secret")
#: The model servers of known formats that a component may have beside the fields of a pod.
_SERVERS = {"predictor": (MODEL, *FRAMEWORKS), "transformer": (), "explainer": (ART,)}

#: What KServe makes of a spec and names after it.
_DERIVED = frozenset(
    ("Deployment", "HTTPRoute", "HorizontalPodAutoscaler", "Ingress", "ScaledObject", "Service")
)


@cache
def mentions(kind: str) -> tuple[Mention, ...]:
    """Of a service: in each of its components; of a runtime: in its pod."""
    if kind == "InferenceService":
        components = (row for name in _SERVERS for row in _component((name,), name))
        canary = _component(("canary", "*", "predictor"), "predictor")
        return (*QUEUED, _SECRET, *components, *canary)
    return (*nest(("metadata",), QUEUED), *POD, *nest(("workerSpec",), POD))


def _component(place: tuple[str, ...], name: str) -> tuple[Mention, ...]:
    """A component is the spec of a pod that may also have a model server of a known format."""
    servers = (nest((*place, key), _SERVER) for key in _SERVERS[name])
    workers = nest((*place, "workerSpec"), POD) if name == "predictor" else ()
    return (*nest(place, (*POD, _URIS)), *workers, *(row for some in servers for row in some))


def derives(kind: str) -> frozenset[str]:  # noqa: ARG001
    """The same for all kinds; that some make less hides a wrong name at most."""
    return _DERIVED
