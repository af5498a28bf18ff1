"""The pod of a predictor, merged from its runtime and the service.

Pure functions on bare data. `predictor_pod` is the whole pod template, before the API server's
defaults; `serving_container` is its first container alone. `service_metadata` has the labels that
KServe adds to the service, which its other components get as well.
"""

import re
from collections.abc import Mapping

from renderer.backends.kserve.runtimes import SERVING_CONTAINER, server_name
from renderer.derive.located import same_place
from renderer.kubernetes.data import Data, container_named, items, mapping, merge_strategically
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Plain

TRANSFORMER_CONTAINER = "transformer-container"
#: Where models are mounted, and the adapters of LLM services.
MODELS, ADAPTERS = "/mnt/models", "/mnt/lora"
SERVICE_NAME = "INFERENCE_SERVICE_NAME"
#: Fields of a model that are no container's.
_MODEL_FIELDS = frozenset((
    "modelFormat", "runtime", "runtimeVersion", "protocolVersion", "storageUri", "storage",
    "confidential",
))  # fmt: skip
#: Fields of a component that are no pod's.
_COMPONENT_FIELDS = frozenset((
    "annotations", "art", "autoScaling", "batcher", "canaryTrafficPercent", "containerConcurrency",
    "containers", "deploymentStrategy", "labels", "logger", "maxReplicas", "minReplicas", "model",
    "name", "scaleMetric", "scaleMetricType", "scaleTarget", "storageContainerName", "storageUris",
    "timeout", "workerSpec",
))  # fmt: skip
#: The pod fields of a runtime that reach the pod.
RUNTIME_FIELDS = (
    "nodeSelector", "affinity", "tolerations", "volumes", "imagePullSecrets", "schedulerName",
)  # fmt: skip
#: Servers whose images for GPUs have tags that end in -gpu.
_GPU_TAGS = frozenset(("tensorflow-serving", "torchserve", "huggingfaceserver"))
_GPU, _GPU_PARTS = "nvidia.com/gpu", "nvidia.com/mig"
_CLASSES = {
    "xgboost": "mlserver_xgboost.XGBoostModel",
    "lightgbm": "mlserver_lightgbm.LightGBMModel",
    "mlflow": "mlserver_mlflow.MLflowRuntime",
}
_TAG = expression(r":[A-Za-z0-9_.\-]*\Z")
_PLACEHOLDER = expression(r"\{\{\s*\.(Name|Namespace|(Labels|Annotations)\.(\w+))\s*\}\}")


class Metadata(NamedTuple):
    """What placeholders are filled from."""

    name: str
    namespace: str = ""
    labels: Mapping[str, str] = {}
    annotations: Mapping[str, str] = {}


class RuntimeSpec(NamedTuple):
    """A runtime as far as pods need it: the spec of its object, which is empty if not known."""

    name: str
    spec: Mapping[str, Plain] = {}
    server_type: str = ""

    @property
    def server(self) -> str:
        return server_name(self.name, self.server_type)

    def container(self, name: str) -> Data | None:
        return container_named(items(self.spec, "containers"), name)


def service_metadata(runtime: RuntimeSpec, model: Data, metadata: Metadata) -> Metadata:
    """The service's metadata with the labels that KServe sets for some servers."""
    extra = {}
    if runtime.server == "mlserver":
        extra["modelClass"] = _CLASSES.get(_format(model), "mlserver_sklearn.SKLearnModel")
    if runtime.server == "torchserve":
        is_v2 = model.get("protocolVersion") in ("v2", "grpc-v2")
        extra["serviceEnvelope"] = "kservev2" if is_v2 else "kserve"
    return metadata._replace(labels={**metadata.labels, **extra})


def predictor_pod(runtime: RuntimeSpec, predictor: Data, metadata: Metadata) -> Data:
    """The pod of a predictor with a model: fields of both, containers in KServe's order."""
    pod = merge_strategically(
        {key: runtime.spec[key] for key in RUNTIME_FIELDS if key in runtime.spec},
        pod_fields(predictor),
    )
    own = items(predictor, "containers")
    first = serving_container(runtime, mapping(predictor, "model"), metadata)
    transformers = _transformer_containers(runtime, predictor, metadata)
    rest = (
        item
        for item in (*items(runtime.spec, "containers"), *own)
        if item.get("name") not in (SERVING_CONTAINER, TRANSFORMER_CONTAINER)
    )
    containers = [first, *transformers, *rest]
    return {**pod, "containers": [add_service_name(item, metadata) for item in containers]}


def serving_container(runtime: RuntimeSpec, model: Data, metadata: Metadata) -> Data:
    """The container that serves the model, merged with the runtime's if that is known."""
    metadata = service_metadata(runtime, model, metadata)
    own = _server_fields(runtime, model, metadata)
    below = runtime.container(SERVING_CONTAINER) or {"name": SERVING_CONTAINER}
    whole = _fill_placeholders(_merge_containers(below, own), metadata)
    image = whole.get("image")
    if isinstance(image, str):
        whole["image"] = _tagged_image(image, runtime, model, whole)
    return whole


