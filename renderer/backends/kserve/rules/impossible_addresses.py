"""Addresses of models that are whole, and yet no model is there."""

from collections.abc import Iterator

from renderer.backends.kserve.inference_service import InferenceService
from renderer.backends.kserve.model_uris import SCHEMES, Uri, fetched_uris
from renderer.backends.kserve.rules.deciding_settings import place_of
from renderer.backends.kserve.rules.sources import STORAGE
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

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
            fix = f"write {str(node.value).strip()!r} in {place_of(node)}"
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
def addresses_are_of_files(service: InferenceService) -> Iterator[Finding]:
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
                f"vars.{name} ({place_of(node)})"
                for name, node in service.environment.variables.items()
                if isinstance(node.value, str) and node.value and rest.startswith(node.value)
            ]
            fix = f"delete {second}:// in {names[0]}" if names else fix
            message = f"there are two schemes in {uri.text!r}: {uri.scheme}:// and {second}://"
            yield Finding(uri.path, message, fix)


RULES = rules_with_source(
    (addresses_have_no_blanks, addresses_are_of_files, addresses_have_one_scheme), STORAGE
)
