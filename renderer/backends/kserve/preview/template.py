"""Labels and annotations of what is made for a component."""

import json
from collections.abc import Mapping

from renderer.backends.kserve.inference_service import EXPLAINER, PREDICTOR
from renderer.backends.kserve.merged_container import service_metadata
from renderer.backends.kserve.preview.plan import Part, ServicePlan
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
_KEPT_BACK = frozenset((
    "autoscaling.knative.dev/min-scale", "autoscaling.knative.dev/max-scale", SOURCE,
    "kubectl.kubernetes.io/last-applied-configuration", "modelFormat",
))  # fmt: skip
_ANY_SCHEME = "<scheme-placeholder>"


def component_labels(plan: ServicePlan, part: Part) -> dict[str, str]:
    """Those of the runtime, the service and the component, in this order, and KServe's own."""
    return {
        **texts(part.begun.spec, "labels"),
        **service_metadata(part.begun, part.model, plan.metadata).labels,
        **texts(part.fields, "labels"),
        "serving.kserve.io/inferenceservice": plan.metadata.name,
        "component": part.kind,
    }


def component_annotations(plan: ServicePlan, part: Part) -> dict[str, str]:
    """The same, with what tells the webhook what to add to pods."""
    return {
        **_passed(texts(part.begun.spec, "annotations")),
        **_passed(plan.metadata.annotations),
        **_for_webhook(plan, part),
        **_passed(texts(part.fields, "annotations")),
    }


def _passed(given: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in given.items() if key not in _KEPT_BACK}


def _for_webhook(plan: ServicePlan, part: Part) -> dict[str, str]:
    found = {**_logger(mapping(part.fields, "logger"), given="logger" in part.fields)}
    if part.kind != EXPLAINER and "batcher" in part.fields:
        batcher = mapping(part.fields, "batcher")
        sizes = {"batcher-max-batchsize": "maxBatchSize", "batcher-max-latency": "maxLatency"}
        found["batcher"] = "true"
        found |= {key: str(batcher[name]) for key, name in sizes.items() if name in batcher}
    if part.kind == PREDICTOR:
        found |= _storage(part)
        found |= _puller(plan) if serves_many(part) else {}
    if uri := source_of(part):
        found["storage-initializer-sourceuri"] = uri
        name = part.fields.get("storageContainerName")
        found |= {"storage-container-name": str(name)} if name else {}
    secret = mapping(part.model, "confidential")
    if secret.get("enabled") is True:
        found["confidential-enabled"] = "true"
        own = secret.get("resourceId")
        found |= {"confidential-resource-id": str(own)} if own else {}
    return {f"{INTERNAL}{key}": value for key, value in found.items()}


def _logger(logger: Data, *, given: bool) -> dict[str, str]:
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


def _storage(part: Part) -> dict[str, str]:
    """What is said of a secret that knows the store."""
    if "storage" not in part.model:
        return {}
    storage = mapping(part.model, "storage")
    found = {"storage-spec": "true"}
    if "parameters" in storage:
        given = mapping(storage, "parameters")
        found["storage-spec-param"] = json.dumps(given, sort_keys=True, separators=(",", ":"))
    found |= {"storage-spec-key": str(storage["key"])} if "key" in storage else {}
    if "path" in storage:
        path = str(storage["path"]).removeprefix("/")
        found["storage-initializer-sourceuri"] = f"{_ANY_SCHEME}://{path}"
    return found


def _puller(plan: ServicePlan) -> dict[str, str]:
    return {
        "agent": "true",
        "configVolumeName": f"modelconfig-{plan.metadata.name}-0",
        "configMountPath": "/mnt/configs",
        "modelDir": "/mnt/models",
    }


def source_of(part: Part) -> str:
    """The storage URI of a component: of its model, or in a variable of its container."""
    if part.kind == PREDICTOR and part.model:
        return str(part.model.get("storageUri") or "")
    if "art" in part.fields:
        return str(mapping(part.fields, "art").get("storageUri") or "")
    listing = items(part.fields, "containers")
    helper = listing[0] if listing else None
    first = container_named(listing, SERVING_CONTAINER) if part.kind == PREDICTOR else helper
    return (variable(first, "STORAGE_URI") or "") if first else ""


def serves_many(part: Part) -> bool:
    """Whether KServe takes a predictor for a server of several models, told of them later."""
    listing = items(part.fields, "containers")
    if listing:
        return variable(listing[0], "MULTI_MODEL_SERVER") == "true"
    if mapping(part.model, "modelFormat").get("name") == "huggingface":
        return False
    stored = ("storageUri" in part.model, "storage" in part.model, "storageUris" in part.fields)
    return not any(stored)
