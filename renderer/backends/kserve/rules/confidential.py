"""Confidential models: what KServe decrypts, and from where."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.model_uris import Uri
from renderer.backends.kserve.rules.sources import WEBHOOK
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source


@rule("KSV135", Severity.ERROR, "InferenceService", reads=("predictor",))
def confidential_has_a_uri(service: InferenceService) -> Iterator[Finding]:
    """A confidential model has a storageUri.

    KServe's webhook refuses one without.

    Fails: predictor: {model: {storage: {key: store, path: iris/v1}, confidential: {enabled: true}}}
    Passes: predictor: {model: {confidential: {enabled: true}}}
    """
    model = service.model
    if model is None or not _is_confidential(service) or text(model.node, "storageUri"):
        return
    message = "a confidential model has no storageUri"
    yield Finding((*model.path, "confidential"), message, "add storageUri", at_key=True)


@rule("KSV136", Severity.WARNING, "InferenceService")
def confidential_is_fetched(service: InferenceService) -> Iterator[Finding]:
    """A confidential model is not in an image or on a claim.

    KServe decrypts what it fetches, which these are not: it only warns.

    Fails: predictor: {model: {storageUri: 'pvc://models/iris/v1', confidential: {enabled: true}}}
    Passes: predictor: {model: {confidential: {enabled: true}}}
    """
    model = service.model
    if model is None or not _is_confidential(service):
        return
    uri = Uri((*model.path, "storageUri"), text(model.node, "storageUri"))
    if uri.scheme in ("oci", "pvc"):
        message = f"confidential has no effect on {uri.scheme}://"
        yield Finding((*model.path, "confidential"), message, "delete it", at_key=True)


def _is_confidential(service: InferenceService) -> bool:
    found = service.model.node.get("confidential", "enabled") if service.model else None
    return found is not None and found.value is True


RULES = rules_with_source((confidential_has_a_uri, confidential_is_fetched), WEBHOOK)
