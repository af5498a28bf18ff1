"""How a model comes into a pod: by download, from a claim, or from an image."""

from typing import NamedTuple

from renderer.backends.kserve.derive.service_plan import ServicePlan
from renderer.backends.kserve.merged_container import MODELS, TRANSFORMER_CONTAINER
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.data import Data, container_named, items, mapping, replace_container
from renderer.values.tree import Plain

READ_ONLY = "storage.kserve.io/readonly"
_DOWNLOADED, _CLAIMED = "kserve-provision-location", "kserve-pvc-source"
_CLAIM, _IMAGE = "pvc://", "oci://"
_INIT = "storage-initializer"
_FASTER = {
    "HF_HUB_ENABLE_HF_TRANSFER": "1",
    "HF_XET_HIGH_PERFORMANCE": "1",
    "HF_XET_NUM_CONCURRENT_RANGE_GETS": "8",
}
_SMALL: Plain = {"cpu": "10m", "memory": "15Mi"}
_USER = 1010
#: What the configuration that KServe ships gives to containers of its own.
OWN_AMOUNTS: Plain = {
    "requests": {"cpu": "100m", "memory": "100Mi"},
    "limits": {"cpu": "1", "memory": "1Gi"},
}


class Source(NamedTuple):
    """Where a model is, and where the containers of a pod find it."""

    uri: str
    path: str = MODELS


def with_source(pod: Data, uri: str, plan: ServicePlan, env: list[Plain]) -> Data:
    """A pod with its one model, as the webhook adds it; `env` is for who downloads it."""
    if uri.startswith(_IMAGE):
        return _with_image(pod, uri.removeprefix(_IMAGE))
    if uri.startswith("oci+"):  # observed: nothing is added
        return pod
    if uri.startswith(_CLAIM):
        claim, _, path = uri.removeprefix(_CLAIM).partition("/")
        mount: Data = {"name": _CLAIMED, "mountPath": MODELS, **({"subPath": path} if path else {})}
        volume: Plain = {"name": _CLAIMED, "persistentVolumeClaim": {"claimName": claim}}
        return _mounted(pod, mount, volume, read_only=_is_read_only(plan))
    return _downloaded(pod, [Source(uri)], _DOWNLOADED, plan, env)


def with_sources(pod: Data, sources: list[Source], plan: ServicePlan) -> Data:
    """A pod with models in several places, as the controller adds them."""
    for source in sources:
        if source.uri.startswith(_CLAIM):
            claim = source.uri.removeprefix(_CLAIM).split("/")[0]
            name = _volume_name(source.path)
            volume: Plain = {"name": name, "persistentVolumeClaim": {"claimName": claim}}
            mount: Data = {"name": name, "mountPath": source.path}
            pod = _mounted(pod, mount, volume, read_only=_is_read_only(plan))
    rest = [item for item in sources if not item.uri.startswith((_CLAIM, _IMAGE))]
    return _downloaded(pod, rest, _volume_name(_parent(rest)), plan, []) if rest else pod


def _downloaded(
    pod: Data, sources: list[Source], name: str, plan: ServicePlan, env: list[Plain]
) -> Data:
    place = _parent(sources)
    faster: list[Plain] = [{"name": key, "value": value} for key, value in _FASTER.items()]
    container: Data = {
        "name": _INIT,
        "image": f"kserve/storage-initializer:v{plan.dialect}",
        "imagePullPolicy": "IfNotPresent",
        "args": [word for item in sources for word in (item.uri, item.path)],
        "env": [*env, *faster, *_secrecy(plan)],
        "resources": OWN_AMOUNTS,
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [{"name": name, "mountPath": place}],
    }
    mount: Data = {"name": name, "mountPath": place}
    volume: Plain = {"name": name, "emptyDir": {}}
    done = _mounted(pod, mount, volume, read_only=_is_read_only(plan))
    return {**done, "initContainers": [*items(pod, "initContainers"), container]}


def _secrecy(plan: ServicePlan) -> list[Plain]:
    """What a model that is kept secret from its machine is unlocked with."""
    told = mapping(plan.predictor.model, "confidential")
    if told.get("enabled") is not True:
        return []
    own = told.get("resourceId")
    found: list[Plain] = [{"name": "CONFIDENTIAL_ENABLED", "value": "true"}]
    if own:
        found.append({"name": "CONFIDENTIAL_RESOURCE_ID", "value": own})
    return found


def _mounted(pod: Data, mount: Data, volume: Plain, *, read_only: bool) -> Data:
    """The containers that read the model get the volume."""
    whole: Data = {**mount, "readOnly": True} if read_only else mount
    listing = items(pod, "containers")
    for name in (SERVING_CONTAINER, TRANSFORMER_CONTAINER):
        container = container_named(listing, name)
        if container and not container_named(items(container, "volumeMounts"), str(mount["name"])):
            mounts: list[Plain] = [*items(container, "volumeMounts"), whole]
            listing = items(
                {"all": replace_container(listing, {**container, "volumeMounts": mounts})}, "all"
            )
    volumes = items(pod, "volumes")
    added = [] if container_named(volumes, str(mount["name"])) else [volume]
    return {**pod, "containers": [*listing], "volumes": [*volumes, *added]}


def _with_image(pod: Data, image: str) -> Data:
    """An image that holds the model runs beside the server, which sees its files."""
    mount: Data = {"name": _DOWNLOADED, "mountPath": MODELS.rpartition("/")[0]}
    done = _mounted(pod, mount, {"name": _DOWNLOADED, "emptyDir": {}}, read_only=False)
    listing = items(done, "containers")
    for name in (SERVING_CONTAINER, TRANSFORMER_CONTAINER):
        if container := container_named(listing, name):
            waits: Plain = {"name": "MODEL_INIT_MODE", "value": "async"}
            changed: Data = {
                **container,
                "env": [*items(container, "env"), waits],
                "securityContext": {**mapping(container, "securityContext"), "runAsUser": _USER},
            }
            listing = items({"all": replace_container(listing, changed)}, "all")
    beside: Data = {
        **_car("modelcar", image),
        "securityContext": {"runAsUser": _USER},
        "volumeMounts": [mount],
    }
    first: Plain = _car("modelcar-init", image)
    return {
        **done,
        "shareProcessNamespace": True,
        "initContainers": [*items(pod, "initContainers"), first],
        "containers": [*listing, beside],
    }


def _car(name: str, image: str) -> Data:
    """A container of the image; the commands that KServe runs in it are not shown."""
    return {
        "name": name,
        "image": image,
        "resources": {"requests": _SMALL, "limits": _SMALL},
        "terminationMessagePolicy": "FallbackToLogsOnError",
    }


def _is_read_only(plan: ServicePlan) -> bool:
    return plan.metadata.annotations.get(READ_ONLY) != "false"


def _parent(sources: list[Source]) -> str:
    """The folder that all have in common."""
    first, *others = ([*item.path.strip("/").split("/")] for item in sources)
    shared = []
    for level, word in enumerate(first):
        if any(len(item) <= level or item[level] != word for item in others):
            break
        shared.append(word)
    return "/" + "/".join(shared)


def _volume_name(path: str) -> str:
    return path.strip("/").replace("/", "-")
