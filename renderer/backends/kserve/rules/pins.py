"""What may be another thing tomorrow under the same words: models and versions of servers."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.inference_service import InferenceService, PlacelessService
from renderer.backends.kserve.model import Uri, component_uris
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule

#: Parts of addresses that say themselves that something else will be there.
_MOVING = frozenset(("latest", "current", "main", "master", "head", "newest", "nightly", "tip"))
_PARTS = expression(r"[/:@=]")
#: A version, a date, or a digest.
_FIXED = expression(r"(?:^|[^A-Za-z0-9])[vr]?[0-9]+(?:[^A-Za-z]|$)|[0-9a-f]*[0-9][0-9a-f]{6,}", 2)
#: How large a model is, in numbers of parameters, as in 7b, 1.5b or 350m.
_SIZE = expression(r"(?<![A-Za-z0-9])[0-9]+(?:\.[0-9]+)?[bm](?![A-Za-z0-9])", 2)
#: No address is longer, and an expression takes long for what is.
_LONGEST = 2000
_LOCAL_SCHEMES = ("file", "")
_REVISION_SCHEME = "hf"


@rule("KSV212", Severity.INFO, "InferenceService", reads=("predictor",))
def server_version_is_said(service: PlacelessService) -> Iterator[Finding]:
    """A model says in which version its server runs: `runtimeVersion`.

    Without it, a runtime that KServe ships has the image of the KServe that is installed: an
    upgrade of KServe brings another server, and restarts all pods.

    Fails: predictor: {model: {runtimeVersion: null}}
    Passes: predictor: {model: {runtimeVersion: v0.20.0}}
    """
    model, runtime = service.model, service.runtime
    if model is None or runtime is None or runtime.spec is not None:
        return
    if "runtimeVersion" not in model.node.items and "image" not in model.node.items:
        message = f"the version of {runtime.name} follows that of KServe"
        yield Finding(model.path, message, "add runtimeVersion", at_key=True)


@rule("KSV213", Severity.WARNING, "InferenceService")
def version_and_image_agree(service: PlacelessService) -> Iterator[Finding]:
    """A model has an image or a runtimeVersion, not both.

    KServe puts the runtimeVersion into the place of the image's tag; an image with a digest it
    leaves as it is, and the runtimeVersion has no effect.

    Fails:
        predictor:
          model:
            modelFormat: {name: tensorflow}
            image: example/serving:v7
            runtimeVersion: 2.14.0
    Passes with: predictor: {model: {runtimeVersion: null}}
    """
    model = service.model
    if model is None or not text(model.node, "runtimeVersion"):
        return
    image, version = text(model.node, "image"), text(model.node, "runtimeVersion")
    path = (*model.path, "runtimeVersion")
    if "@" in image:
        message = f"the image {image!r} has a digest: the runtimeVersion has no effect"
        yield Finding(path, message, "delete runtimeVersion", at_key=True)
    elif ":" in image.rpartition("/")[2] and not image.endswith(f":{version}"):
        message = f"KServe puts {version!r} into the place of the tag of {image!r}"
        yield Finding(path, message, "delete one of them", at_key=True)


@rule("KSV138", Severity.WARNING, "InferenceService")
def model_has_a_version(service: InferenceService) -> Iterator[Finding]:
    """The address of a model has a version, a date or a digest in it.

    At Hugging Face (hf://) that is a revision: hf://ORG/REPOSITORY:REVISION. When a model is
    replaced under the same address, nothing changes in the cluster: old pods serve the old model,
    new ones the new one. What is served is in Git only if the address says it. The size of a model,
    as in llama-70b, is no version.

    Fails: predictor: {model: {storageUri: 's3://models/iris'}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    for uri in _fetched_addresses(service):
        moving = _moving_part(uri)
        if moving and service.environment.is_production:
            continue
        if moving or not _has_version(uri):
            what = f"{moving!r} in it" if moving else "no version in it"
            message = f"{uri.text!r} has {what}: it may be another model tomorrow"
            since = "0.2.0" if not moving and _FIXED.search(_path_part(uri)) else ""
            fix = "put the model at an address with its version"
            yield Finding(uri.path, message, fix, since=since)


@rule("KSV139", Severity.ERROR, "InferenceService")
def model_stays_in_production(service: InferenceService) -> Iterator[Finding]:
    """In production, the address of a model does not say that another one will be there.

    That is, `latest`, `current`, `main` and the like are no parts of it: pods that start later
    would serve another model than those beside them, and no commit says since when.

    Fails: predictor: {model: {storageUri: 's3://models/iris/latest'}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    for uri in _fetched_addresses(service):
        moving = _moving_part(uri)
        if moving and service.environment.is_production:
            message = f"{uri.text!r} is another model tomorrow: it has {moving!r} in it"
            yield Finding(uri.path, message, "put the model at an address with its version")


def _fetched_addresses(service: PlacelessService) -> Iterator[Uri]:
    for component in service.components:
        yield from (item for item in component_uris(component) if item.scheme not in _LOCAL_SCHEMES)


def _has_version(uri: Uri) -> bool:
    """Whether it has a version; at Hugging Face that is a revision, behind a colon."""
    below = _path_part(uri)
    return (
        ":" in below
        if uri.scheme == _REVISION_SCHEME
        else bool(_FIXED.search(_SIZE.sub("", below)))
    )


def _path_part(uri: Uri) -> str:
    """What is below the bucket, the host, the claim, or the owner of a repository."""
    return uri.text[:_LONGEST].partition("://")[2].partition("/")[2]


def _moving_part(uri: Uri) -> str:
    parts = _PARTS.split(_path_part(uri))
    return next((part for part in parts if part.lower() in _MOVING), "")


RULES = (
    server_version_is_said,
    version_and_image_agree,
    model_has_a_version,
    model_stays_in_production,
)
