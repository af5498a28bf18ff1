"""Names that KServe makes out of a service's, and names that it looks for in pods."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import PREDICTOR, Component
from renderer.backends.kserve.dialect import STANDARD
from renderer.backends.kserve.inference_service import InferenceService, PlacelessService
from renderer.backends.kserve.rules.containers import TRANSFORMER_CONTAINER
from renderer.backends.kserve.rules.sources import CONTROLLER, RECONCILERS
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.backends.kserve.serving_runtime import RuntimeView
from renderer.kubernetes.names import is_dns_label
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.text.wording import misspelt
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: The length of a label, in a host name or as the value of a Kubernetes label.
_LONGEST = 63
_READS = ("name", "predictor.name", "annotations", "canary")


_WORKER = "worker-container"
_ONE_BRACE = expression(r"(?<!\{)\{\s*\.(Name|Namespace|Labels\.\w+|Annotations\.\w+)\s*\}(?!\})")


@rule("KSV120", Severity.ERROR, "InferenceService", reads=_READS)
def derived_names_fit(service: PlacelessService) -> Iterator[Finding]:
    """The names that are made out of a service's name have at most 63 characters.

    What runs a component is called NAME-predictor, NAME-transformer or NAME-explainer, and with
    `predictor.name` NAME-PREDICTOR-predictor. In Standard mode its pods have the label
    `app: isvc.NAME-predictor` (workers: `isvc.NAME-predictor-worker`). KServe shortens none of
    them, and the API server refuses what is longer.

    Fails: name: a-service-with-a-name-that-is-longer-than-it-should-ever-be
    Passes: name: a-service-with-a-shorter-name
    """
    is_standard = service.mode == STANDARD
    for component in _longest_first(service):
        name = workload_name(service, component)
        label = f"isvc.{name}-worker" if component.has("workerSpec") else f"isvc.{name}"
        made = label if is_standard else name
        if len(made) > _LONGEST:
            what = f"the label app: {made}" if is_standard else f"the name {made}"
            message = f"{what} would have {len(made)} characters, not {_LONGEST} or less"
            yield _too_long(service, component, message, len(made))
            return


@rule("KSV121", Severity.ERROR, "InferenceService", reads=(*_READS, "namespace"))
def hosts_fit(service: InferenceService) -> Iterator[Finding]:
    """In Standard mode, the names of a service and of its namespace fit into one host name.

    KServe makes the host NAME-predictor-NAMESPACE out of them, even if it makes no ingress, and a
    part of a host name has at most 63 characters; a longer one leaves the service not ready (the
    `domainTemplate` that KServe ships; set the severity of this rule where clusters have another).

    Fails:
        name: a-service-with-a-name-that-is-rather-long-yet
        namespace: a-namespace-of-length
        annotations: {serving.kserve.io/deploymentMode: Standard}
    Passes with: namespace: m
    """
    if service.mode != STANDARD or not service.namespace:
        return
    for component in _longest_first(service):
        host = f"{workload_name(service, component)}-{service.namespace}"
        if len(host) > _LONGEST and not component.is_canary:
            message = f"the host {host} would have {len(host)} characters, not {_LONGEST} or less"
            yield _too_long(service, component, message, len(host))
            return


def workload_name(service: PlacelessService, component: Component) -> str:
    """What KServe calls the Deployment or Knative Service of a component, and its Service."""
    own = [component.name] if component.kind == PREDICTOR and component.name else []
    return "-".join((service.name, *own, component.kind))


def _longest_first(service: PlacelessService) -> list[Component]:
    """A service is reported once, for its longest name."""
    return sorted(service.components, key=lambda item: -len(workload_name(service, item)))


def _too_long(
    service: PlacelessService, component: Component, message: str, length: int
) -> Finding:
    over = length - _LONGEST
    if component.name:
        fix = f"shorten {component.name!r} or the name of the service by {over}"
        return Finding((*component.path, "name"), message, fix)
    room = len(service.name) - over
    short = f"write a name of at most {room} characters" if room > 0 else "shorten its namespace"
    return Finding(("name",), message, short)


@rule("KSV251", Severity.WARNING, "InferenceService", since="0.2.0")
def sidecars_are_meant(service: PlacelessService) -> Iterator[Finding]:
    """A container beside a model is not called nearly as one that KServe looks for.

    kserve-container is the model's own, and transformer-container is asked before it. Under any
    other name a container is one more that runs beside the model.

    Fails: predictor: {containers: [{name: transformer-contaner, image: 'example/features:v1'}]}
    Passes: predictor: {containers: [{name: transformer-container, image: 'example/features:v1'}]}
    """
    known = (SERVING_CONTAINER, TRANSFORMER_CONTAINER)
    predictor = service.predictor
    for container in predictor.field.each("containers"):
        name = text(container.node, "name")
        meant = misspelt(name, known) if name not in known and is_dns_label(name) else ""
        # Of containers that are all there is to run, KSV193 says which is to be called so.
        if meant and (service.model or meant == TRANSFORMER_CONTAINER):
            message = f"{name!r} is one more container beside the model"
            yield Finding((*container.path, "name"), message, f"did you mean {meant!r}?")


@rule("KSV370", Severity.ERROR, "ServingRuntime", since="0.2.0")
def workers_have_their_container(view: RuntimeView) -> Iterator[Finding]:
    """The container of a runtime's workers is called worker-container.

    The controller adds what a service says of its workers to the container of that name. Without
    it no service that uses the runtime becomes ready (InvalidPredictorSpec, inferred from the
    source).

    Fails: workerSpec: {containers: [{name: worker, image: 'example/server:v1'}]}
    Passes: workerSpec: {containers: [{name: worker-container, image: 'example/server:v1'}]}
    """
    containers = elements(view.spec.tree, "workerSpec", "containers")
    if view.runtime.disabled or not containers:
        return
    names = [text(item, "name") for item in containers]
    if _WORKER not in names:
        path = ("workerSpec", "containers", 0, "name")
        message = f"there is no {_WORKER}, but {names[0]!r} (inferred)"
        yield Finding(path, message, f"call it {_WORKER}")


@rule("KSV371", Severity.WARNING, "ServingRuntime", since="0.2.0")
def placeholders_have_two_braces(view: RuntimeView) -> Iterator[Finding]:
    """A placeholder of a runtime has two braces, as in {{.Name}}.

    KServe passes on what has one as it is.

    Fails: containers: [{name: kserve-container, args: ['--name={.Name}']}]
    Passes: containers: [{name: kserve-container, args: ['--name={{.Name}}']}]
    """
    for container in Field((), view.spec.tree).each("containers"):
        for field in (*container.each("args"), *container.each("command")):
            if found := _ONE_BRACE.search(field.text):
                message = f"KServe does not fill in {found[0]}"
                yield field.wrong(message, f"write {{{{.{found[1]}}}}}")


RULES = (
    *rules_with_source((derived_names_fit, hosts_fit), RECONCILERS),
    *rules_with_source((sidecars_are_meant,), CONTROLLER),
)
RUNTIME_RULES = rules_with_source(
    (workers_have_their_container, placeholders_have_two_braces), CONTROLLER
)
