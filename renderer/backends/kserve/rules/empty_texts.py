"""Texts that are there and empty: to KServe they are not the same as none."""

from collections.abc import Iterator

from renderer.backends.fields import elements
from renderer.backends.kserve.dialect import MODEL_MESH
from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.model import models_of
from renderer.backends.kserve.rules.images import has_tag
from renderer.backends.kserve.rules.sources import CONTROLLER
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: Fields of a model, and what KServe makes of an empty one.
_MEANINGS = {
    ("runtime",): "KServe looks for a runtime without a name",
    ("runtimeVersion",): "the image gets an empty tag, and no node can fetch it",
    ("modelFormat", "version"): "KServe looks for a runtime that lists an empty version",
}


@rule("KSV361", Severity.ERROR, "InferenceService", reads=("predictor",))
def texts_of_models_are_not_empty(service: InferenceService) -> Iterator[Finding]:
    """The runtime, runtimeVersion and version of the format of a model are not empty texts.

    KServe asks only whether they are there: an empty one is a name, a tag or a version that nothing
    has, and the model never becomes ready. Without the field, KServe chooses by itself.

    Fails: predictor: {model: {runtime: ''}}
    Passes: predictor: {model: {runtime: kserve-sklearnserver}}
    """
    if service.mode == MODEL_MESH:
        return
    for component in service.components:
        for model in models_of(component.node)[:1]:
            field = Field((*component.path, model.path[-1]), model.node)
            for keys, meaning in _MEANINGS.items():
                found = field.get(*keys)
                if found and found.node.value == "" and not _is_harmless(keys[-1], service):
                    yield found.wrong(f"{keys[-1]} is empty: {meaning}", f"delete {keys[-1]}")


def _is_harmless(key: str, service: InferenceService) -> bool:
    """A digest keeps its image as it is; a runtime may list an empty version."""
    if key == "runtimeVersion":
        return not has_tag(service)
    own = (item.spec.tree for item in service.runtimes() if item.spec)
    listings = (entry for tree in own for entry in elements(tree, "supportedModelFormats"))
    found = (entry.get("version") for entry in listings)
    return key == "version" and any(node is not None and node.value == "" for node in found)


RULES = rules_with_source((texts_of_models_are_not_empty,), CONTROLLER)
