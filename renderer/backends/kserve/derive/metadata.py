"""Labels and annotations of what is made for a component."""

import json
from collections.abc import Mapping

from renderer.backends.kserve.components import EXPLAINER, PREDICTOR
from renderer.backends.kserve.derive.service_plan import ServicePlan, Workload
from renderer.backends.kserve.merged_container import service_metadata
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.data import (
    Data,
    container_named,
    items,
    mapping,
    texts,
    variable,
    words,
)

INTERNAL = "internal.serving.kserve.io/"
SOURCE, AGENT = f"{INTERNAL}storage-initializer-sourceuri", f"{INTERNAL}agent"
#: Annotations of the service that do not reach its pods.
_NOT_FOR_PODS = frozenset((
    "autoscaling.knative.dev/min-scale", "autoscaling.knative.dev/max-scale", SOURCE,
    "kubectl.kubernetes.io/last-applied-configuration", "modelFormat",
))  # fmt: skip
_ANY_SCHEME = "<scheme-placeholder>"


def component_labels(plan: ServicePlan, workload: Workload) -> dict[str, str]:
    """Those of the runtime, the service and the component, in this order, and KServe's own."""
    return {
        **texts(workload.runtime.spec, "labels"),
        **service_metadata(workload.runtime, workload.model, plan.metadata).labels,
        **texts(workload.fields, "labels"),
        "serving.kserve.io/inferenceservice": plan.metadata.name,
        "component": workload.kind,
    }


def component_annotations(plan: ServicePlan, workload: Workload) -> dict[str, str]:
    """The same, with the annotations by which the webhook knows what to add to pods."""
    return {
        **_pod_annotations(texts(workload.runtime.spec, "annotations")),
        **_pod_annotations(plan.metadata.annotations),
        **_webhook_annotations(plan, workload),
        **_pod_annotations(texts(workload.fields, "annotations")),
    }


def _pod_annotations(given: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in given.items() if key not in _NOT_FOR_PODS}


def _webhook_annotations(plan: ServicePlan, workload: Workload) -> dict[str, str]:
    found = {
        **_logger_annotations(mapping(workload.fields, "logger"), given="logger" in workload.fields)
    }
    if workload.kind != EXPLAINER and "batcher" in workload.fields:
        batcher = mapping(workload.fields, "batcher")
        sizes = {"batcher-max-batchsize": "maxBatchSize", "batcher-max-latency": "maxLatency"}
        found["batcher"] = "true"
        found |= {key: str(batcher[name]) for key, name in sizes.items() if name in batcher}
    if workload.kind == PREDICTOR:
        found |= _storage_annotations(workload)
        found |= _puller_annotations(plan) if serves_many_models(workload) else {}
    if uri := storage_uri(workload):
        found["storage-initializer-sourceuri"] = uri
        name = workload.fields.get("storageContainerName")
        found |= {"storage-container-name": str(name)} if name else {}
    secret = mapping(workload.model, "confidential")
    if secret.get("enabled") is True:
        found["confidential-enabled"] = "true"
        own = secret.get("resourceId")
        found |= {"confidential-resource-id": str(own)} if own else {}
    return {f"{INTERNAL}{key}": value for key, value in found.items()}


def _logger_annotations(logger: Data, *, given: bool) -> dict[str, str]:
    if not given:
        return {}
    found = {"logger": "true", "logger-mode": str(logger.get("mode") or "")}
    found |= {"logger-sink-url": str(logger["url"])} if "url" in logger else {}
    lists = {
        "logger-metadata-headers": "metadataHeaders",
        "logger-metadata-annotations": "metadataAnnotations",
    }
    return found | {
        key: ",".join(words(logger, name)) for key, name in lists.items() if name in logger
    }


def _storage_annotations(workload: Workload) -> dict[str, str]:
    """Annotations that name the secret with the storage's credentials."""
    if "storage" not in workload.model:
        return {}
    storage = mapping(workload.model, "storage")
    found = {"storage-spec": "true"}
    if "parameters" in storage:
        given = mapping(storage, "parameters")
        found["storage-spec-param"] = json.dumps(given, sort_keys=True, separators=(",", ":"))
    found |= {"storage-spec-key": str(storage["key"])} if "key" in storage else {}
    if "path" in storage:
        path = str(storage["path"]).removeprefix("/")
        found["storage-initializer-sourceuri"] = f"{_ANY_SCHEME}://{path}"
    return found


def _puller_annotations(plan: ServicePlan) -> dict[str, str]:
    return {
        "agent": "true",
        "configVolumeName": f"modelconfig-{plan.metadata.name}-0",
        "configMountPath": "/mnt/configs",
        "modelDir": "/mnt/models",
    }


def storage_uri(workload: Workload) -> str:
    """The storage URI of a component: of its model, or in a variable of its container."""
    if workload.kind == PREDICTOR and workload.model:
        return str(workload.model.get("storageUri") or "")
    if "art" in workload.fields:
        return str(mapping(workload.fields, "art").get("storageUri") or "")
    listing = items(workload.fields, "containers")
    helper = listing[0] if listing else None
    first = container_named(listing, SERVING_CONTAINER) if workload.kind == PREDICTOR else helper
    return (variable(first, "STORAGE_URI") or "") if first else ""


def serves_many_models(workload: Workload) -> bool:
    """Whether KServe takes a predictor for a server of TrainedModels, as it has no model."""
    listing = items(workload.fields, "containers")
    if listing:
        return variable(listing[0], "MULTI_MODEL_SERVER") == "true"
    if mapping(workload.model, "modelFormat").get("name") == "huggingface":
        return False
    stored = (
        "storageUri" in workload.model,
        "storage" in workload.model,
        "storageUris" in workload.fields,
    )
    return not any(stored)
