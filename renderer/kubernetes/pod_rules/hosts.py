"""What a pod shares with its node, and what it says for one operating system alone."""

from collections.abc import Iterable, Iterator

from renderer.kubernetes.pods import POD, SOURCE, Field, Pod
from renderer.kubernetes.versions import HOSTNAME_OVERRIDES
from renderer.text.wording import listed, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SHARED = ("hostNetwork", "hostPID", "hostIPC")
_SEMAPHORES = frozenset(
    f"kernel.{name}"
    for name in (
        "sem", "shm", "shmall", "shmmax", "shmmni", "shm_rmid_forced",
        "msg", "msgmax", "msgmnb", "msgmni",
    )
)  # fmt: skip
_LINUX_FIELDS = (
    "appArmorProfile", "seLinuxOptions", "seccompProfile", "runAsUser", "runAsGroup",
    "fsGroup", "fsGroupChangePolicy", "sysctls", "supplementalGroups",
    "supplementalGroupsPolicy", "seLinuxChangePolicy", "capabilities", "readOnlyRootFilesystem",
    "privileged", "allowPrivilegeEscalation", "procMount",
)  # fmt: skip
_PODS_OF_LINUX = ("hostUsers", "hostPID", "hostIPC", "shareProcessNamespace", "resources")


def is_true(field: Field | None) -> bool:
    return field is not None and field.node.value is True


@rule("MAN174", Severity.ERROR, POD, since="0.2.0")
def what_is_shared_does_not_contradict(pod: Pod) -> Iterator[Finding]:
    """A pod that asks for its own users, processes or name does not share those of the node.

    Users of its own (`hostUsers: false`) go with no network, processes or memory of the node,
    processes that containers share are not those of the node, and a name of one's own goes with no
    other. Kubernetes refuses the pod otherwise.

    Fails:
        hostUsers: false
        hostPID: true
    Passes: hostUsers: false
    """
    spec = pod.spec
    users, processes = spec.get("hostUsers"), spec.get("shareProcessNamespace")
    if users and users.node.value is False:
        for field in spec.present(_SHARED):
            if is_true(field):
                yield field.wrong(
                    f"{field.name} contradicts hostUsers: false", "delete one of the two"
                )
        if max(pod.versions) >= (1, 36):
            for container in pod.containers():
                for devices in container.present(("volumeDevices",)):
                    message = "volumeDevices contradict hostUsers: false"
                    yield devices.wrong_key(message, "delete one of the two")
    if processes and is_true(processes) and is_true(spec.get("hostPID")):
        yield processes.wrong("shareProcessNamespace contradicts hostPID", "delete one of the two")
    name = spec.get("hostnameOverride")
    for key in (
        ("setHostnameAsFQDN", "hostNetwork") if max(pod.versions) >= HOSTNAME_OVERRIDES else ()
    ):
        if name and is_true(spec.get(key)):
            yield name.wrong_key(f"hostnameOverride contradicts {key}", "delete one of the two")


@rule("MAN175", Severity.ERROR, POD, since="0.2.0")
def ports_of_the_node_fit(pod: Pod) -> Iterator[Finding]:
    """A port of the node is taken once, and in the network of the node it is that of the container.

    Kubernetes refuses the pod otherwise.

    Fails:
        containers: [{name: a, ports: [{containerPort: 80, hostPort: 8080}]}]
        hostNetwork: true
    Passes with: containers: [{name: a, ports: [{containerPort: 80, hostPort: 80}]}]
    """
    containers = (*pod.spec.each("containers"), *pod.others)
    yield from _taken_twice(containers)
    for container in containers:
        for port in container.each("ports") if is_true(pod.spec.get("hostNetwork")) else ():
            outer, inner = port.get("hostPort"), port.get("containerPort")
            if outer and inner and outer.node.value not in (0, inner.node.value):
                message = (
                    f"in the network of the node, hostPort is the containerPort {inner.node.value}"
                )
                yield outer.wrong(message, f"write {inner.node.value}, or delete it")
    for container in pod.spec.each("initContainers"):
        yield from _taken_twice([container])


