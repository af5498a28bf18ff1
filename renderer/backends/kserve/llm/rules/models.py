"""The model of a service: where it is fetched from, and by which name requests ask for it."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, text
from renderer.backends.kserve.llm.merged import nearest as place_in
from renderer.backends.kserve.llm.rules.layers import cluster, is_known_whole, layered, layers, root
from renderer.backends.kserve.llm.rules.sources import MERGE, STORAGE, VALIDATION
from renderer.backends.kserve.llm.service import PREFILL, LlmView
from renderer.text.expressions import expression
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_SCHEMES = ("hf", "s3", "pvc", "oci", "oci+native")
_PREFIXES = tuple(f"{scheme}://" for scheme in _SCHEMES)
_URI = ("model", "uri")
_MOUNTED = ("pvc://", "oci://", "oci+native://")
_ENABLED = ("storageInitializer", "enabled")
_MODEL_FOLDER = "/mnt/models"
_TEMPLATE = "{{"
#: What neither a path of a route takes nor the shell that starts the server.
_NAME = expression(r"(?:[-A-Za-z0-9._~/+,=:@]|%(?!2[fF])[0-9a-fA-F]{2})+")
_FOREIGN = expression(r"[^-A-Za-z0-9._~/+,=:@%]")
_PATH_FAULTS = ("//", "/./", "/../")


@rule("KSV520", Severity.ERROR, _SERVICE, since=_SINCE)
def model_can_be_fetched(view: LlmView) -> Iterator[Finding]:
    """A model is at an address that KServe can fetch an LLM service's models from.

    These are hf, s3, pvc, oci and oci+native, in small letters; a ClusterStorageContainer is not
    asked. The object is accepted otherwise, but no pod is made (`unsupported schema in model URI`,
    inferred), unless a LocalModelCache has the model: then `rules: {KSV520: ignore}` of the
    environment says so.

    A service without an address has one of its configurations say it.

    Fails: model: {uri: 'gs://models/chat'}
    Passes: model: {uri: 's3://models/chat'}
    """
    given = [uri for tree in layers(view) if (uri := text(tree, *_URI))]
    if not given:
        if is_known_whole(view) and not _is_not_fetched(view):
            fix = f"write {listed(_PREFIXES, 'or')} and where it is"
            yield Finding(_URI, "nothing says where the model is fetched from", fix)
        return
    scheme, separator, _ = given[0].partition("://")
    if _TEMPLATE in given[0] or (separator and (scheme in _SCHEMES or _is_not_fetched(view))):
        return
    meant = nearest(scheme.strip(), _SCHEMES) if separator else ""
    yield Finding(
        place_in(view.tree, _URI),
        f"KServe cannot fetch {given[0]!r} for an LLM service",
        f"write {meant}://" if meant else f"copy the model to one of {listed(_PREFIXES, 'or')}",
    )


def _is_not_fetched(view: LlmView) -> bool:
    enabled = layered(view, *_ENABLED)
    return enabled is not None and enabled.value is False


@rule("KSV521", Severity.WARNING, _SERVICE, since=_SINCE)
def models_of_volumes_are_mounted(view: LlmView) -> Iterator[Finding]:
    """A model on a claim or in an image does not stand beside `storageInitializer.enabled: false`.

    It leaves out the mounts of claims and images too, not only the container that fetches: nothing
    is at `/mnt/models`, where the server looks (inferred). It is right where the pod mounts the
    model there itself.

    Fails:
        model: {uri: 'pvc://models/chat'}
        storageInitializer: {enabled: false}
    Passes: model: {uri: 'pvc://models/chat'}
    """
    enabled, uri = root(view).get(*_ENABLED), root(view).get("model", "uri")
    if enabled is None or enabled.node.value is not False or uri is None:
        return
    if uri.text.startswith(_MOUNTED) and not _mounts_models(view):
        yield enabled.wrong(
            f"{uri.text!r} is not mounted then",
            f"delete enabled: false, or mount the model at {_MODEL_FOLDER} yourself",
        )


def _mounts_models(view: LlmView) -> bool:
    """Whether a container mounts something where the server looks for its model."""
    places = (("template",), ("worker",), (PREFILL, "template"), (PREFILL, "worker"))
    return any(
        mount.node.text_at("mountPath").rstrip("/") == _MODEL_FOLDER
        for place in places
        for container in root(view).each(*place, "containers")
        for mount in container.each("volumeMounts")
    )


@rule("KSV583", Severity.ERROR, _SERVICE, since=_SINCE, stops_platform=True)
def images_of_models_are_switched_on(view: LlmView) -> Iterator[Finding]:
    """A model in an image goes to a cluster whose KServe takes models from images.

    Its ConfigMap inferenceservice-config may switch that off, with `enableOciModelSupport` or
    `enableModelcar` in `storageInitializer`: no pod is made then (`OCI modelcars is not enabled`).

    Fails: model: {uri: 'oci://example/chat:v1'}
    Passes: model: {uri: 'hf://acme/chat'}
    """
    uri, where = root(view).get(*_URI), cluster(view)
    if uri and where and uri.text.startswith("oci://") and not where.image_mode:
        message = "the cluster's configuration takes no models from images"
        yield uri.wrong(message, "set storageInitializer.enableModelcar, or copy the model")


@rule("KSV522", Severity.WARNING, _SERVICE, since=_SINCE)
def confidential_models_are_fetched(view: LlmView) -> Iterator[Finding]:
    """`confidential` is for models that are fetched: from hf or s3.

    It has no effect on a model on a claim or in an image, of which KServe's webhook warns. An image
    is decrypted by the container runtime, by `runtimeClassName`.

    Fails: model: {uri: 'pvc://models/chat', confidential: {enabled: true}}
    Passes: model: {uri: 's3://models/chat', confidential: {enabled: true}}
    """
    confidential, uri = root(view).get("model", "confidential"), root(view).get("model", "uri")
    is_used = confidential and is_true(confidential.node, "enabled")
    if confidential and uri and is_used and uri.text.startswith(("oci://", "pvc://")):
        yield confidential.wrong_key(
            f"confidential has no effect on {uri.text!r}",
            "delete it, or fetch the model from hf:// or s3://",
        )


@rule("KSV523", Severity.ERROR, _SERVICE, since=_SINCE)
def model_name_is_plain(view: LlmView) -> Iterator[Finding]:
    """The name of a model has letters, digits and the characters of a path, and no others.

    It becomes a part of a route's paths, of the JSON of the merged spec and of a command line that
    a shell reads: a space, a quote, `#`, `$`, `//` or `%2f` breaks one of them (inferred).

    Fails: model: {name: 'chat #2'}
    Passes: model: {name: acme/chat-2}
    """
    name = root(view).get("model", "name")
    if name is None or not name.text or _TEMPLATE in name.text:
        return
    if _NAME.fullmatch(name.text) and not _fault(name.text):
        return
    strange = _FOREIGN.search(name.text)
    found = strange[0] if strange else _fault(name.text) or "%"
    yield name.wrong(
        f"{found!r} in the name {name.text!r} breaks the route or the command line",
        "write letters, digits, '.', '_', '-' and single '/'",
    )


def _fault(name: str) -> str:
    """A part of a path that the Gateway API refuses."""
    path = f"/{name}/"
    return next((part for part in _PATH_FAULTS if part in path), "")


_VALIDATED = (confidential_models_are_fetched,)
_STORED = (
    model_can_be_fetched,
    models_of_volumes_are_mounted,
    images_of_models_are_switched_on,
)
#: A configuration may be of a model that each of its services replaces.
CONFIG_RULES = ()
RULES = (
    *rules_with_source(_VALIDATED, VALIDATION),
    *rules_with_source(_STORED, STORAGE),
    *rules_with_source((model_name_is_plain,), MERGE),
)
