"""The runtime of a model: the one that it names, or the one that KServe chooses."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.catalogue import installed
from renderer.backends.kserve.dialect import MODEL_MESH, STANDARD
from renderer.backends.kserve.inference_service import InferenceService, PlacelessService
from renderer.backends.kserve.model import MODEL, find_models
from renderer.backends.kserve.rules.images import has_tag
from renderer.backends.kserve.rules.sources import CONTROLLER, setting
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, SERVING_RUNTIME, Runtime
from renderer.backends.kserve.selection import (
    RejectedRuntime,
    Request,
    exclusion_reason,
    matching_formats,
    named_runtime,
    unfit_reason,
)
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed, nearest
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

_READS = ("predictor.model.modelFormat", "predictor.model.runtime", "predictor.workerSpec")


#: Fields of a model, and what KServe makes of an empty one.
_MEANINGS = {
    ("runtime",): "KServe looks for a runtime without a name",
    ("runtimeVersion",): "the image gets an empty tag, and no node can fetch it",
    ("modelFormat", "version"): "KServe looks for a runtime that lists an empty version",
}


@rule("KSV110", Severity.ERROR, "InferenceService", reads=_READS)
def some_runtime_fits(service: InferenceService) -> Iterator[Finding]:
    """There is a runtime for a model that names none.

    KServe looks at the enabled runtimes of the namespace and of the cluster that list the format
    with autoSelect, in the version that is asked for (compared as text), and that speak the
    protocol; without `protocolVersion` that is v1. If there is none (NoSupportingRuntime), a new
    service never becomes ready, and one that runs follows no edit any more. The cluster's runtimes
    are those of `kserve.runtimes` in the environment.

    Fails: predictor: {model: {modelFormat: {name: onnx}}}
    Passes with: predictor: {model: {protocolVersion: v2}}
    """
    model, request, choice = service.model, service.request, service.choice
    if model is None or request is None or model.runtime or choice.winner or choice.rivals:
        return
    near = choice.concerned(request)
    path = (*model.path, "modelFormat", "name") if not model.framework else model.path
    message = f"no runtime is chosen for {request} over {request.protocol}"
    message += f": {_reasons(near)}" if near else ", as none lists the format"
    yield Finding(path, message, _remedy(request, near, service), at_key=bool(model.framework))


@rule("KSV111", Severity.ERROR, "InferenceService", reads=_READS)
def one_runtime_is_first(service: PlacelessService) -> Iterator[Finding]:
    """It is clear which runtime KServe chooses for a model that names none.

    Of runtimes with one priority and the same simplest protocol it takes the one that was created
    last, which no file says: the same files would then serve a model in two ways.

    Fails: predictor: {model: {modelFormat: {name: twice}}}
    Passes with: predictor: {model: {runtime: one}}
    """
    model, request = service.model, service.request
    if model is None or request is None or not service.choice.rivals:
        return
    names = [item.name for item in service.choice.rivals]
    message = f"{listed(names)} fit {request} equally: KServe takes the one that was created last"
    path = (*model.path, "modelFormat", "name") if not model.framework else model.path
    fix = f"name one, as in runtime: {names[0]}"
    yield Finding(path, message, fix, at_key=bool(model.framework))


@rule("KSV112", Severity.ERROR, "InferenceService", reads=(*_READS, "canary"))
def named_runtime_exists(service: InferenceService) -> Iterator[Finding]:
    """The runtime that a model or a canary names is one of its namespace, or of the cluster.

    Without it KServe fails at the service (RuntimeNotRecognized): a new one never becomes ready,
    and one that runs goes on as it is, but follows no edit any more. The cluster's runtimes are
    those of this repository, and of `kserve.runtimes` in the environment.

    Fails: predictor: {model: {runtime: kserve-sklearnsrver}}
    Passes: predictor: {model: {runtime: kserve-sklearnserver}}
    """
    for name, path, runtime in _named_runtimes(service):
        if runtime is None:
            yield from _missing_runtime(name, path, service)


@rule(
    "KSV113",
    Severity.ERROR,
    "InferenceService",
    reads=(*_READS, "predictor.model.protocolVersion", "canary"),
)
def named_runtime_fits(service: InferenceService) -> Iterator[Finding]:
    """The runtime that a model names is enabled, takes the model's format, and speaks its protocol.

    Otherwise (RuntimeDisabled, NoSupportingRuntime) a new service never becomes ready, and one that
    runs follows no edit any more. Whether the runtime may be chosen without being named, and its
    priority, do not count. A canary that names a runtime asks for the predictor's format and
    protocol where it does not say its own.

    Fails: predictor: {model: {runtime: kserve-xgbserver}}
    Passes with: predictor: {model: {modelFormat: {name: xgboost}}}
    """
    requests = {item.path: service.canary_request(item) for item in service.canaries}
    for _, path, runtime in _named_runtimes(service):
        request = requests.get(path[:-2], service.request)
        reason = unfit_reason(request, runtime) if request and runtime else ""
        if reason and runtime:
            message = f"the runtime {runtime.name!r} cannot serve this: {reason}"
            yield Finding(path, message, "name another runtime, or change the model")


def _named_runtimes(service: InferenceService) -> Iterator[tuple[str, Path, Runtime | None]]:
    """The runtimes that the model and the canaries name, and what is found by these names."""
    model = service.model
    if model is None or service.request is None:
        return
    if model.runtime:
        yield model.runtime, (*model.path, "runtime"), service.runtime
    canaries = service.canaries if service.mode == STANDARD else ()
    known = service.runtimes() if canaries else []
    for canary in canaries:
        if name := text(canary.node, MODEL, "runtime"):
            yield name, (*canary.path, MODEL, "runtime"), named_runtime(name, known)


def _missing_runtime(name: str, path: Path, service: InferenceService) -> Iterator[Finding]:
    environment = service.environment
    if spec := environment.spec_named(SERVING_RUNTIME, name):
        place = Runtime.of(spec, service.home).namespace
        message = f"the ServingRuntime {name!r} is in the namespace {place!r}, "
        message += f"and this is in {service.namespace!r}"
        yield Finding(path, message, "bring both into one namespace")
    elif not any(environment.may_have(kind, name) for kind in (SERVING_RUNTIME, CLUSTER_RUNTIME)):
        hint = nearest(name, _runtime_names(service))
        fix = f"did you mean {hint!r}? If" if hint else "add a spec for it; if"
        fix += " it is kept elsewhere, name it in kserve.runtimes of the environment"
        yield Finding(path, f"there is no runtime {name!r}", fix)


def _reasons(fallen: Iterable[RejectedRuntime]) -> str:
    return "; ".join(f"{item.runtime.name}: {item.reason}" for item in fallen)


def _remedy(request: Request, near: list[RejectedRuntime], service: InferenceService) -> str:
    """What would make one of them fit."""
    ways = [way for item in near if (way := _runtime_remedy(item.runtime, request))]
    if ways or (left_out := _shipped_remedy(request, service)):
        return ways[0] if ways else left_out
    if near and not any(matching_formats(request, item.runtime) for item in near):
        return f"ask for a version that is listed, as text, or name a runtime for {request.format}"
    if near:
        return _last_remedy(request, near)
    formats = {item.name for runtime in service.runtimes() for item in runtime.formats}
    hint = nearest(request.format, sorted(formats))
    otherwise = "add a ServingRuntime for it, or name one in kserve.runtimes of the environment"
    return f"did you mean {hint!r}?" if hint else otherwise


def _runtime_remedy(runtime: Runtime, request: Request) -> str:
    """What to write for a runtime that only its name or the protocol keeps out; else empty."""
    for protocol in (request.protocol, *runtime.protocols):
        wanted = request._replace(protocol=protocol)
        is_other = protocol != request.protocol
        if not exclusion_reason(wanted, runtime):
            return f"write protocolVersion: {protocol} for {runtime.name}"
        is_alike = runtime.multi_node == request.multi_node and not runtime.multi_model
        if is_alike and not unfit_reason(wanted, runtime):
            name = f"runtime: {runtime.name}" + f", with protocolVersion: {protocol}" * is_other
            return f"name it: {name}" + ", or write autoSelect: true in it" * bool(runtime.spec)
    return ""


def _shipped_remedy(request: Request, service: InferenceService) -> str:
    """What to write if a runtime that KServe ships would do, and the environment has it not."""
    there = {item.name for item in service.runtimes()}
    for runtime in installed(service.settings.dialect.version):
        if runtime.name not in there and not exclusion_reason(request, runtime):
            return f"{runtime.name} would serve it: add it to {setting(service, 'runtimes')}"
    return ""


def _last_remedy(request: Request, near: list[RejectedRuntime]) -> str:
    """What to do where one has the version that is asked for, and falls out for another reason."""
    if request.multi_node and not all(item.runtime.multi_node for item in near):
        return "delete workerSpec, or add a ServingRuntime that has one"
    disabled = [item.runtime.name for item in near if item.runtime.disabled]
    if disabled:
        return f"delete disabled in {disabled[0]}, or add another ServingRuntime"
    if all(item.runtime.multi_node for item in near) and not request.multi_node:
        return f"add workerSpec, or a ServingRuntime for {request} without one"
    return f"add a ServingRuntime for {request} over {request.protocol}"


def _runtime_names(service: InferenceService) -> list[str]:
    environment = service.environment
    own = [*environment.names(SERVING_RUNTIME), *environment.names(CLUSTER_RUNTIME)]
    return [*own, *(item.name for item in service.settings.runtimes)]


@rule("KSV361", Severity.ERROR, "InferenceService", reads=("predictor",))
def texts_of_models_are_not_empty(service: InferenceService) -> Iterator[Finding]:
    """The runtime, runtimeVersion and version of the format of a model are not empty texts.

    KServe asks only whether they are there: an empty one is a name, a tag or a version that nothing
    has, and the model never becomes ready. Without the field, KServe chooses by itself.

    Fails: predictor: {model: {runtime: ''}}
    Passes: predictor: {model: {runtime: kserve-sklearnserver}}
    """
    if service.mode == MODEL_MESH:
        return
    for component in service.components:
        for model in find_models(component.node)[:1]:
            field = Field((*component.path, model.path[-1]), model.node)
            for keys, meaning in _MEANINGS.items():
                found = field.get(*keys)
                if found and found.node.value == "" and not _is_harmless_text(keys[-1], service):
                    yield found.wrong(f"{keys[-1]} is empty: {meaning}", f"delete {keys[-1]}")


def _is_harmless_text(key: str, service: InferenceService) -> bool:
    """A digest keeps its image as it is; a runtime may list an empty version."""
    if key == "runtimeVersion":
        return not has_tag(service)
    own = (item.spec.tree for item in service.runtimes() if item.spec)
    listings = (entry for tree in own for entry in elements(tree, "supportedModelFormats"))
    found = (entry.get("version") for entry in listings)
    return key == "version" and any(node is not None and node.value == "" for node in found)


RULES = rules_with_source(
    (
        some_runtime_fits,
        one_runtime_is_first,
        named_runtime_exists,
        named_runtime_fits,
        texts_of_models_are_not_empty,
    ),
    CONTROLLER,
)
