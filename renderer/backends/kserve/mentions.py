"""Where specs of KServe name objects of the cluster."""

from functools import cache

from renderer.backends.kserve.model import ART, FRAMEWORKS, MODEL
from renderer.kubernetes.mentions import CONTAINER, POD, QUEUED, Mention, below

_COMPONENTS = ("predictor", "transformer", "explainer", "canary")
#: The claim that a model lies on.
_CLAIM = r"pvc://([^/]+)"
_SERVER = (
    *CONTAINER,
    Mention(("storageUri",), "PersistentVolumeClaim", form=_CLAIM),
    Mention(("storage", "storageUri"), "PersistentVolumeClaim", form=_CLAIM),
)
_SECRET = Mention(("annotations", "serving.kserve.io/storageSecretName"), "Secret")


@cache
def mentions(kind: str) -> tuple[Mention, ...]:
    """Of a service: in each of its components; of a runtime: in its pod."""
    if kind == "InferenceService":
        return (*QUEUED, _SECRET, *(row for name in _COMPONENTS for row in _component(name)))
    return (*below(("metadata",), QUEUED), *POD, *below(("workerSpec",), POD))


def _component(name: str) -> tuple[Mention, ...]:
    """A component is the spec of a pod that may also have a model server of a known format."""
    servers = (below((name, key), _SERVER) for key in (MODEL, ART, *FRAMEWORKS))
    pods = below((name,), POD) + below((name, "workerSpec"), POD)
    uris = below(
        (name,), (Mention(("storageUris", "*", "uri"), "PersistentVolumeClaim", form=_CLAIM),)
    )
    return (*pods, *uris, *(row for some in servers for row in some))
