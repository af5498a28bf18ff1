"""Ways to fetch models: what KServe passes over, and what breaks every pod that starts later."""

from collections.abc import Iterator

from renderer.backends.kserve.plain_objects import INIT_CONTAINER, STORAGE_CONTAINER, ObjectView
from renderer.kubernetes import patterns
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SOURCE = "kserve/kserve: pkg/apis/serving/v1alpha1/storage_container_types.go"
_NAME = "storage-initializer"
#: Addresses that the container matches that KServe ships.
_SHIPPED = ("gs://", "s3://", "hdfs://", "hf://", "webhdfs://")


def _formats(view: ObjectView) -> Iterator[Field]:
    return Field((), view.tree).each("supportedUriFormats")


@rule("KSV630", Severity.WARNING, STORAGE_CONTAINER, since=_SINCE)
def formats_are_prefixes_or_patterns(view: ObjectView) -> Iterator[Finding]:
    """A format has `prefix` or `regex`, not both and not neither.

    With a prefix KServe never looks at the pattern; with neither the format matches nothing.

    Fails: supportedUriFormats: [{prefix: 'acme://', regex: 'acme://.+'}]
    Passes: supportedUriFormats: [{prefix: 'acme://'}, {regex: 'acme[0-9]://.+'}]
    """
    for item in _formats(view):
        prefix, pattern = item.get("prefix"), item.get("regex")
        if prefix and prefix.text and pattern:
            message = "KServe does not look at regex beside a prefix"
            yield pattern.wrong_key(message, "delete it, or write a format of its own for it")
        elif not (prefix and prefix.text) and not (pattern and pattern.text):
            yield item.wrong("the format matches nothing", "write prefix or regex")


@rule("KSV631", Severity.ERROR, STORAGE_CONTAINER, since=_SINCE)
def patterns_can_be_read(view: ObjectView) -> Iterator[Finding]:
    """`regex` is a pattern in the syntax of RE2.

    With one that cannot be read, KServe fails for every pod whose model it looks up there, not
    only for those that it is meant for.

    Fails: supportedUriFormats: [{regex: 'acme://('}]
    Passes: supportedUriFormats: [{regex: 'acme://.+'}]
    """
    if not patterns.is_available():
        return
    for item in _formats(view):
        pattern, prefix = item.get("regex"), item.get("prefix")
        counts = pattern and pattern.text and not (prefix and prefix.text)
        if pattern and counts and patterns.problem(pattern.text):
            message = f"{pattern.text!r} is no pattern that KServe can read"
            yield pattern.wrong(message, "write it in the syntax of RE2")


@rule("KSV632", Severity.WARNING, STORAGE_CONTAINER, since=_SINCE)
def fetching_container_has_an_image(view: ObjectView) -> Iterator[Finding]:
    """The container has an image.

    Without one, KServe takes the image of its own configuration (observed), which fetches nothing
    of addresses that KServe does not know.

    Fails: container: {name: storage-initializer, image: null}
    Passes: container: {name: storage-initializer, image: 'example/fetch:v1'}
    """
    container = Field((), view.tree).get("container")
    image = container.get("image") if container else None
    if container and not (image and image.text):
        message = "the container has no image: it gets the one that KServe ships"
        yield container.wrong_key(message, "write image")


@rule("KSV633", Severity.WARNING, STORAGE_CONTAINER, since=_SINCE)
def fetching_container_has_its_name(view: ObjectView) -> Iterator[Finding]:
    """The container is called `storage-initializer`.

    KServe uses one of another name as well (observed), but looks for that name where it says in
    the status of a service why its model was not fetched, and where it mounts certificates
    (inferred).

    Fails: container: {name: fetch, image: 'example/fetch:v1'}
    Passes: container: {name: storage-initializer, image: 'example/fetch:v1'}
    """
    name = Field((), view.tree).get("container", "name")
    if name and name.text and name.text != _NAME:
        yield name.wrong(f"the container is called {name.text!r}", f"write {_NAME}")


@rule("KSV634", Severity.WARNING, STORAGE_CONTAINER, since=_SINCE)
def formats_are_not_shipped(view: ObjectView) -> Iterator[Finding]:
    """No other storage container competes for the addresses that the shipped one matches.

    KServe takes any of those that match, for each pod anew (observed), and ships one called
    `default` for gs, s3, hdfs, hf, webhdfs and addresses of the web.

    Fails: supportedUriFormats: [{prefix: 's3://'}]
    Passes: supportedUriFormats: [{prefix: 'acme://'}]
    """
    workload = view.tree.text_at("workloadType") or INIT_CONTAINER
    if view.spec.name == "default" or workload != INIT_CONTAINER:
        return
    for item in _formats(view):
        prefix = item.get("prefix")
        if prefix and prefix.text in _SHIPPED:
            message = f"the storage container 'default' of KServe matches {prefix.text} as well"
            yield prefix.wrong(message, "call this one default to replace it, or narrow the prefix")


RULES = rules_with_source(
    (
        formats_are_prefixes_or_patterns,
        patterns_can_be_read,
        fetching_container_has_an_image,
        fetching_container_has_its_name,
        formats_are_not_shipped,
    ),
    _SOURCE,
)
