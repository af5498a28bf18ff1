"""The containers of components: what KServe refuses or changes in them."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import Component
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.model import find_models, is_custom
from renderer.backends.kserve.rules.placeholders import is_placeholder, template_texts, why_broken
from renderer.backends.kserve.rules.sources import CONTROLLER, STORAGE, WEBHOOK
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: A container beside the model's that changes requests and answers.
TRANSFORMER_CONTAINER = "transformer-container"
_BLOCKED, _BLOCKED_SINCE = "PYTHONPATH", (0, 18, 0)
_PROTOCOLS = ("v1", "v2")
#: Servers whose images for GPUs have tags that end so, unless runtimeVersion says another tag.
_GPU_SERVERS = ("tensorflow-serving", "torchserve", "huggingfaceserver")
_GPUS = ("nvidia.com/gpu", "nvidia.com/mig")


def component_containers(component: Component) -> Iterator[Field]:
    """What runs in a component and before it, as it stands in the spec, with its workers."""
    field = component.field
    keys = [str(model.path[-1]) for model in find_models(component.node)[:1]]
    yield from field.present([*keys, "art"])
    for part in (field, field.get("workerSpec")):
        if part:
            yield from part.each("containers")
            yield from part.each("initContainers")


@rule("KSV190", Severity.ERROR, "InferenceService")
def python_path_is_not_set(service: PlacelessService) -> Iterator[Finding]:
    """No container has a variable PYTHONPATH.

    KServe's webhook refuses it since 0.18, as code could be loaded from elsewhere with it.

    Fails: predictor: {model: {env: [{name: PYTHONPATH, value: /opt}]}}
    Passes with: predictor: {model: {env: null}}
    """
    if not service.settings.dialect.knows(_BLOCKED_SINCE):
        return
    for component in service.stable_components:
        for container in component_containers(component):
            yield from blocked_variables(container)


def blocked_variables(container: Field) -> Iterator[Finding]:
    """The variables of a container that KServe's webhooks refuse."""
    for variable in container.each("env"):
        if text(variable.node, "name") == _BLOCKED:
            path, message = (*variable.path, "name"), f"KServe refuses the variable {_BLOCKED}"
            yield Finding(path, message, "delete it, and build it into the image")


@rule("KSV191", Severity.ERROR, "InferenceService")
def transformer_has_no_storage(service: PlacelessService) -> Iterator[Finding]:
    """A `transformer-container` in a predictor has no variable STORAGE_URI.

    KServe's webhook refuses it: the model is that of the predictor.

    Fails:
        predictor:
          containers:
            - name: transformer-container
              image: example/features:v1
              env: [{name: STORAGE_URI, value: 's3://models/iris/v1'}]
    Passes: predictor: {containers: [{name: transformer-container, image: 'example/features:v1'}]}
    """
    predictor = service.predictor
    for container in predictor.field.each("containers"):
        if text(container.node, "name") != TRANSFORMER_CONTAINER:
            continue
        for variable in container.each("env"):
            if text(variable.node, "name") == "STORAGE_URI":
                message = f"a {TRANSFORMER_CONTAINER} has no model of its own"
                yield Finding((*variable.path, "name"), message, "delete STORAGE_URI")


@rule("KSV192", Severity.ERROR, "InferenceService")
def custom_protocol_is_known(service: PlacelessService) -> Iterator[Finding]:
    """The variable PROTOCOL of a predictor's own container is v1 or v2.

    KServe's webhook refuses others, and one that is not written as a value. It is by this that
    KServe knows what such a container speaks; without it, v1.

    Fails:
        predictor:
          containers: [{name: kserve-container, env: [{name: PROTOCOL, value: grpc-v2}]}]
    Passes: predictor: {containers: [{name: kserve-container, env: [{name: PROTOCOL, value: v2}]}]}
    """
    for component in (service.predictor, *service.canaries):
        if not is_custom(component):
            continue
        for index, variable in enumerate(elements(component.containers[0], "env")):
            if text(variable, "name") != "PROTOCOL":
                continue
            given = text(variable, "value")
            if given not in _PROTOCOLS:
                path = (*component.path, "containers", 0, "env", index, "value")
                message = f"{given!r} is no protocol of a custom predictor"
                yield Finding(path, message, "write v1 or v2")
            break


@rule("KSV193", Severity.ERROR, "InferenceService", reads=("predictor.containers",))
def serving_container_is_first(service: PlacelessService) -> Iterator[Finding]:
    """Of several containers of a predictor's own, the first is called kserve-container.

    KServe puts the container of that name into the place of the first one. Without it the
    controller fails, again and again, and says nothing (observed); where it is a later one, the
    first is lost and the later one there twice (inferred). A single container is given the name.

    Fails:
        predictor:
          model: null
          containers:
            - {name: logs, image: 'example/logs:v1'}
            - {name: kserve-container, image: 'example/iris:v1'}
    Passes:
        predictor:
          model: null
          containers:
            - {name: kserve-container, image: 'example/iris:v1'}
            - {name: logs, image: 'example/logs:v1'}
    """
    predictor = service.predictor
    names = [text(item, "name") for item in predictor.containers]
    if not is_custom(predictor) or len(names) == 1 or names[0] in ("", SERVING_CONTAINER):
        return
    path = (*predictor.path, "containers", 0, "name")
    if SERVING_CONTAINER in names:
        message = f"KServe puts {SERVING_CONTAINER} into the place of {names[0]!r} (inferred)"
        yield Finding(path, message, f"move {SERVING_CONTAINER} to the first place")
    else:
        message = f"none of the containers is called {SERVING_CONTAINER}"
        yield Finding(path, message, f"write {SERVING_CONTAINER} for the one that serves")


