"""What the API server takes, and no node can start."""

from collections.abc import Iterator

from renderer.kubernetes.names import is_port_name
from renderer.kubernetes.pod_rules.hosts import is_true
from renderer.kubernetes.pods import POD, PROBES, Field, Pod
from renderer.kubernetes.quantities import is_split_byte
from renderer.text.wording import did_you_mean, listed, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_KUBELET = "kubernetes/kubernetes: pkg/kubelet"
_MEDIA = ("Memory", "HugePages")
_BYTES = ("memory", "ephemeral-storage")


@rule("MAN190", Severity.ERROR, POD, since="0.2.0")
def nobody_is_root_and_not_root(pod: Pod) -> Iterator[Finding]:
    """A container that must not run as root does not say that it runs as user 0.

    The API server takes it, and the node never starts the container. What a container does not say
    itself, its pod says for it.

    Fails: containers: [{name: a, securityContext: {runAsNonRoot: true, runAsUser: 0}}]
    Passes with: containers: [{name: a, securityContext: {runAsUser: 1000}}]
    """
    reported: set[object] = set()
    for container in pod.containers():
        holders = [item for item in (container, pod.spec) if item.get("securityContext")]
        limits, users = (
            [item for holder in holders if (item := holder.get("securityContext", key))]
            for key in ("runAsNonRoot", "runAsUser")
        )
        if not limits or not users or not is_true(limits[0]):
            continue
        user = users[0]
        if user.node.value == 0 and user.node.value is not False and user.path not in reported:
            reported.add(user.path)
            message = "user 0 is root, and runAsNonRoot is true: no node starts the container"
            yield user.wrong(message, "write another user, or runAsNonRoot: false")


@rule("MAN191", Severity.ERROR, POD, since="0.2.0")
def empty_folders_are_somewhere(pod: Pod) -> Iterator[Finding]:
    """The medium of an emptyDir exists, or is the disk of the node.

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
    `512Mi` or `512M`. The API server takes it, and rounds it up to a byte.

    Fails: containers: [{name: a, resources: {requests: {memory: 512m}, limits: {memory: 512m}}}]
    Passes: containers: [{name: a, resources: {requests: {memory: 512Mi}, limits: {memory: 512Mi}}}]
    """
    for container in pod.containers():
        for kind in ("requests", "limits"):
            amounts = container.members("resources", kind)
            for amount in (amounts[name] for name in _BYTES if name in amounts):
                text = str(amount.node.value)
                if is_split_byte(text):
                    message = f"{text} of {amount.name} is in parts of a byte"
                    fix = f"write {text[:-1]}Mi for mebibytes, or {text[:-1]}M for megabytes"
                    yield amount.wrong(message, fix)


@rule("MAN193", Severity.ERROR, POD, reads=("containers.ports",), since="0.2.0")
def probes_name_ports_of_the_container(pod: Pod) -> Iterator[Finding]:
    """What a probe calls by name is a port of its container.

    Kubernetes takes any name, and a probe of a port that is not there never succeeds.

    Fails:
        containers:
          - name: a
            ports: [{containerPort: 8080, name: http}]
            readinessProbe: {httpGet: {port: htpp}}
    Passes with: containers: [{name: a, readinessProbe: {httpGet: {port: http}}}]
    """
    for container in pod.containers() if pod.ports is not None else ():
        known = [name.text for item in container.each("ports") if (name := item.get("name"))]
        unknown: dict[str, list[Field]] = {}
        for port in _asked_ports(container):
            is_name = is_port_name(port.text)  # another rule finds what can be none
            if is_name and port.text not in (*known, *(pod.ports or ())):
                unknown.setdefault(port.text, []).append(port)
        yield from (_unknown_port(container, ports, known) for ports in unknown.values())


def _unknown_port(container: Field, ports: list[Field], known: list[str]) -> Finding:
    """One cause, however many probes of a container ask for the port."""
    name, port = container.get("name"), visible(ports[0].text)
    probes = listed(str(part) for item in ports for part in item.path if part in PROBES)
    whose = f"the container {visible(name.text)!r}" if name else "the container"
    others = f"; it has {listed(known)}" if known else ""
    fix = did_you_mean(nearest(ports[0].text, known)) or f"add a port of this name{others}"
    return ports[0].wrong(f"{whose} has no port {port!r}, which its {probes} would ask", fix)


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
    for container in pod.containers() if pod.ports is not None else ():
        numbers = [item.node.get("containerPort") for item in container.each("ports")]
        known = [node.value for node in numbers if node]
        for port in _asked_ports(container, with_host=False) if known else ():
            number = port.node.value
            if isinstance(number, int) and number not in (*known, *(pod.ports or ())):
                declared = listed(map(str, known))
                message = f"the container declares {declared}, and not the port {number}"
                yield port.wrong(message, "write a port that it declares, or declare this one")


def _asked_ports(container: Field, *, with_host: bool = True) -> Iterator[Field]:
    """The ports that the probes of a container ask.

    Nodes look a name up among the container's own ports even if the probe goes to another host.
    """
    for probe in container.present(PROBES):
        for way in probe.present(("httpGet", "tcpSocket", "grpc")):
            if (port := way.get("port")) and (with_host or not way.get("host")):
                yield port


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
