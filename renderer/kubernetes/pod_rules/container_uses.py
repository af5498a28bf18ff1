"""What containers use of their pod: claims, devices, files, and time to end."""

from collections.abc import Iterator

from renderer.kubernetes.downward_api import AMOUNTS, divides, is_amount
from renderer.kubernetes.pod_rules.hosts import is_true
from renderer.kubernetes.pods import POD, SOURCE, Field, Pod
from renderer.kubernetes.versions import FILE_KEYS, RESOURCE_CLAIMS
from renderer.text.wording import did_you_mean, listed, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_GRACE = 30
_CLAIMED = ("persistentVolumeClaim", "ephemeral")


@rule("MAN182", Severity.ERROR, POD, reads=("volumes",), since="0.2.0")
def devices_are_claims(pod: Pod) -> Iterator[Finding]:
    """A device is a volume of the pod that is claimed, and not mounted as well.

    Kubernetes refuses the pod otherwise.

    Fails:
        containers: [{name: a, volumeDevices: [{name: b, devicePath: /dev/b}]}]
        volumes: [{name: b, emptyDir: {}}]
    Passes with: volumes: [{name: b, persistentVolumeClaim: {claimName: b}, emptyDir: null}]
    """
    volumes = _volumes(pod)
    for container in pod.containers():
        mounts = list(container.each("volumeMounts"))
        names = {name.text for item in mounts if (name := item.get("name"))}
        paths = {path.text for item in mounts if (path := item.get("mountPath"))}
        seen: set[str] = set()
        for device in container.each("volumeDevices"):
            name, path = device.get("name"), device.get("devicePath")
            if name and name.text:
                yield from _device(name, volumes.get(name.text), pod)
                if name.text in names | seen:
                    message = f"{visible(name.text)!r} is used in this container already"
                    yield name.wrong(message, "delete one of the two")
                seen.add(name.text)
            if path and path.text in paths:
                yield path.wrong("something is mounted at this path already", "write another one")


def _device(name: Field, volume: Field | None, pod: Pod) -> Iterator[Finding]:
    if volume is None:
        if pod.volumes is not None and name.text not in pod.volumes:
            fix = did_you_mean(nearest(name.text, sorted(_volumes(pod)))) or "add it to volumes"
            yield name.wrong(f"the pod has no volume {visible(name.text)!r}", fix)
    elif not volume.present(_CLAIMED):
        message = f"the volume {visible(name.text)!r} is no device: it is not claimed"
        yield name.wrong(message, f"make it a {listed(_CLAIMED, 'or')} volume")


def _volumes(pod: Pod) -> dict[str, Field]:
    return {name.text: item for item in pod.spec.each("volumes") if (name := item.get("name"))}


@rule("MAN183", Severity.ERROR, POD, reads=("resourceClaims",), since="0.2.0")
def claims_are_of_the_pod(pod: Pod) -> Iterator[Finding]:
    """What a container claims is among the resource claims of its pod, and claimed once.

    Kubernetes refuses the pod otherwise; before 1.34 it leaves claims out.

    Fails: containers: [{name: a, resources: {claims: [{name: gpu}]}}]
    Passes with: resourceClaims: [{name: gpu, resourceClaimName: gpu}]
    """
    if max(pod.versions) < RESOURCE_CLAIMS:
        return
    known = [name.text for item in pod.spec.each("resourceClaims") if (name := item.get("name"))]
    for container in pod.containers():
        whole: set[str] = set()
        for claim in container.each("resources", "claims"):
            name, request = claim.get("name"), claim.get("request")
            if name and name.text and name.text not in known:
                fix = did_you_mean(nearest(name.text, known)) or "add it to resourceClaims"
                yield name.wrong(f"the pod has no claim {visible(name.text)!r}", fix)
            elif name and name.text in whole:
                message = f"all of {visible(name.text)!r} is claimed already"
                yield name.wrong(message, "delete one of the two")
            if name and not (request and request.text):
                whole.add(name.text)
    whole_pod = pod.spec.get("resources", "claims")
    if whole_pod:
        yield whole_pod.wrong_key("a pod as a whole claims nothing", "move it to a container")


@rule("MAN184", Severity.ERROR, POD, reads=("volumes",), since="0.2.0")
def files_of_variables_are_shared(pod: Pod) -> Iterator[Finding]:
    """A file that gives a variable is in an emptyDir of the pod.

    Kubernetes refuses the pod otherwise; before 1.35 it knows no such files.

    Fails:
        containers:
          - name: a
            env: [{name: A, valueFrom: {fileKeyRef: {volumeName: b, path: c, key: A}}}]
    Passes with: volumes: [{name: b, emptyDir: {}}]
    """
    volumes = _volumes(pod)
    for variable in pod.container_items("env") if max(pod.versions) >= FILE_KEYS else ():
        name = variable.get("valueFrom", "fileKeyRef", "volumeName")
        if not name or not name.text or pod.volumes is None:
            continue
        volume = volumes.get(name.text)
        if volume is None and name.text not in pod.volumes:
            yield name.wrong(f"the pod has no volume {visible(name.text)!r}", "add it to volumes")
        elif volume is not None and not volume.get("emptyDir"):
            message = f"the volume {visible(name.text)!r} is no emptyDir"
            yield name.wrong(message, "name one that is")