@rule("KSV194", Severity.WARNING, "InferenceService")
def braces_are_meant(service: PlacelessService) -> Iterator[Finding]:
    """What stands in double braces in a model's container is a placeholder of KServe.

    KServe fills in the whole container with Go's templates, after what the spec says was added to
    the runtime's: {{.Name}}, {{.Namespace}}, {{.Labels.x}} and {{.Annotations.x}} are known. What
    else is there is evaluated too.

    Fails:
        predictor:
          model: {modelFormat: {name: huggingface}, args: ['--greeting={{ printf `hello` }}']}
    Passes with: predictor: {model: {args: ['--model_name={{.Name}}']}}
    """
    for field in _template_texts(service):
        if not is_placeholder(field.text) and not why_broken(field.text):
            message = "KServe evaluates what is in double braces here"
            yield field.wrong(message, "put it into a file, or write a placeholder of KServe")


@rule("KSV198", Severity.ERROR, "InferenceService")
def braces_can_be_filled_in(service: PlacelessService) -> Iterator[Finding]:
    """What stands in double braces in a model's container can be filled in by KServe.

    A chat template, for instance, is no template of Go's: the service never becomes ready
    (observed as InvalidPredictorSpec).

    Fails:
        predictor:
          model: {modelFormat: {name: huggingface}, args: ['--chat-template={{ messages }}']}
    Passes with: predictor: {model: {args: ['--model_name={{.Name}}']}}
    """
    for field in _template_texts(service):
        if reason := why_broken(field.text):
            message = f"KServe cannot fill this in: there is {reason}"
            yield field.wrong(message, "put it into a file, or write a placeholder of KServe")


def _template_texts(service: PlacelessService) -> Iterator[Field]:
    """The texts with braces in containers that KServe fills in."""
    model, predictor = service.model, service.predictor
    if model is None:
        return
    yield from template_texts(model.field)
    for container in predictor.field.each("containers"):
        if text(container.node, "name") == TRANSFORMER_CONTAINER:
            yield from template_texts(container)


@rule("KSV195", Severity.WARNING, "InferenceService", reads=("predictor",))
def gpus_have_their_image(service: PlacelessService) -> Iterator[Finding]:
    """A runtimeVersion for a model on GPUs is that of an image for GPUs.

    Without it KServe takes the tag that ends in -gpu for tensorflow, torchserve and huggingface if
    the limits have GPUs; with it, the tag is what runtimeVersion says.

    Fails:
        predictor:
          model:
            modelFormat: {name: tensorflow}
            runtimeVersion: 2.14.0
            resources: {limits: {nvidia.com/gpu: 1}}
    Passes with: predictor: {model: {runtimeVersion: 2.14.0-gpu}}
    """
    model, runtime = service.model, service.runtime
    if model is None or runtime is None or runtime.server_type not in _GPU_SERVERS:
        return
    version = text(model.node, "runtimeVersion")
    limits = model.node.get("resources", "limits")
    has_gpus = limits is not None and any(key.startswith(_GPUS) for key in limits.items)
    if version and has_gpus and "gpu" not in version and "image" not in model.node.items:
        message = f"{version!r} is the tag of an image without GPUs"
        fix = f"write {version}-gpu, or delete runtimeVersion"
        yield Finding((*model.path, "runtimeVersion"), message, fix)


@rule("KSV196", Severity.INFO, "InferenceService", reads=("predictor",))
def model_has_amounts(service: PlacelessService) -> Iterator[Finding]:
    """A model says what it needs: cpu, memory, GPUs.

    Otherwise it gets what its runtime has: 1 cpu and 2Gi with most of those that KServe ships,
    which is too little for language models.

    Fails: predictor: {model: {resources: null}}
    Passes: predictor: {model: {resources: {requests: {cpu: 500m, memory: 1Gi}}}}
    """
    model, runtime = service.model, service.runtime
    if model and runtime and runtime.spec is None and "resources" not in model.node.items:
        message = (
            f"without resources it gets the cpu and memory that {runtime.name} has for any model"
        )
        yield Finding(model.path, message, "add resources", at_key=True)


RULES = (
    *rules_with_source(
        (python_path_is_not_set, transformer_has_no_storage, custom_protocol_is_known), WEBHOOK
    ),
    *rules_with_source((serving_container_is_first, model_has_amounts), CONTROLLER),
    *rules_with_source((braces_are_meant, braces_can_be_filled_in, gpus_have_their_image), STORAGE),
)
