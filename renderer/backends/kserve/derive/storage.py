"""How a model comes into a pod: by download, from a claim, or from an image."""

from renderer.backends.kserve.derive.service_plan import ServicePlan
from renderer.backends.kserve.merged_container import MODELS, TRANSFORMER_CONTAINER
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.data import Data, change_container, container_named, items, mapping
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

READ_ONLY = "storage.kserve.io/readonly"
_DOWNLOAD_VOLUME, _CLAIM_VOLUME = "kserve-provision-location", "kserve-pvc-source"
_CLAIM, _IMAGE = "pvc://", "oci://"
_INIT = "storage-initializer"
DOWNLOAD_VARIABLES = {
    "HF_HUB_ENABLE_HF_TRANSFER": "1",
    "HF_XET_HIGH_PERFORMANCE": "1",
    "HF_XET_NUM_CONCURRENT_RANGE_GETS": "8",
}
_MODELCAR_AMOUNTS: Plain = {"cpu": "10m", "memory": "15Mi"}
_USER = 1010
#: The containers that read the model.
_READERS = (SERVING_CONTAINER, TRANSFORMER_CONTAINER)
#: What the configuration that KServe ships gives to containers of its own.
OWN_AMOUNTS: Plain = {
    "requests": {"cpu": "100m", "memory": "100Mi"},
    "limits": {"cpu": "1", "memory": "1Gi"},
}


class ModelSource(NamedTuple):
    """Where a model is, and where the containers of a pod find it."""

    uri: str
    path: str = MODELS


def mount_model(pod: Data, uri: str, plan: ServicePlan, env: list[Plain]) -> Data:
    """A pod with its one model, as the webhook adds it; `env` is for who downloads it."""
    if uri.startswith(_IMAGE):
        return image_containers(pod, uri.removeprefix(_IMAGE), _READERS)
    if uri.startswith("oci+"):  # observed: nothing is added
        return pod
    if uri.startswith(_CLAIM):
        claim, _, path = uri.removeprefix(_CLAIM).partition("/")
        mount: Data = {
            "name": _CLAIM_VOLUME,
            "mountPath": MODELS,
            **({"subPath": path} if path else {}),
        }
        volume: Plain = {"name": _CLAIM_VOLUME, "persistentVolumeClaim": {"claimName": claim}}
        return _mount_volume(pod, mount, volume, read_only=_is_read_only(plan))
    return _download(pod, [ModelSource(uri)], _DOWNLOAD_VOLUME, plan, env)


def mount_models(pod: Data, sources: list[ModelSource], plan: ServicePlan) -> Data:
    """A pod with models in several places, as the controller adds them."""
    for source in sources:
        if source.uri.startswith(_CLAIM):
            claim = source.uri.removeprefix(_CLAIM).split("/")[0]
            name = _volume_name(source.path)
            volume: Plain = {"name": name, "persistentVolumeClaim": {"claimName": claim}}
            mount: Data = {"name": name, "mountPath": source.path}
            pod = _mount_volume(pod, mount, volume, read_only=_is_read_only(plan))
    rest = [item for item in sources if not item.uri.startswith((_CLAIM, _IMAGE))]
    return _download(pod, rest, _volume_name(_common_folder(rest)), plan, []) if rest else pod


def _download(
    pod: Data, sources: list[ModelSource], name: str, plan: ServicePlan, env: list[Plain]
) -> Data:
    place = _common_folder(sources)
    faster: list[Plain] = [
        {"name": key, "value": value} for key, value in DOWNLOAD_VARIABLES.items()
    ]
    container: Data = {
        "name": _INIT,
        "image": f"kserve/storage-initializer:v{plan.dialect}",
        "imagePullPolicy": "IfNotPresent",
        "args": [word for item in sources for word in (item.uri, item.path)],
        "env": [*env, *faster, *_confidential_variables(plan)],
        "resources": OWN_AMOUNTS,
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": [{"name": name, "mountPath": place}],
    }
    mount: Data = {"name": name, "mountPath": place}
    volume: Plain = {"name": name, "emptyDir": {}}
    done = _mount_volume(pod, mount, volume, read_only=_is_read_only(plan))
    return {**done, "initContainers": [*items(pod, "initContainers"), container]}


def _confidential_variables(plan: ServicePlan) -> list[Plain]:
    """The variables with which the downloader decrypts a confidential model."""
    confidential = mapping(plan.predictor.model, "confidential")
    if confidential.get("enabled") is not True:
        return []
    key = confidential.get("resourceId")
    given: Data = {"CONFIDENTIAL_ENABLED": "true", "CONFIDENTIAL_RESOURCE_ID": key}
    return [{"name": name, "value": value} for name, value in given.items() if value]


def _mount_volume(
    pod: Data,
    mount: Data,
    volume: Plain,
    *,
    read_only: bool,
    readers: tuple[str, ...] = _READERS,
) -> Data:
    """The containers that read the model get the volume."""
    whole: Data = {**mount, "readOnly": True} if read_only else mount
    name = str(mount["name"])

    def add_mount(container: Data) -> Data:
        mounts = items(container, "volumeMounts")
        has_mount = container_named(mounts, name)
        return container if has_mount else {**container, "volumeMounts": [*mounts, whole]}

    for reader in readers:
        pod = change_container(pod, reader, add_mount)
    volumes = items(pod, "volumes")
    added = [] if container_named(volumes, name) else [volume]
    return {**pod, "volumes": [*volumes, *added]}


def image_containers(pod: Data, image: str, readers: tuple[str, ...], path: str = MODELS) -> Data:
    """An image that holds the model runs beside the server, which sees its files."""
    mount: Data = {"name": _DOWNLOAD_VOLUME, "mountPath": path.rpartition("/")[0]}
    volume: Plain = {"name": _DOWNLOAD_VOLUME, "emptyDir": {}}
    done = _mount_volume(pod, mount, volume, read_only=False, readers=readers)
    for reader in readers:
        done = change_container(done, reader, _await_model)
    car: Data = {
        **_modelcar("modelcar", image),
        "securityContext": {"runAsUser": _USER},
        "volumeMounts": [mount],
    }
    return {
        **done,
        "shareProcessNamespace": True,
        "initContainers": [*items(pod, "initContainers"), _modelcar("modelcar-init", image)],
        "containers": [*items(done, "containers"), car],
    }


def _await_model(container: Data) -> Data:
    """The server waits for the model, and runs as the user of the modelcar to see its files."""
    variable: Plain = {"name": "MODEL_INIT_MODE", "value": "async"}
    security: Plain = {**mapping(container, "securityContext"), "runAsUser": _USER}
    env: Plain = [*items(container, "env"), variable]
    return {**container, "env": env, "securityContext": security}


def _modelcar(name: str, image: str) -> Data:
    """A container of the image; the commands that KServe runs in it are not shown."""
    return {
        "name": name,
        "image": image,
        "resources": {"requests": _MODELCAR_AMOUNTS, "limits": _MODELCAR_AMOUNTS},
        "terminationMessagePolicy": "FallbackToLogsOnError",
    }


def _is_read_only(plan: ServicePlan) -> bool:
    return plan.metadata.annotations.get(READ_ONLY) != "false"


def _common_folder(sources: list[ModelSource]) -> str:
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
