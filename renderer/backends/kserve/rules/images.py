"""Images: that there is one, and that nodes can fetch what is written."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.containers import component_containers
from renderer.backends.kserve.rules.sources import STORAGE
from renderer.backends.kserve.serving_runtime import RuntimeView
from renderer.kubernetes.names import is_image, is_tag
from renderer.kubernetes.pods import SOURCE, Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_EXAMPLE = "write REGISTRY/PATH:TAG, as in example/iris:v1"


@rule("KSV362", Severity.ERROR, "InferenceService", reads=("predictor.model",))
def models_have_images(service: PlacelessService) -> Iterator[Finding]:
    """A model has an image, from its runtime or of its own.

    KServe accepts a runtime without one, and the API server then refuses the Deployment of each
    model that has none either.

    Fails: predictor: {model: {modelFormat: {name: bare}}}
    Passes with: predictor: {model: {image: 'example/iris:v1'}}
    """
    model, runtime = service.model, service.runtime
    below = service.runtime_container
    if model is None or runtime is None or below is None or text(below, "image"):
        return
    if not text(model.node, "image"):
        message = f"there is no image: neither here nor in the runtime {runtime.name!r}"
        yield Finding(model.path, message, "add image to the runtime, or here", at_key=True)


@rule("KSV363", Severity.ERROR, "InferenceService")
def images_can_be_fetched(service: PlacelessService) -> Iterator[Finding]:
    """The name of an image is one that nodes understand, and a runtimeVersion is a tag.

    KServe and the API server accept others, and the pods never start (InvalidImageName). A name has
    no `https://`, no blanks, and small letters in its path.

    Fails:
        predictor:
          containers: [{name: kserve-container, image: 'https://registry.example/iris:v1'}]
    Passes: predictor: {containers: [{name: kserve-container, image: 'registry.example/iris:v1'}]}
    """
    for component in service.components:
        for container in component_containers(component):
            yield from _unfetchable_image(container)
            version = container.get("runtimeVersion")
            if version and version.text and not is_tag(version.text) and has_tag(service):
                message = f"{version.text!r} is no tag of an image, which it becomes"
                yield version.wrong(message, "write letters, digits, '_', '.' and '-'")


def has_tag(service: PlacelessService) -> bool:
    """Whether a runtimeVersion counts: a digest is left as it is."""
    own = text(service.model.node, "image") if service.model else ""
    below = service.runtime_container
    return "@sha256:" not in (own or (text(below, "image") if below else ""))


@rule("KSV364", Severity.ERROR, "ServingRuntime")
def images_of_runtimes_can_be_fetched(view: RuntimeView) -> Iterator[Finding]:
    """The name of an image in a runtime is one that nodes understand.

    KServe and the API server accept others, and the pods never start (InvalidImageName).

    Fails: containers: [{name: kserve-container, image: 'my server:v1'}]
    Passes: containers: [{name: kserve-container, image: 'example/server:v1'}]
    """
    whole = Field((), view.spec.tree)
    for keys in (("containers",), ("workerSpec", "containers")):
        for container in whole.each(*keys):
            yield from _unfetchable_image(container)


def _unfetchable_image(container: Field) -> Iterator[Finding]:
    """An image that no node can fetch; KSV305 and KSV194 check placeholders in it."""
    image = container.get("image")
    if image is None or not image.text or "{{" in image.text or is_image(image.text):
        return
    scheme, mark, rest = image.text.partition("://")
    fix = f"write {rest}" if mark and is_image(rest) else _EXAMPLE
    what = f"{scheme}:// is no part of it" if mark else "no node can fetch it"
    yield image.wrong(f"{image.text!r} is no name of an image: {what}", fix)


RULES = (
    *rules_with_source((models_have_images,), SOURCE),
    *rules_with_source((images_can_be_fetched,), STORAGE),
)
RUNTIME_RULES = rules_with_source((images_of_runtimes_can_be_fetched,), SOURCE)
