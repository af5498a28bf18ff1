"""Names that KServe makes out of the name of a service: none of them is shortened."""

from collections.abc import Iterator

from renderer.backends.kserve.dialect import STANDARD
from renderer.backends.kserve.inference_service import PREDICTOR, Component, InferenceService
from renderer.backends.kserve.rules.sources import RECONCILERS
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: The length of a label, in a host name or as the value of a Kubernetes label.
_LONGEST = 63
_READS = ("name", "predictor.name", "annotations", "canary")


@rule("KSV120", Severity.ERROR, "InferenceService", reads=_READS)
def derived_names_fit(service: InferenceService) -> Iterator[Finding]:
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
        label = f"isvc.{name}-worker" if "workerSpec" in component.node.items else f"isvc.{name}"
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


def workload_name(service: InferenceService, component: Component) -> str:
    """What KServe calls the Deployment or Knative Service of a component, and its Service."""
    own = [component.name] if component.kind == PREDICTOR and component.name else []
    return "-".join((service.name, *own, component.kind))


def _longest_first(service: InferenceService) -> list[Component]:
    """Each service is told once, for what is longest in it."""
    return sorted(service.components, key=lambda item: -len(workload_name(service, item)))


def _too_long(
    service: InferenceService, component: Component, message: str, length: int
) -> Finding:
    over = length - _LONGEST
    if component.name:
        fix = f"shorten {component.name!r} or the name of the service by {over}"
        return Finding((*component.path, "name"), message, fix)
    room = len(service.name) - over
    short = f"write a name of at most {room} characters" if room > 0 else "shorten its namespace"
    return Finding(("name",), message, short)


RULES = rules_with_source((derived_names_fit, hosts_fit), RECONCILERS)
