"""What a component runs: exactly one thing."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import text
from renderer.backends.kserve.components import EXPLAINER, PREDICTOR, TRANSFORMER, Component
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.model import FRAMEWORKS, MODEL, Model, find_models, is_custom
from renderer.backends.kserve.rules.sources import WEBHOOK
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.text.wording import misspelt
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

#: What a component can run, and what it could long ago.
_IMPLEMENTATIONS = ("containers", MODEL, *FRAMEWORKS, "art")
_OLD = frozenset(("custom", "alibi", "aix"))


@rule("KSV101", Severity.ERROR, "InferenceService", reads=("predictor",))
def one_implementation(service: PlacelessService) -> Iterator[Finding]:
    """A predictor has one thing to run: a model, or containers of its own.

    KServe's webhook refuses none, and more than one. Containers beside a model are its sidecars,
    but one that is called kserve-container would take the place of the model's.

    Fails:
        predictor:
          model: {modelFormat: {name: sklearn}}
          containers: [{name: kserve-container, image: 'example/iris:v1'}]
    Passes:
        predictor:
          model: {modelFormat: {name: sklearn}}
          containers: [{name: logs, image: 'example/logs:v1'}]
    """
    predictor = service.predictor
    found = [model.path for model in find_models(predictor.node)]
    if len(found) > 1 and (*predictor.path, MODEL) in found:
        return  # what becomes of it is another matter
    found += _serving_containers(predictor)
    if not found and not predictor.containers and not _is_misspelt(predictor):
        message = "there is nothing to run: neither a model nor containers"
        yield Finding(predictor.path, message, "add model, or containers", at_key=True)
    for path in found[1:]:
        message = f"a predictor runs one thing, and there is {found[0][1]} already"
        yield Finding(path, message, "delete one of them", at_key=True)


def _is_misspelt(component: Component) -> bool:
    """Whether something to run is there under another key, which is reported already."""
    can_run = _IMPLEMENTATIONS if component.kind == PREDICTOR else ("containers", "art")
    others = component.node.items.keys() - can_run
    return any(key in _OLD or key in _IMPLEMENTATIONS or misspelt(key, can_run) for key in others)


def _serving_containers(component: Component) -> list[Path]:
    return [
        (*component.path, "containers", index, "name")
        for index, item in enumerate(component.containers)
        if text(item, "name") == SERVING_CONTAINER
    ]


@rule("KSV102", Severity.ERROR, "InferenceService", reads=("predictor",))
def model_or_framework(service: PlacelessService) -> Iterator[Finding]:
    """A predictor has a model in one form: as `model`, or in the old field of its framework.

    Of both, KServe's webhook takes the old field and drops `model` silently.

    Fails:
        predictor:
          sklearn: {storageUri: "s3://models/iris/v1"}
          model: {modelFormat: {name: sklearn}}
    Passes: predictor: {model: {modelFormat: {name: sklearn}}}
    """
    models = find_models(service.predictor.node)
    if not models or models[0].framework:
        return
    for other in models[1:]:
        message = f"KServe takes {other.framework} and drops model silently"
        fix = _merge_remedy(other, models[0], service.spec.files)
        yield Finding(other.path, message, fix, at_key=True)


def _merge_remedy(old: Model, new: Model, files: Sequence[str]) -> str:
    """How to keep one of the two: the more specific file, the first of `files`, can drop a key."""
    name, of_old, of_new = old.framework, old.node.origin.file, new.node.origin.file
    if of_old == of_new:
        return f"delete {name}"
    if of_old in files and of_new not in files[: files.index(of_old)]:
        return f"put what it says under model here, or write model: null beside {name} here"
    return f"write {name}: null beside model in {of_new}, or delete {name}"


@rule("KSV103", Severity.ERROR, "InferenceService", reads=("transformer", "explainer"))
def components_run_something(service: PlacelessService) -> Iterator[Finding]:
    """A transformer has containers, and an explainer has containers or `art`.

    KServe's webhook refuses one without.

    Fails: transformer: {minReplicas: 1}
    Passes: transformer: {containers: [{name: kserve-container, image: "example/iris-features:v1"}]}
    """
    for kind in (TRANSFORMER, EXPLAINER):
        component = service.component(kind)
        if component is None:
            continue
        has_art = component.has("art")
        if not component.containers and not has_art and not _is_misspelt(component):
            message = f"there is nothing to run in the {kind}"
            yield Finding(component.path, message, "add containers", at_key=True)
        elif has_art and _serving_containers(component):
            message = f"an {kind} runs one thing, and there is art already"
            yield Finding(_serving_containers(component)[0], message, "delete one of them")


@rule("KSV104", Severity.ERROR, "InferenceService")
def containers_have_names(service: PlacelessService) -> Iterator[Finding]:
    """Every container has a name, but the first of containers that are all there is to run.

    That one is called kserve-container by KServe's webhook; without a name of its own, any other is
    refused.

    Fails: predictor: {containers: [{name: kserve-container}, {image: 'example/logs:v1'}]}
    Passes:
        predictor:
          containers: [{name: kserve-container}, {name: logs, image: 'example/logs:v1'}]
    """
    for component in service.components:
        for index, container in enumerate(component.containers):
            is_named_by_kserve = index == 0 and is_custom(component)
            if not text(container, "name") and not is_named_by_kserve:
                path = (*component.path, "containers", index)
                yield Finding(path, "this container has no name", "add name")


RULES = rules_with_source(
    (one_implementation, model_or_framework, components_run_something, containers_have_names),
    WEBHOOK,
)