@rule("MAN185", Severity.ERROR, POD, since="0.2.0")
def mounts_reach_the_node_with_rights(pod: Pod) -> Iterator[Finding]:
    """Only a privileged container shows its mounts to the node.

    Kubernetes refuses the pod otherwise.

    Fails:
        containers:
          - {name: a, volumeMounts: [{name: b, mountPath: /b, mountPropagation: Bidirectional}]}
        volumes: [{name: b, hostPath: {path: /b}}]
    Passes with:
        containers:
          - {name: a, volumeMounts: [{mountPath: /b, mountPropagation: HostToContainer}]}
    """
    for container in pod.containers():
        if is_true(container.get("securityContext", "privileged")):
            continue
        for mount in container.each("volumeMounts"):
            way = mount.get("mountPropagation")
            if way and way.text == "Bidirectional":
                message = "only a privileged container shows its mounts to the node"
                yield way.wrong(message, "write HostToContainer, or securityContext.privileged")


@rule("MAN186", Severity.ERROR, POD, since="0.2.0")
def handlers_sleep_within_the_grace_period(pod: Pod) -> Iterator[Finding]:
    """A handler sleeps no longer than the pod has time to end.

    That is `terminationGracePeriodSeconds`, 30 if it says nothing. Kubernetes refuses the pod
    otherwise.

    Fails: containers: [{name: a, lifecycle: {preStop: {sleep: {seconds: 60}}}}]
    Passes with: terminationGracePeriodSeconds: 90
    """
    most = grace_period(pod)
    for container in pod.containers():
        for key in ("postStart", "preStop"):
            seconds = container.get("lifecycle", key, "sleep", "seconds")
            value = seconds.node.value if seconds else 0
            if seconds and isinstance(value, int) and value > most:
                message = f"the handler sleeps {value} seconds, and the pod has {most} to end"
                yield seconds.wrong(message, "sleep less, or raise terminationGracePeriodSeconds")


def grace_period(pod: Pod) -> int:
    """How many seconds a pod has to end."""
    grace = pod.spec.get("terminationGracePeriodSeconds")
    return grace.node.value if grace and isinstance(grace.node.value, int) else _GRACE


@rule("MAN187", Severity.ERROR, POD, since="0.2.0")
def files_of_volumes_take_known_amounts(pod: Pod) -> Iterator[Finding]:
    """A file of a volume that holds a request or limit names one that exists, in a valid unit.

    Kubernetes refuses the pod otherwise.

    Fails:
        volumes:
          - name: b
            downwardAPI:
              items: [{path: c, resourceFieldRef: {containerName: a, resource: limits.gpu}}]
    Passes:
        volumes:
          - name: b
            downwardAPI:
              items: [{path: c, resourceFieldRef: {containerName: a, resource: limits.cpu}}]
    """
    for file in _downward_files(pod):
        amount = file.get("resourceFieldRef", "resource")
        unit = file.get("resourceFieldRef", "divisor")
        if amount and amount.text and not is_amount(amount.text):
            message = f"there is no request or limit {visible(amount.text)!r}"
            yield amount.wrong(message, f"write {listed(AMOUNTS, 'or')}")
        elif amount and unit and not divides(str(unit.node.value), amount.text):
            message = f"{amount.text} is not given in units of {unit.node.value}"
            yield unit.wrong(message, "write 1")


def _downward_files(pod: Pod) -> Iterator[Field]:
    for volume in pod.spec.each("volumes"):
        yield from volume.each("downwardAPI", "items")
        for source in volume.each("projected", "sources"):
            yield from source.each("downwardAPI", "items")


@rule("MAN188", Severity.ERROR, POD, since="0.2.0")
def projected_files_are_written_once(pod: Pod) -> Iterator[Finding]:
    """No two sources of a projected volume write the same file.

    Kubernetes refuses the pod otherwise.

    Fails:
        volumes:
          - name: b
            projected:
              sources:
                - {secret: {name: c, items: [{key: d, path: e}]}}
                - {configMap: {name: c, items: [{key: d, path: e}]}}
    Passes:
        volumes:
          - name: b
            projected:
              sources:
                - {secret: {name: c, items: [{key: d, path: e}]}}
                - {configMap: {name: c, items: [{key: d, path: f}]}}
    """
    for volume in pod.spec.each("volumes"):
        seen: set[str] = set()
        for source in volume.each("projected", "sources"):
            for path in _written_files(source):
                if path.text and path.text in seen:
                    message = f"another source writes the file {visible(path.text)!r}"
                    yield path.wrong(message, "write another path")
                seen.add(path.text)


def _written_files(source: Field) -> Iterator[Field]:
    for key in ("secret", "configMap", "downwardAPI"):
        for item in source.each(key, "items"):
            yield from item.present(("path",))
    for key, names in (
        ("clusterTrustBundle", ("path",)),
        ("podCertificate", ("credentialBundlePath", "keyPath", "certificateChainPath")),
    ):
        if written := source.get(key):
            yield from written.present(names)


RULES = rules_with_source(
    (
        devices_are_claims,
        claims_are_of_the_pod,
        files_of_variables_are_shared,
        mounts_reach_the_node_with_rights,
        handlers_sleep_within_the_grace_period,
        files_of_volumes_take_known_amounts,
        projected_files_are_written_once,
    ),
    SOURCE,
)
