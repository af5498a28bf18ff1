"""What the API server takes, and no node can start."""

from collections.abc import Iterator

from renderer.kubernetes.hosts import is_true
from renderer.kubernetes.pods import POD, PROBES, Field, Pod
from renderer.kubernetes.quantities import whole_billionths
from renderer.text.wording import did_you_mean, listed, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_KUBELET = "kubernetes/kubernetes: pkg/kubelet"
_MEDIA = ("Memory", "HugePages")
_BYTES = ("memory", "ephemeral-storage")
_BILLION = 10**9


@rule("MAN190", Severity.ERROR, POD, since="0.2.0")
def nobody_is_root_and_not_root(pod: Pod) -> Iterator[Finding]:
    """A container that must not run as root does not say that it runs as user 0.

    The API server takes it, and the node never starts the container. What a container does not say
    itself, its pod says for it.

    Fails: containers: [{name: a, securityContext: {runAsNonRoot: true, runAsUser: 0}}]
    Passes with: containers: [{name: a, securityContext: {runAsUser: 1000}}]
    """
    told: set[object] = set()
    for container in pod.containers():
        holders = [item for item in (container, pod.spec) if item.get("securityContext")]
        limits, users = (
            [item for holder in holders if (item := holder.get("securityContext", key))]
            for key in ("runAsNonRoot", "runAsUser")
        )
        if not limits or not users or not is_true(limits[0]):
            continue
        user = users[0]
        if user.node.value == 0 and user.node.value is not False and user.path not in told:
            told.add(user.path)
            message = "user 0 is root, and runAsNonRoot is true: no node starts the container"
            yield user.wrong(message, "write another user, or runAsNonRoot: false")


@rule("MAN191", Severity.ERROR, POD, since="0.2.0")
def empty_folders_are_somewhere(pod: Pod) -> Iterator[Finding]:
    """An emptyDir is on the disk of the node, or in a medium that there is.

    That is Memory, HugePages or HugePages-SIZE. The API server takes any word, and the node never
    starts the pod.

    Fails: volumes: [{name: b, emptyDir: {medium: memory}}]
    Passes: volumes: [{name: b, emptyDir: {medium: Memory}}]
    """
    for volume in pod.spec.each("volumes"):
        medium = volume.get("emptyDir", "medium")
        if not medium or not medium.text or medium.text in _MEDIA:
            continue
        if not medium.text.startswith("HugePages-"):
            message = f"there is no medium {visible(medium.text)!r}: no node starts the pod"
            fix = did_you_mean(nearest(medium.text, _MEDIA)) or "write Memory, or delete it"
            yield medium.wrong(message, fix)


@rule("MAN192", Severity.ERROR, POD, since="0.2.0")
def memory_has_whole_bytes(pod: Pod) -> Iterator[Finding]:
    """Memory and storage are amounts of whole bytes.

    `m` is a thousandth: `512m` of memory is half a byte, in which nothing runs. What was meant is
    `512Mi` or `512M`. The API server takes it.

    Fails: containers: [{name: a, resources: {requests: {memory: 512m}, limits: {memory: 512m}}}]
    Passes: containers: [{name: a, resources: {requests: {memory: 512Mi}, limits: {memory: 512Mi}}}]
    """
    for container in pod.containers():
        for kind in ("requests", "limits"):
            amounts = container.members("resources", kind)
            for amount in (amounts[name] for name in _BYTES if name in amounts):
                text = str(amount.node.value)
                if (whole_billionths(text) or 0) % _BILLION and text.endswith("m"):
                    message = f"{text} of {amount.name} is {text[:-1]} thousandths of a byte"
                    yield amount.wrong(message, f"write {text[:-1]}Mi")


@rule("MAN193", Severity.ERROR, POD, since="0.2.0")
def probes_name_ports_of_the_container(pod: Pod) -> Iterator[Finding]:
    """What a probe or a handler calls by name is a port of its container.

    Kubernetes takes any name, and a probe of a port that is not there never succeeds.

    Fails:
        containers:
          - name: a
            ports: [{containerPort: 8080, name: http}]
            readinessProbe: {httpGet: {port: htpp}}
    Passes with: containers: [{name: a, readinessProbe: {httpGet: {port: http}}}]
    """
    added = pod.ports or ()
    for container, port in _probed_ports(pod):
        known = [name.text for item in container.each("ports") if (name := item.get("name"))]
        if isinstance(port.node.value, str) and port.text not in (*known, *added):
            if port.text.isdigit():
                continue  # it cannot be the name of a port, which another rule says
            message = f"the container has no port {visible(port.text)!r}: the probe never succeeds"
            fix = did_you_mean(nearest(port.text, known))
            yield port.wrong(message, fix or "add name to a port, or write its number")


@rule("MAN194", Severity.WARNING, POD, since="0.2.0")
def probes_ask_declared_ports(pod: Pod) -> Iterator[Finding]:
    """What a probe asks by number is among the ports that its container declares.

    Kubernetes asks any number, declared or not; one that is not declared is often that of another
    container, or was forgotten when the port changed.

    Fails:
        containers:
          - {name: a, ports: [{containerPort: 8080}], readinessProbe: {httpGet: {port: 8008}}}
    Passes with: containers: [{name: a, readinessProbe: {httpGet: {port: 8080}}}]
    """
    added = pod.ports or ()
    for container, port in _probed_ports(pod):
        ports = [item.node.get("containerPort") for item in container.each("ports")]
        known = [node.value for node in ports if node]
        number = port.node.value
        if known and isinstance(number, int) and number not in (*known, *added):
            message = f"the container declares {listed(map(str, known))}, and not the port {number}"
            yield port.wrong(message, "write a port that it declares, or declare this one")


def _probed_ports(pod: Pod) -> Iterator[tuple[Field, Field]]:
    """The ports of containers that probes ask, each with the container."""
    for container in pod.containers() if pod.ports is not None else ():
        for probe in container.present(PROBES):
            for way in probe.present(("httpGet", "tcpSocket", "grpc")):
                if (port := way.get("port")) and not way.get("host"):
                    yield container, port


RULES = rules_with_source(
    (
        nobody_is_root_and_not_root,
        empty_folders_are_somewhere,
        memory_has_whole_bytes,
        probes_name_ports_of_the_container,
        probes_ask_declared_ports,
    ),
    _KUBELET,
)
