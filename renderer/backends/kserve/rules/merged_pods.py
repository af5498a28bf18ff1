"""What Kubernetes refuses of the pods that KServe makes out of services and runtimes."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import Component
from renderer.backends.kserve.dialect import STANDARD
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.containers import component_containers
from renderer.kubernetes.names import is_variable
from renderer.kubernetes.pod_rules.probes import HANDLERS
from renderer.kubernetes.pods import PROBES, SOURCE, Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_NO_PODS = ("0", "0%")


@rule("KSV199", Severity.ERROR, "InferenceService", reads=("predictor.model",))
def probes_ask_something(service: PlacelessService) -> Iterator[Finding]:
    """A probe of a model that says not what to ask changes one that its runtime has.

    Where the runtime has none, the API server refuses the Deployment (observed).

    Fails: predictor: {model: {readinessProbe: {periodSeconds: 5}}}
    Passes with: predictor: {model: {readinessProbe: {tcpSocket: {port: 8080}}}}
    """
    model, runtime = service.model, service.runtime
    below = service.runtime_container
    if model is None or runtime is None or below is None:
        return
    for probe in model.field.present(PROBES):
        has_handler = any(key in probe.node.items for key in HANDLERS)
        if not has_handler and probe.name not in below.items:
            message = f"{runtime.name} has no {probe.name} that this could change"
            yield probe.wrong_key(message, "add httpGet, tcpSocket, exec or grpc")


@rule("KSV200", Severity.ERROR, "InferenceService", reads=("predictor", "transformer", "explainer"))
def containers_have_images(service: PlacelessService) -> Iterator[Finding]:
    """A container of your own has an image.

    The API server refuses the Deployment otherwise (observed); only a model gets one, from its
    runtime, and containers that the runtime has as well.

    Fails: predictor: {containers: [{name: kserve-container, image: null}]}
    Passes: predictor: {containers: [{name: kserve-container, image: 'example/iris:v1'}]}
    """
    for component in service.stable_components:
        if component.has("workerSpec"):
            continue
        known = _runtime_container_names(component, service)
        for key in ("containers", "initContainers"):
            for container in component.field.each(key):
                name = text(container.node, "name")
                if not text(container.node, "image") and known is not None and name not in known:
                    yield container.wrong(f"the container {name!r} has no image", "add image")


def _runtime_container_names(component: Component, service: PlacelessService) -> list[str] | None:
    """The containers that a component gets from its runtime; nothing if that is not known."""
    if component is not service.predictor or service.model is None:
        return []
    if service.runtime is None:
        return None
    spec = service.runtime.spec
    return [text(item, "name") for item in elements(spec.tree, "containers")] if spec else []


@rule("KSV201", Severity.ERROR, "InferenceService")
def variables_have_names(service: PlacelessService) -> Iterator[Finding]:
    """The name of a variable has no `=` in it, and no characters that cannot be seen.

    The API server refuses the Deployment otherwise (observed).

    Fails: predictor: {model: {env: [{name: a=b, value: c}]}}
    Passes: predictor: {model: {env: [{name: a, value: b=c}]}}
    """
    for component in service.components:
        for container in component_containers(component):
            for variable in container.each("env"):
                name = variable.get("name")
                if name and name.text and not is_variable(name.text, relaxed=True):
                    message = f"{name.text!r} is no name of a variable"
                    yield name.wrong(message, "write letters, digits, '_', '-' and '.'")


@rule("KSV202", Severity.WARNING, "InferenceService")
def variables_are_set_once(service: PlacelessService) -> Iterator[Finding]:
    """A container sets a variable once.

    Of two with one name the later one counts. Server-side apply refuses both (observed).

    Fails: predictor: {model: {env: [{name: A, value: b}, {name: A, value: c}]}}
    Passes: predictor: {model: {env: [{name: A, value: c}]}}
    """
    for component in service.components:
        for container in component_containers(component):
            seen: set[str] = set()
            for variable in container.each("env"):
                name = text(variable.node, "name")
                if name and name in seen:
                    message = f"{name} is set already"
                    yield Finding((*variable.path, "name"), message, "delete one of them")
                seen.add(name)


@rule("KSV203", Severity.ERROR, "InferenceService")
def deployments_can_roll_out(service: PlacelessService) -> Iterator[Finding]:
    """A `deploymentStrategy` lets pods be replaced, in one way.

    Kubernetes refuses the Deployment if the type Recreate has a `rollingUpdate`, or if there may be
    neither a pod more (maxSurge) nor one less (maxUnavailable).

    Fails:
        annotations: {serving.kserve.io/deploymentMode: Standard}
        predictor: {deploymentStrategy: {type: Recreate, rollingUpdate: {maxSurge: 1}}}
    Passes with: predictor: {deploymentStrategy: {type: RollingUpdate}}
    """
    for component in service.stable_components if service.mode == STANDARD else ():
        for strategy in component.field.present(("deploymentStrategy",)):
            yield from _unfit_strategy(strategy)


def _unfit_strategy(strategy: Field) -> Iterator[Finding]:
    """What Kubernetes refuses of how a Deployment replaces its pods."""
    kind, rolling = strategy.get("type"), strategy.get("rollingUpdate")
    if rolling is None:
        return
    if kind and kind.text == "Recreate":
        message = "a Deployment of the type Recreate has no rollingUpdate"
        yield rolling.wrong_key(message, "delete it, or write type: RollingUpdate")
        return
    amounts = rolling.present(("maxSurge", "maxUnavailable"))
    if len(amounts) > 1 and all(str(item.node.value) in _NO_PODS for item in amounts):
        message = "with no pod more and no pod less than wanted, none could be replaced"
        yield amounts[1].wrong(message, "write 1 or more for one of the two")


RULES = rules_with_source(
    (
        probes_ask_something,
        containers_have_images,
        variables_have_names,
        variables_are_set_once,
        deployments_can_roll_out,
    ),
    SOURCE,
)
