"""Addresses of models that begin right and lead nowhere."""

from collections.abc import Iterator

from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.model_uris import Uri, uris_of
from renderer.backends.kserve.rules.sources import STORAGE
from renderer.kubernetes.names import is_dns_name
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, sourced

_ONE_SLASH = expression(r"([a-z][a-z0-9+]*):/(?!/)(.*)")
#: What names a bucket, an owner or a host behind its slashes.
_WITH_HOST = ("s3", "gs", "hf", "hdfs", "webhdfs", "oci", "https", "http")


@rule("KSV366", Severity.ERROR, "InferenceService")
def addresses_name_something(service: InferenceService) -> Iterator[Finding]:
    """The address of a model names a bucket, a host, or a claim that there can be.

    KServe looks at the beginning only. A claim's name has small letters, digits, `-` and `.`: the
    API server refuses the Deployment otherwise, and without a bucket nothing can be fetched.

    Fails:

        predictor: {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://My_Claim/iris/v1'}}

    Passes:

        predictor: {model: {modelFormat: {name: sklearn}, storageUri: 'pvc://my-claim/iris/v1'}}
    """
    for uri in _addresses(service):
        first = uri.text.partition("://")[2].partition("/")[0]
        if uri.scheme == "pvc" and not is_dns_name(first):
            what = f"{first!r} is no name of a claim" if first else "no claim is named"
            yield Finding(uri.path, f"{what} in {uri.text!r}", "write pvc://CLAIM/PATH")
        elif uri.scheme in _WITH_HOST and not first:
            message = f"nothing is named behind {uri.scheme}:// in {uri.text!r}"
            yield Finding(uri.path, message, f"write {uri.scheme}://NAME/PATH")


@rule("KSV367", Severity.WARNING, "InferenceService")
def addresses_have_two_slashes(service: InferenceService) -> Iterator[Finding]:
    """The address of a model has two slashes behind its beginning.

    With one KServe takes it for a path in the image of the server, and fetches nothing.

    Fails:

        predictor: {model: {modelFormat: {name: sklearn}, storageUri: 's3:/models/iris/v1'}}

    Passes:

        predictor: {model: {modelFormat: {name: sklearn}, storageUri: 's3://models/iris/v1'}}
    """
    for uri in _addresses(service):
        if found := _ONE_SLASH.fullmatch(uri.text):
            message = f"{uri.text!r} is a path to KServe, and nothing is fetched"
            yield Finding(uri.path, message, f"write {found[1]}://{found[2]}")


def _addresses(service: InferenceService) -> Iterator[Uri]:
    for component in service.components:
        if "storageContainerName" not in component.node.items:
            yield from uris_of(component)


RULES = sourced((addresses_name_something, addresses_have_two_slashes), STORAGE)
