"""Names of containers and volumes that the runtime has already, or that KServe gives itself."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import Component
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.merged_container import TRANSFORMER_CONTAINER
from renderer.backends.kserve.pods import runtime_fields
from renderer.backends.kserve.rules.sources import RECONCILERS
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_NEW = "0.2.0"
_INITIALIZER, _AGENT = "storage-initializer", "agent"
_CLAIM_VOLUME, _CLAIM = "kserve-pvc-source", "pvc://"
_OTHER = "give it another name"


@rule("KSV204", Severity.ERROR, "InferenceService", since=_NEW)
def names_are_not_the_runtimes(service: PlacelessService) -> Iterator[Finding]:
    """A container beside a model is not called like one that the runtime has.

    KServe merges kserve-container and transformer-container alone, and adds others to those of the
    runtime: the API server refuses the Deployment with two of one name, an init container's
    included (observed).

    Fails:
        predictor: {initContainers: [{name: kserve-container, image: 'example/copy:v1'}]}
    Passes: predictor: {initContainers: [{name: copy, image: 'example/copy:v1'}]}
    """
    if service.model is None or service.runtime is None:
        return
    below = elements(runtime_fields(service.runtime, service), "containers")
    names = {SERVING_CONTAINER, *(text(item, "name") for item in below)}
    merged = {SERVING_CONTAINER, TRANSFORMER_CONTAINER}  # KSV101 reports the first of the two
    field = service.predictor.field
    for key, taken in (("containers", names - merged), ("initContainers", names)):
        for container in field.each(key):
            name = container.get("name")
            if name and name.text in taken:
                yield name.wrong(f"the runtime has a container {name.text!r} already", _OTHER)


@rule("KSV205", Severity.ERROR, "InferenceService", since=_NEW)
def names_are_not_kserves(service: PlacelessService) -> Iterator[Finding]:
    """Containers and volumes are not called like those that KServe adds to the same pod.

    A container called storage-initializer makes pods impossible, and an init container of that name
    keeps KServe from fetching the model. One called agent takes the place of the agent that logs or
    batches, and a volume called kserve-pvc-source that of the model's claim (observed).

    Fails:
        predictor: {initContainers: [{name: storage-initializer, image: 'example/copy:v1'}]}
    Passes: predictor: {initContainers: [{name: copy, image: 'example/copy:v1'}]}
    """
    for component in service.stable_components:
        for item, message in _lost(component, service):
            yield item.wrong(message, _OTHER)


def _lost(component: Component, service: PlacelessService) -> Iterator[tuple[Field, str]]:
    """What has a name of KServe's, and what KServe does not do then."""
    model = service.model if component is service.predictor else None
    storage = text(model.node, "storageUri") if model else ""
    field = component.field
    if storage and not storage.startswith(_CLAIM):
        for item in _named(field, "containers", _INITIALIZER):
            yield item, f"KServe adds an init container {_INITIALIZER}, and no pod can have both"
        for item in _named(field, "initContainers", _INITIALIZER):
            yield item, f"with an init container {_INITIALIZER}, KServe does not fetch the model"
    if component.has("logger") or component.has("batcher"):
        for item in _named(field, "containers", _AGENT):
            yield item, f"with a container {_AGENT}, KServe adds none that logs or batches"
    if storage.startswith(_CLAIM):
        for item in _named(field, "volumes", _CLAIM_VOLUME):
            yield item, f"with a volume {_CLAIM_VOLUME}, KServe does not mount the model's claim"


def _named(field: Field, key: str, name: str) -> Iterator[Field]:
    for item in field.each(key):
        if (found := item.get("name")) and found.text == name:
            yield found


RULES = rules_with_source((names_are_not_the_runtimes, names_are_not_kserves), RECONCILERS)
