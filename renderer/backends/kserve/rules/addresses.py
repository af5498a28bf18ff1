"""Addresses of models: their form, and whether a model can be there."""

from collections.abc import Iterator
from re import Match

from renderer.backends.kserve.inference_service import InferenceService, PlacelessService
from renderer.backends.kserve.model import BLOB, SCHEMES, Uri, component_uris, fetched_uris
from renderer.backends.kserve.rules.sources import STORAGE, source_place
from renderer.kubernetes.names import is_dns_name
from renderer.text.expressions import expression
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: A scheme that is not followed by a colon and two slashes.
_SLIP = expression(r"([a-z][a-z0-9+]*)(:/?|[;.,]?//)(?!/)(.*)")
#: Where models are once they are fetched: nothing is fetched from there, on purpose.
_MODEL_FOLDER = "/mnt/models"
#: What names a bucket, an owner or a host behind its slashes.
_NAMED_SCHEMES = ("s3", "gs", "hf", "hdfs", "webhdfs", "oci", "https", "http")


#: Pages that show a file, and what to write instead to get the file itself.
_PAGES = (
    (
        expression(
            r"(https?://(?:www\.)?github\.com/[^/]+/[^/]+)/blob/(?!.*[?&]raw=(?:true|1)\b)(.+)"
        ),
        "raw",
    ),
    (expression(r"(https?://[^/]+/.+/-)/blob/(.+)"), "raw"),
    (expression(r"(https?://huggingface\.co/.+?)/blob/(.+)"), "resolve"),
)


@rule("KSV366", Severity.ERROR, "InferenceService")
def addresses_name_something(service: PlacelessService) -> Iterator[Finding]:
    """The address of a model names a bucket, a host, or a claim that there can be.

    KServe looks at the beginning only. A claim's name has small letters, digits, `-` and `.`: the
    API server refuses the Deployment otherwise, and without a bucket nothing can be fetched.

    Fails: predictor: {model: {storageUri: 'pvc://My_Claim/iris/v1'}}
    Passes: predictor: {model: {storageUri: 'pvc://my-claim/iris/v1'}}
    """
    for uri in fetched_uris(service.components):
        first = uri.text.partition("://")[2].partition("/")[0]
        if uri.scheme == "pvc" and not is_dns_name(first):
            what = f"{first!r} is no name of a claim" if first else "no claim is named"
            yield Finding(uri.path, f"{what} in {uri.text!r}", "write pvc://CLAIM/PATH")
        elif uri.scheme in _NAMED_SCHEMES and not first:
            message = f"nothing is named behind {uri.scheme}:// in {uri.text!r}"
            yield Finding(uri.path, message, f"write {uri.scheme}://NAME/PATH")