def _taken_twice(containers: Iterable[Field]) -> Iterator[Finding]:
    """Ports of the node that containers which run at the same time ask for twice."""
    seen: set[tuple[object, ...]] = set()
    for port in (port for container in containers for port in container.each("ports")):
        outer = port.get("hostPort")
        if not outer or not outer.node.value:
            continue
        given = (port.node.get("protocol"), port.node.get("hostIP"))
        protocol, address = (node.value if node else "" for node in given)
        key = (protocol or "TCP", address, outer.node.value)
        if key in seen:
            message = f"the port {outer.node.value} of the node is taken already"
            yield outer.wrong(message, "write another one, or delete it")
        seen.add(key)


@rule("MAN176", Severity.ERROR, POD, since="0.2.0")
def fields_are_of_the_operating_system(pod: Pod) -> Iterator[Finding]:
    """A pod that names its operating system says nothing that another one has.

    Kubernetes refuses the pod otherwise.

    Fails:
        containers: [{name: a, securityContext: {windowsOptions: {runAsUserName: app}}}]
        os: {name: linux}
    Passes with: os: {name: windows}
    """
    system = pod.spec.get("os", "name")
    if system is None or system.text not in ("linux", "windows"):
        return
    foreign = ("windowsOptions",) if system.text == "linux" else _LINUX_FIELDS
    contexts = [holder.get("securityContext") for holder in (pod.spec, *pod.containers())]
    found = [field for context in contexts if context for field in context.present(foreign)]
    if system.text == "windows":
        found += (field for field in pod.spec.present(_PODS_OF_LINUX) if field.node.value)
    for field in found:
        message = f"a pod with os.name {system.text} has no {field.name}"
        yield field.wrong_key(message, "delete it, or write another os.name")


@rule("MAN177", Severity.ERROR, POD, since="0.2.0")
def kernel_parameters_are_of_the_pod(pod: Pod) -> Iterator[Finding]:
    """A pod sets no kernel parameters of a network or of memory that it shares with the node.

    Kubernetes refuses the pod otherwise.

    Fails:
        hostNetwork: true
        securityContext: {sysctls: [{name: net.core.somaxconn, value: "1024"}]}
    Passes with: hostNetwork: null
    """
    for item in pod.spec.each("securityContext", "sysctls"):
        name = item.get("name")
        holder = _shared_by(name.text) if name else ""
        if name and holder and is_true(pod.spec.get(holder)):
            message = f"{visible(name.text)!r} is the node's, as {holder} is true"
            yield name.wrong(message, f"delete it, or {holder}")


def _shared_by(parameter: str) -> str:
    """The field by which a parameter is that of the node."""
    first = next((c for c in parameter if c in "./"), ".")
    dotted = parameter if first == "." else parameter.translate(str.maketrans("./", "/."))
    if dotted.startswith("net."):
        return "hostNetwork"
    return "hostIPC" if dotted in _SEMAPHORES or dotted.startswith("fs.mqueue.") else ""


@rule("MAN178", Severity.ERROR, POD, since="0.2.0")
def processes_of_the_host_are_all(pod: Pod) -> Iterator[Finding]:
    """In Windows, either all containers of a pod are processes of the host or none.

    Kubernetes refuses the pod otherwise, wherever it would run.

    Fails:
        containers:
          - {name: a, securityContext: {windowsOptions: {hostProcess: true}}}
          - {name: b, image: 'example/b:v1'}
        hostNetwork: true
    Passes with: containers: [{name: b, securityContext: {windowsOptions: {hostProcess: true}}}]
    """
    keys = ("securityContext", "windowsOptions", "hostProcess")
    whole = pod.spec.get(*keys)
    given = [(container, container.get(*keys)) for container in pod.containers()]
    for _, field in given:
        if whole and field and field.node.value != whole.node.value:
            yield field.wrong("hostProcess of the pod says otherwise", "delete one of the two")
    chosen = [is_true(field or whole) for _, field in given]
    if any(chosen) and not all(chosen):
        names = [str(node.value) for item, _ in given if (node := item.node.get("name"))]
        field = next(field for _, field in given if is_true(field or whole)) or whole
        if field:
            message = f"either all of {listed(names)} are processes of the host, or none"
            yield field.wrong(message, "write hostProcess: true in securityContext of the pod")
    if whole and is_true(whole) and not is_true(pod.spec.get("hostNetwork")):
        yield whole.wrong("a process of the host takes the network of the host", "delete it")


RULES = rules_with_source(
    (
        what_is_shared_does_not_contradict,
        ports_of_the_node_fit,
        fields_are_of_the_operating_system,
        kernel_parameters_are_of_the_pod,
        processes_of_the_host_are_all,
    ),
    SOURCE,
)