def pod_fields(component: Data) -> Data:
    """The fields of a component's pod other than containers."""
    return {key: value for key, value in component.items() if key not in _COMPONENT_FIELDS}


def add_service_name(container: Data, metadata: Metadata) -> Data:
    """A container with the variable that KServe adds to all."""
    env = items(container, "env")
    if not any(item.get("name") == SERVICE_NAME for item in env):
        env = [*env, {"name": SERVICE_NAME}]
    done = [
        {**item, "value": metadata.name} if item.get("name") == SERVICE_NAME else item
        for item in env
    ]
    return {**container, "env": list[Plain](done)}


def _transformer_containers(
    runtime: RuntimeSpec, predictor: Data, metadata: Metadata
) -> list[Data]:
    """The transformer in the predictor's pod, of both layers, if there is one."""
    own = container_named(items(predictor, "containers"), TRANSFORMER_CONTAINER)
    below = runtime.container(TRANSFORMER_CONTAINER)
    whole = _merge_containers(below, own) if below and own else below or own
    return [_fill_placeholders(whole, metadata)] if whole else []


def _merge_containers(below: Data, above: Data) -> Data:
    """One container over another; arguments of both, the runtime's first."""
    whole = merge_strategically(below, {key: value for key, value in above.items() if value != ""})
    if _list(whole, "env"):
        own = {str(item.get("name")): item for item in items(above, "env")}
        whole["env"] = [_keep_one_source(item, own) for item in _list(whole, "env")]
    # KServe concatenates arguments, where a strategic merge would replace them (cases/merge.json).
    args = [*_list(below, "args"), *_list(above, "args")]
    return {**whole, "args": args} if args else whole


def _keep_one_source(variable: Plain, own: Mapping[str, Data]) -> Plain:
    """A variable of two layers has the source that the upper one gives it."""
    if not isinstance(variable, dict) or not (variable.get("value") and variable.get("valueFrom")):
        return variable
    upper = own.get(str(variable.get("name")), {})
    lost = "value" if upper.get("valueFrom") else "valueFrom" if upper.get("value") else ""
    return {key: value for key, value in variable.items() if key != lost}


def _server_fields(runtime: RuntimeSpec, model: Data, metadata: Metadata) -> Data:
    """The container fields of a model, with what KServe adds for its kind of server."""
    own = {key: value for key, value in model.items() if key not in _MODEL_FIELDS}
    is_stored = "storageUri" in model or "storage" in model
    if runtime.server == "tritonserver" and not is_stored:
        own["args"] = [*_list(own, "args"), "--model-control-mode=explicit"]
    if runtime.server == "torchserve":
        version = {"name": "PROTOCOL_VERSION", "value": str(model.get("protocolVersion") or "v1")}
        own["env"] = [*_list(own, "env"), dict[str, Plain](version)]
    if runtime.server == "mlserver":
        name = {"MLSERVER_MODEL_NAME": metadata.name, "MLSERVER_MODEL_URI": MODELS}
        given = {item.get("name") for item in items(own, "env")}
        added = name if is_stored else {"MLSERVER_LOAD_MODELS_AT_STARTUP": "false"}
        more: list[Plain] = [
            {"name": key, "value": value} for key, value in added.items() if key not in given
        ]
        own["env"] = [*_list(own, "env"), *more]
    return own


def _tagged_image(image: str, runtime: RuntimeSpec, model: Data, container: Data) -> str:
    """The image with the tag that the service asks for, or that its server has for the hardware."""
    if "@sha256:" in image:  # KServe never touches a digest, not even for a runtimeVersion
        return image
    tag = _TAG.search(image)
    version = model.get("runtimeVersion")
    if version is not None:
        return f"{image[: tag.start()] if tag else image}:{version}"
    if tag is None:
        return image
    limits = mapping(container, "resources", "limits")
    has_gpu = any(key == _GPU or key.startswith(_GPU_PARTS) for key in limits)
    if has_gpu and runtime.server in _GPU_TAGS and not image.endswith("-gpu"):
        return f"{image}-gpu"
    name = image[: tag.start()]
    if not has_gpu and runtime.server == "vllmserver" and not name.endswith("-cpu"):
        return f"{name}-cpu{tag[0]}"
    return image


def _fill_placeholders(container: Data, metadata: Metadata) -> Data:
    """A container with its placeholders filled in; what is no plain placeholder stays."""

    def value(found: re.Match[str]) -> str:
        source = {"Labels": metadata.labels, "Annotations": metadata.annotations}.get(found[2])
        if source is not None:
            return source.get(found[3], "")
        return metadata.name if found[1] == "Name" else metadata.namespace

    def filled(data: Plain) -> Plain:
        if isinstance(data, dict):
            return {key: filled(item) for key, item in data.items()}
        if isinstance(data, list):
            return [filled(item) for item in data]
        if not isinstance(data, str) or "{{" not in data:
            return data
        return same_place(data, _PLACEHOLDER.sub(value, data))

    return {key: filled(item) for key, item in container.items()}


def _format(model: Data) -> str:
    return str(mapping(model, "modelFormat").get("name") or "")


def _list(data: Mapping[str, Plain], key: str) -> list[Plain]:
    found = data.get(key)
    return found if isinstance(found, list) else []