@rule("KSV367", Severity.WARNING, "InferenceService")
def addresses_have_two_slashes(service: PlacelessService) -> Iterator[Finding]:
    """The address of a model has two slashes behind its beginning.

    With one, or with none, KServe takes it for a path, and nothing is fetched.

    Fails: predictor: {model: {storageUri: 's3:/models/iris/v1'}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    for uri in fetched_uris(service.components):
        found = _SLIP.fullmatch(uri.text)
        if found and _is_scheme(found):
            message = f"{uri.text!r} is a path to KServe, and nothing is fetched"
            since = "" if found[2] == ":/" else "0.2.0"
            yield Finding(uri.path, message, f"write {found[1]}://{found[3]}", since=since)


def _is_scheme(slip: Match[str]) -> bool:
    """Whether what stands there is a scheme: one that KServe takes, or any before a slash."""
    return slip[2] == ":/" or (slip[2] == ":" and slip[1] in SCHEMES)


@rule("KSV241", Severity.WARNING, "InferenceService", since="0.2.0")
def addresses_have_a_scheme(service: PlacelessService) -> Iterator[Finding]:
    """The address of a model says how it is fetched: it begins with s3://, gs://, pvc:// or others.

    KServe takes what has no scheme for a path, and says nothing; the container that fetches models
    finds nothing there, and fails again and again (inferred from the source). A cluster may have a
    ClusterStorageContainer that takes such addresses: say so in a comment that ignores this.

    Fails: predictor: {model: {storageUri: models/iris/v1}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    for uri in fetched_uris(service.components):
        found = _SLIP.fullmatch(uri.text)
        is_reported = not uri.text or (found and _is_scheme(found))  # by KSV131 or KSV367
        if "://" in uri.text or is_reported or uri.text.startswith(_MODEL_FOLDER):
            continue
        message = f"{uri.text!r} has no scheme: nothing is fetched from there (inferred)"
        if found and found[1] in SCHEMES:
            yield Finding(uri.path, message, f"write {found[1]}://{found[3]}")
        else:
            fix = "write an address with a scheme, as in s3://BUCKET/PATH or pvc://CLAIM/PATH"
            yield Finding(uri.path, message, fix)


#: The forms of addresses that what fetches models insists on.
_FORMS = {
    "hf": (expression(r"hf://[^/]+/[^/:]+(?::[^/]*)?"), "hf://OWNER/MODEL, or with :REVISION"),
    "http": (expression(r"http://.+/.+"), "http://HOST/PATH"),
    "https": (expression(r"https://.+/.+"), "https://HOST/PATH"),
}


@rule("KSV242", Severity.WARNING, "InferenceService", since="0.2.0")
def addresses_can_be_fetched(service: PlacelessService) -> Iterator[Finding]:
    """The address of a model is one that KServe's container for fetching models understands.

    That container wants an owner and a model behind hf://, a path behind a host, and of the list
    `storageUris`, which the controller does not look at, the schemes of a storageUri. It fails
    otherwise, again and again (inferred from the source).

    Fails: predictor: {model: {modelFormat: {name: huggingface}, storageUri: 'hf://llama'}}
    Passes with: predictor: {model: {storageUri: 'hf://meta/llama:v1'}}
    """
    for uri in fetched_uris(service.components):
        form, expected = _FORMS.get(uri.scheme, (None, ""))
        if uri.has_blank or uri.second_scheme in SCHEMES:
            continue
        if form and not form.fullmatch(uri.text) and BLOB not in uri.text:
            message = f"{uri.text!r} cannot be fetched: it is not of the form {expected} (inferred)"
            yield Finding(uri.path, message, f"write {expected}")
        elif "storageUris" in uri.path and uri.scheme and uri.scheme not in SCHEMES:
            message = f"{uri.text!r} cannot be fetched: nothing knows {uri.scheme}:// (inferred)"
            fix = suggest(uri.scheme, SCHEMES, "write s3://BUCKET/PATH or pvc://CLAIM/PATH")
            yield Finding(uri.path, message, fix)


@rule("KSV250", Severity.WARNING, "InferenceService", since="0.2.0")
def storage_is_described_in_parts(service: PlacelessService) -> Iterator[Finding]:
    """`storage` has a path within its bucket, and a type that addresses begin with.

    KServe makes TYPE://BUCKET/PATH of them, whatever they are: a path with a scheme of its own
    leads nowhere, and without a path nothing is fetched (inferred from the source).

    Fails: predictor: {model: {storage: {key: store, path: 's3://models/iris/v1'}}}
    Passes: predictor: {model: {storage: {key: store, path: iris/v1}}}
    """
    model = service.model
    storage = model.field.get("storage") if model else None
    if storage is None:
        return
    path, kind = storage.get("path"), storage.get("parameters", "type")
    if path and "://" in path.text:
        message = f"{path.text!r} is put behind the bucket of the storage (inferred)"
        yield path.wrong(message, "write the path within the bucket, or storageUri")
    if not path and not component_uris(service.predictor):
        yield storage.wrong_key("storage has no path, so nothing is fetched (inferred)", "add path")
    if kind and kind.text not in SCHEMES:
        message = f"there is no storage of the type {kind.text!r} (inferred)"
        yield kind.wrong(message, suggest(kind.text, SCHEMES, "write s3, hdfs or webhdfs"))


@rule("KSV258", Severity.ERROR, "InferenceService", since="0.2.0")
def addresses_have_no_blanks(service: InferenceService) -> Iterator[Finding]:
    """The address of a model has no blank in it.

    Nothing takes it off: no bucket, host or claim has such a name, and what fetches models fails
    again and again (inferred from the source). A blank at the end of a variable gets there too.

    Fails: predictor: {model: {storageUri: 's3://models /iris/v1'}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    for uri in fetched_uris(service.components):
        if not uri.has_blank:
            continue
        name = _padded_variable(uri, service)
        if name:
            node = service.environment.variables[name]
            side = "ends" if str(node.value)[-1:].isspace() else "begins"
            message = f"the value of vars.{name} {side} with a blank, and so there is one in"
            fix = f"write {str(node.value).strip()!r} in {source_place(node)}"
            yield Finding(uri.path, f"{message} {uri.text!r}", fix)
        else:
            yield Finding(uri.path, f"there is a blank in {uri.text!r}", "write it without blanks")


def _padded_variable(uri: Uri, service: InferenceService) -> str:
    """The variable that brings the blank; empty if none does."""
    for name, node in service.environment.variables.items():
        value = node.value if isinstance(node.value, str) else ""
        if value.strip() and value != value.strip() and value in uri.text:
            return name
    return ""


@rule("KSV259", Severity.ERROR, "InferenceService", since="0.2.0")
def addresses_are_of_files(service: PlacelessService) -> Iterator[Finding]:
    """The address of a model is not that of a page that shows it.

    Behind /blob/, GitHub, GitLab and Hugging Face have a page in HTML: that would be fetched, and
    no server can load it. With ?raw=true GitHub sends the file.

    Fails:
        predictor:
          model: {storageUri: 'https://github.com/example/models/blob/v1/iris.joblib'}
    Passes: predictor: {model: {storageUri: 'https://github.com/example/models/raw/v1/iris.joblib'}}
    """
    for uri in fetched_uris(service.components):
        for page, instead in _PAGES:
            if found := page.fullmatch(uri.text):
                message = f"{uri.text!r} is a page that shows the file, and not the file"
                yield Finding(uri.path, message, f"write {found[1]}/{instead}/{found[2]}")
                break


@rule("KSV373", Severity.ERROR, "InferenceService", since="0.2.0")
def addresses_have_one_scheme(service: InferenceService) -> Iterator[Finding]:
    """The address of a model has one scheme.

    In s3://s3://models the bucket would be called `s3:`. That happens where a variable for a bucket
    has the scheme in it as well.

    Fails: predictor: {model: {storageUri: 's3://s3://models/iris/v1'}}
    Passes: predictor: {model: {storageUri: 's3://models/iris/v1'}}
    """
    for uri in fetched_uris(service.components):
        second = uri.second_scheme
        if second in SCHEMES:
            rest = uri.text.partition("://")[2]
            fix = f"write {rest}" if second == uri.scheme else "delete one of them"
            names = [
                f"vars.{name} ({source_place(node)})"
                for name, node in service.environment.variables.items()
                if isinstance(node.value, str) and node.value and rest.startswith(node.value)
            ]
            fix = f"delete {second}:// in {names[0]}" if names else fix
            message = f"there are two schemes in {uri.text!r}: {uri.scheme}:// and {second}://"
            yield Finding(uri.path, message, fix)


RULES = rules_with_source(
    (
        addresses_name_something,
        addresses_have_two_slashes,
        addresses_have_a_scheme,
        addresses_can_be_fetched,
        storage_is_described_in_parts,
        addresses_have_no_blanks,
        addresses_are_of_files,
        addresses_have_one_scheme,
    ),
    STORAGE,
)
