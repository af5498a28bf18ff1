"""Where a model comes from, and whether that is a place KServe can take it from."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.dialect import MODEL_MESH, Dialect
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.model import BLOB, SCHEMES, Uri, component_uris, own_uri
from renderer.backends.kserve.rules.sources import CONTROLLER, STORAGE, WEBHOOK
from renderer.text.expressions import expression
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: Addresses that are rarely open to all.
_CREDENTIAL_SCHEMES = ("s3", "gs")
_BLOB_ADDRESS = expression(r"https?://[^/]+/.+")
_HAS_SCHEME = expression(r"\w://")
_NEEDS_NO_STORAGE = "huggingface"


@rule("KSV130", Severity.ERROR, "InferenceService")
def storage_scheme_is_known(service: PlacelessService) -> Iterator[Finding]:
    """A model is at an address that KServe can fetch from.

    It takes a path without `://`, or one of gs, s3, pvc, file, https, http, hdfs, webhdfs, oci
    (0.12), hf (0.15) and oci+native (0.20), in small letters. The object is accepted otherwise,
    but nothing is ever made of it (StorageURI not supported), unless the cluster has a
    ClusterStorageContainer for such addresses: then `rules: {KSV130: ignore}` of the environment
    says so.

    Fails: predictor: {model: {storageUri: 'abfs://models/iris/v1'}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    dialect = service.settings.dialect
    for component in service.components:
        own = own_uri(component)
        if own and not component.has("storageContainerName") and not _is_fetchable(own, dialect):
            message = f"KServe {dialect} cannot fetch {own.text!r}"
            yield Finding(own.path, message, _remedy(own, dialect))


def _is_fetchable(uri: Uri, dialect: Dialect) -> bool:
    if BLOB in uri.text:
        return bool(_BLOB_ADDRESS.match(uri.text))
    if not _HAS_SCHEME.search(uri.text):
        return True
    return uri.scheme in SCHEMES and dialect.knows(SCHEMES[uri.scheme])


def _remedy(uri: Uri, dialect: Dialect) -> str:
    if BLOB in uri.text:
        return f"write https://ACCOUNT.{BLOB}/CONTAINER/PATH"
    known = [name for name, since in SCHEMES.items() if dialect.knows(since)]
    if meant := nearest(uri.scheme.strip(), known):
        return f"write {meant}://"
    begin = f"begin with one of {listed((f'{name}://' for name in known), 'or')}"
    unless = "if a ClusterStorageContainer takes it, add rules: {KSV130: ignore} to the environment"
    return f"{begin}; {unless}"


@rule("KSV131", Severity.WARNING, "InferenceService", reads=("predictor",))
def model_is_somewhere(service: PlacelessService) -> Iterator[Finding]:
    """A model has a storageUri, or storage.

    Without any, KServe takes the predictor for a server of several models, which waits for
    TrainedModels; only huggingface models can be named in args instead. Nothing is refused.

    Fails: predictor: {model: {storageUri: null}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    model, predictor = service.model, service.predictor
    if model is None or model.format == _NEEDS_NO_STORAGE or service.mode == MODEL_MESH:
        return
    found = model.node.get("storageUri")
    if found is not None and found.value == "":
        message = "the storageUri is empty, so nothing is fetched"
        yield Finding((*model.path, "storageUri"), message, "write where the model is")
        return
    is_listed = bool(elements(predictor.node, "storageUris"))
    has_storage = found is not None or "storage" in model.node.items or is_listed
    is_misspelt = any(key.lower() == "storageuri" for key in model.node.items)
    if not has_storage and not is_misspelt and not predictor.containers:
        message = f"the {model.format or 'model'} has no storageUri: KServe waits for TrainedModels"
        yield Finding(model.path, message, "add storageUri, or storage", at_key=True)


@rule("KSV132", Severity.ERROR, "InferenceService")
def one_list_of_uris(service: PlacelessService) -> Iterator[Finding]:
    """A component has a storageUri or storageUris, not both.

    KServe's webhook refuses both. A variable STORAGE_URI of a container is a storageUri as well.

    Fails:
        predictor:
          model: {storageUri: 's3://models/iris/v1'}
          storageUris: [{uri: 's3://models/extra/v1', mountPath: /mnt/extra}]
    Passes with: predictor: {model: {storageUri: null}}
    """
    for component in service.stable_components:
        own, uris = own_uri(component), component.field.get("storageUris")
        if own and uris:
            message = f"there is {own.text!r} as storageUri already"
            yield uris.wrong_key(message, "move it to storageUris, or delete storageUris")


@rule("KSV133", Severity.ERROR, "InferenceService")
def uri_or_path(service: PlacelessService) -> Iterator[Finding]:
    """A model has a storageUri or a storage.path, not both.

    The object is accepted, but the controller makes nothing of it. A storageUri may be given with
    the key of its credentials.

    Fails:
        predictor:
          model: {storageUri: 's3://models/iris/v1', storage: {key: store, path: iris/v1}}
    Passes with: predictor: {model: {storageUri: null}}
    """
    model = service.model
    if model is None or model.node.get("storageUri") is None:
        return
    given = model.node.get("storage", "path")
    if given is not None:
        message = f"the model is at {text(model.node, 'storageUri')!r} already"
        path = (*model.path, "storage", "path")
        yield Finding(path, message, "delete path, or storageUri", at_key=True)


@rule("KSV137", Severity.WARNING, "InferenceService", reads=("predictor", "annotations"))
def storage_has_credentials(service: PlacelessService) -> Iterator[Finding]:
    """Models in S3, in Google's or in Azure's storage are fetched with credentials.

    They are taken from the secrets of the pod's service account. Without `serviceAccountName` that
    is the namespace's `default`, which rarely has any: the container that fetches the model then
    fails again and again. Public buckets need none: say so in a comment that ignores this.

    Fails: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    Passes with: predictor: {serviceAccountName: models}
    """
    for component in service.components:
        node = service.predictor.node if component.is_canary else component.node
        if text(node, "serviceAccountName") or text(component.node, "serviceAccountName"):
            continue
        if service.model and text(service.model.node, "storage", "key"):
            continue
        for uri in component_uris(component):
            if uri.scheme in _CREDENTIAL_SCHEMES or BLOB in uri.text:
                message = f"no serviceAccountName says with whose credentials {uri.text!r} is read"
                fix = f"add serviceAccountName to the {component.kind}, or storage.key to the model"
                yield Finding(uri.path, message, fix)
                break


@rule("KSV135", Severity.ERROR, "InferenceService", reads=("predictor",))
def confidential_has_a_uri(service: PlacelessService) -> Iterator[Finding]:
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
def confidential_is_fetched(service: PlacelessService) -> Iterator[Finding]:
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


def _is_confidential(service: PlacelessService) -> bool:
    found = service.model.node.get("confidential", "enabled") if service.model else None
    return found is not None and found.value is True


RULES = (
    *rules_with_source(
        (storage_scheme_is_known, model_is_somewhere, storage_has_credentials), STORAGE
    ),
    *rules_with_source((uri_or_path,), CONTROLLER),
    *rules_with_source(
        (one_list_of_uris, confidential_has_a_uri, confidential_is_fetched), WEBHOOK
    ),
)
