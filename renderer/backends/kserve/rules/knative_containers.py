"""What Knative keeps for itself in containers, and what it wants of their probes."""

from collections.abc import Iterator
from posixpath import normpath

from renderer.backends.fields import elements, text
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.rules.knative_pods import KnativePod, knative_pods
from renderer.backends.kserve.rules.sources import KNATIVE_SERVING, name_the_mode
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_NEW = "0.2.0"
#: The ports of the container that Knative adds, of its metrics and of its profiles.
_PORTS = frozenset((8008, 8012, 8013, 8022, 9090, 9091))
_VARIABLES = frozenset(("K_SERVICE", "K_CONFIGURATION", "K_REVISION"))
#: Only a container that serves requests is told its port.
_PORT_VARIABLE = "PORT"
_PATHS = frozenset(("/", "/dev", "/dev/log"))
_CONTAINER = "queue-proxy"
_OTHER = "choose another one, or use Standard mode"
_UNTIMED = ("failureThreshold", "timeoutSeconds")
#: Knative does not look at startup probes (observed).
_CHECKED_PROBES = ("livenessProbe", "readinessProbe")


@rule("KSV187", Severity.ERROR, "InferenceService", since=_NEW)
def knative_has_its_own_names(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode, containers leave alone what Knative uses itself.

    It refuses the variables PORT, K_SERVICE, K_CONFIGURATION and K_REVISION, the ports 8008, 8012,
    8013, 8022, 9090 and 9091, a container called queue-proxy, and volumes at `/`, `/dev` and
    `/dev/log` or two at one place (observed). What the runtime has counts as well.

    Fails: predictor: {model: {env: [{name: PORT, value: '9000'}]}}
    Passes: predictor: {model: {env: [{name: HTTP_PORT, value: '9000'}]}}
    """
    for pod in knative_pods(service):
        for container in pod.containers:
            for item, message in _reserved(pod, container):
                yield pod.report(item, item.wrong(message, _OTHER))


def _reserved(pod: KnativePod, container: Field) -> Iterator[tuple[Field, str]]:
    """What a container has that is Knative's, and why it cannot."""
    name = container.get("name")
    if name and name.text == _CONTAINER:
        yield name, f"Knative adds a container called {_CONTAINER}"
    known = _VARIABLES if pod.is_sidecar(container) else _VARIABLES | {_PORT_VARIABLE}
    for variable in container.each("env"):
        if (found := variable.get("name")) and found.text in known:
            yield found, f"Knative sets the variable {found.text} itself"
    for port in container.each("ports"):
        if (found := port.get("containerPort")) and found.node.value in _PORTS:
            yield found, f"the port {found.node.value} is used by Knative"
    yield from _reserved_paths(container)


def _reserved_paths(container: Field) -> Iterator[tuple[Field, str]]:
    seen = set[str]()
    for mount in container.each("volumeMounts"):
        found = mount.get("mountPath")
        path = normpath(found.text) if found and found.text else ""
        if found and path in _PATHS:
            yield found, f"Knative lets no volume be mounted at {path}"
        elif found and path in seen:
            yield found, f"another volume is mounted at {path}"
        seen.add(path)


@rule("KSV188", Severity.ERROR, "InferenceService", since=_NEW)
def knative_can_probe(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode, probes are ones that Knative can ask.

    A readiness probe without periodSeconds is asked by Knative as often as it likes, and then it
    takes neither failureThreshold nor timeoutSeconds. A port that such a probe or a liveness probe
    names is that of the container, which is called http unless it says http1 or h2c (observed).

    Fails:
        predictor:
          model: {readinessProbe: {httpGet: {path: /ready, port: 8080}, timeoutSeconds: 3}}
    Passes with: predictor: {model: {readinessProbe: {periodSeconds: 10}}}
    """
    below = service.runtime_container
    for pod in knative_pods(service):
        for container in (item for item in pod.containers if not pod.is_sidecar(item)):
            is_model = service.model is not None and container.node is service.model.node
            if is_model and below is None:
                continue  # the runtime may have the period, or another name of the port
            lower = below if is_model else None
            for item, finding in (*_untimed(container, lower), *_misnamed(container, lower)):
                yield pod.report(item, finding)


def _untimed(container: Field, below: Node | None) -> Iterator[tuple[Field, Finding]]:
    probe = container.get("readinessProbe")
    if probe is None or _has_period(probe.node, below.get("readinessProbe") if below else None):
        return
    for item in probe.present(_UNTIMED):
        if item.node.value:
            message = f"Knative takes {item.name} only with periodSeconds"
            yield item, item.wrong_key(message, "add periodSeconds, or delete it")


def _has_period(probe: Node, below: Node | None) -> bool:
    found = probe.get("periodSeconds") or (below.get("periodSeconds") if below else None)
    return found is not None and bool(found.value)


def _misnamed(container: Field, below: Node | None) -> Iterator[tuple[Field, Finding]]:
    ports = elements(container.node, "ports") or elements(below, "ports")
    right = (text(ports[0], "name") if ports else "") or "http"
    for probe in container.present(_CHECKED_PROBES):
        for handler in ("httpGet", "tcpSocket"):
            port = probe.get(handler, "port")
            if port and port.text and port.text != right:
                message = f"Knative knows the port as {right!r}, not as {port.text!r}"
                yield port, port.wrong(message, "write its number, or delete the port")


RULES = rules_with_source(
    name_the_mode((knative_has_its_own_names, knative_can_probe)), KNATIVE_SERVING
)
