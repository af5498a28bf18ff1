"""What Knative refuses of a pod, or takes only where it is configured to."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.components import MODE, TRANSFORMER, Component
from renderer.backends.kserve.dialect import KNATIVE
from renderer.backends.kserve.inference_service import PlacelessService
from renderer.backends.kserve.knative_fields import DROPPED_FIELDS, DROPPED_IN_CONTAINERS
from renderer.backends.kserve.rules.knative_pods import (
    KnativePod,
    knative_components,
    knative_pods,
    serving_containers,
)
from renderer.backends.kserve.rules.sources import (
    KNATIVE_SERVING,
    RECONCILERS,
    WEBHOOK,
    name_the_mode,
    setting,
)
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

#: Fields of pods, and the flag of Knative's config-features that allows them.
_FLAGS = {
    "affinity": "podspec-affinity",
    "dnsConfig": "podspec-dnsconfig",
    "dnsPolicy": "podspec-dnspolicy",
    "hostAliases": "podspec-hostaliases",
    "hostIPC": "podspec-hostipc",
    "hostNetwork": "podspec-hostnetwork",
    "hostPID": "podspec-hostpid",
    "initContainers": "podspec-init-containers",
    "nodeSelector": "podspec-nodeselector",
    "priorityClassName": "podspec-priorityclassname",
    "runtimeClassName": "podspec-runtimeclassname",
    "schedulerName": "podspec-schedulername",
    "securityContext": "podspec-securitycontext",
    "shareProcessNamespace": "podspec-shareprocessnamespace",
    "storageUris": "podspec-init-containers",
    "tolerations": "podspec-tolerations",
    "topologySpreadConstraints": "podspec-topologyspreadconstraints",
}
#: The same for kinds of volumes.
VOLUME_FLAGS = {
    "csi": "podspec-volumes-csi",
    "hostPath": "podspec-volumes-hostpath",
    "image": "podspec-volumes-image",
    "persistentVolumeClaim": "podspec-persistent-volume-claim",
}
_VARIABLE_FLAG = "kubernetes.podspec-fieldref"
_CAPABILITIES_FLAG = "kubernetes.containerspec-addcapabilities"
_PROPAGATION_FLAG = "kubernetes.podspec-volumes-mount-propagation"
#: Needed for probes of containers that serve no requests, which are those without a port.
_PROBING_FLAG = "multi-container-probing"
_SIDECAR_PROBES = ("livenessProbe", "readinessProbe")
_ALLOW = "check that the cluster allows it, or use Standard mode"
#: Knative looks whether these are there, even if they say false (observed).
_FALSE_TOO = ("shareProcessNamespace",)
_NEW = "0.2.0"
_OTHERS = ("UDP", "SCTP")
_PORT_NAMES = ("", "http1", "h2c")
_ONE_PORT = "Knative takes one port of all containers together"
_DELETE_PORT = "delete this one, or use Standard mode"
_LONGEST_TIMEOUT, _MOST_REQUESTS = 600, 1000


@rule("KSV260", Severity.ERROR, "InferenceService", since=_NEW)
def knative_services_are_made(service: PlacelessService) -> Iterator[Finding]:
    """KServe 0.19.0 makes nothing of a new service in Knative mode.

    Its webhook takes a service without a status for one in Standard mode, and refuses what the
    controller writes to one whose annotation says Knative (observed). `render` writes that
    annotation always. A service that an older KServe made has its status, and goes on.

    Fails: annotations: {serving.kserve.io/deploymentMode: Knative}
    Passes: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    dialect = service.settings.dialect
    if service.mode == KNATIVE and not dialect.makes_knative_services:
        message = f"KServe {dialect} makes nothing of a new service in Knative mode"
        remedy = f"use Standard mode, or change {setting(service, 'version')}"
        yield Finding(("annotations", MODE), message, remedy)


@rule("KSV180", Severity.WARNING, "InferenceService", stops_platform=True)
def knative_allows_the_field(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode, some fields of pods need a flag of Knative.

    Unless the ConfigMap `config-features` of the cluster allows them, Knative refuses the service
    that KServe makes: node selectors, tolerations, affinity, volumes of claims and others (that a
    claim is the storageUri needs no flag). storageUris are fetched by an init container. Probes of
    containers without a port need a flag beside others that serve (observed). What
    the runtime has in its pod and its containers counts as well.

    Fails: predictor: {nodeSelector: {pool: gpu}}
    Passes with: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    for pod in knative_pods(service):
        for item, flag in _flagged_fields(pod):
            if item.node.value not in ({}, (), False) or item.name in _FALSE_TOO:
                message = f"Knative takes {item.name} only with the flag {flag}"
                yield pod.report(item, item.wrong_key(message, _ALLOW))


def _flagged_fields(pod: KnativePod) -> Iterator[tuple[Field, str]]:
    """What is said that needs a flag, with the flag."""
    yield from ((item, f"kubernetes.{_FLAGS[item.name]}") for item in pod.pod.present(_FLAGS))
    for volume in pod.pod.each("volumes"):
        for item in volume.present(VOLUME_FLAGS):
            yield item, f"kubernetes.{VOLUME_FLAGS[item.name]}"
    for container in pod.containers:
        for variable in container.each("env"):
            there = (variable.get("valueFrom", key) for key in ("fieldRef", "resourceFieldRef"))
            yield from ((item, _VARIABLE_FLAG) for item in there if item)
        if added := container.get("securityContext", "capabilities", "add"):
            yield added, _CAPABILITIES_FLAG
        for mount in container.each("volumeMounts"):
            yield from ((item, _PROPAGATION_FLAG) for item in mount.present(("mountPropagation",)))
        if pod.is_sidecar(container):
            yield from ((item, _PROBING_FLAG) for item in container.present(_SIDECAR_PROBES))


@rule("KSV181", Severity.WARNING, "InferenceService")
def knative_knows_the_field(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode, pods have no fields that a Knative Service does not have.

    They are dropped without a word (observed for lifecycle, stdin, terminationGracePeriodSeconds,
    profiles of AppArmor and others; some, such as nodeName, inferred from Knative's CRD).

    Fails: predictor: {terminationGracePeriodSeconds: 60}
    Passes with: annotations: {serving.kserve.io/deploymentMode: Standard}
    """
    for component in knative_components(service):
        found = component.field.present(DROPPED_FIELDS)
        for container in serving_containers(component):
            found += (item for path in DROPPED_IN_CONTAINERS for item in _nested(container, path))
        for item in found:
            if item.node.value not in ({}, (), False, ""):
                message = f"a Knative Service has no {item.name}: it is dropped"
                yield item.wrong_key(message, "delete it, or use Standard mode")


def _nested(field: Field, path: tuple[str, ...]) -> Iterator[Field]:
    """The fields at a path, which goes on in every item of a list."""
    if not path:
        yield field
    elif isinstance(field.node.value, tuple):
        for item in field.each():
            yield from _nested(item, path)
    elif found := field.get(path[0]):
        yield from _nested(found, path[1:])


@rule("KSV182", Severity.ERROR, "InferenceService")
def knative_has_one_port(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode a component has one port, without a name or called http1 or h2c.

    Knative refuses others: it serves one port, and takes the protocol from its name. Of several
    containers, one must have it (observed): the runtimes that KServe ships bring none.

    Fails:
        predictor:
          containers:
            - {name: kserve-container, ports: [{containerPort: 8080}, {containerPort: 9000}]}
    Passes:
        predictor:
          containers: [{name: kserve-container, ports: [{containerPort: 8080, name: h2c}]}]
    """
    for component in knative_components(service):
        below = _runtime_ports(component, service)
        ports = [port for item in serving_containers(component) for port in item.each("ports")]
        others = [port for port in ports if _key(port.node) not in below] if below else ports[1:]
        for port in others:
            message = f"{_ONE_PORT}, and the runtime has {below[0][0]}" if below else _ONE_PORT
            yield port.wrong(message, _DELETE_PORT)
        yield from (found for port in ports[:1] for _, found in _port_faults(port))
        several = len(list(serving_containers(component))) > 1
        if several and below is not None and not ports and not below:
            path = (*component.path, "containers")
            message = "of several containers, none says at which port Knative sends requests"
            yield Finding(path, message, "add ports to the one that serves", at_key=True)
    for pod in (item for item in knative_pods(service) if item.place):
        ports = [port for container in pod.containers for port in container.each("ports")]
        for port in ports[1:]:
            yield pod.report(port._replace(path=("ports",)), port.wrong(_ONE_PORT, _DELETE_PORT))
        for port in ports[:1]:
            yield from (pod.report(*found) for found in _port_faults(port))


def _port_faults(port: Field) -> Iterator[tuple[Field, Finding]]:
    """What Knative refuses of the port that it sends requests to."""
    name, protocol = port.get("name"), port.get("protocol")
    if name and name.text not in _PORT_NAMES:
        fix = f"write {listed(_PORT_NAMES[1:], 'or')}, or no name, or use Standard mode"
        yield name, name.wrong(f"Knative takes no port called {name.text!r}", fix)
    if protocol and protocol.text in _OTHERS:
        found = protocol.wrong(
            f"Knative takes no port of {protocol.text}", "write TCP, or delete it"
        )
        yield protocol, found._replace(since=_NEW)


def _runtime_ports(component: Component, service: PlacelessService) -> list[tuple[str, str]] | None:
    """The ports that a component gets from its runtime; nothing if they are not known."""
    if component is not service.predictor or service.model is None:
        return []
    below = service.runtime_container
    return [_key(port) for port in elements(below, "ports")] if below else None


def _key(port: Node) -> tuple[str, str]:
    """The fields by which Kubernetes merges ports."""
    return text(port, "containerPort"), text(port, "protocol") or "TCP"


@rule("KSV183", Severity.WARNING, "InferenceService", stops_platform=True)
def knative_allows_the_number(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode, `timeout` is at most 600 and `containerConcurrency` at most 1000.

    These are Knative's bounds unless its ConfigMap `config-defaults` has others; it refuses the
    service that KServe makes if they are exceeded. The variables of Knative are
    max-revision-timeout-seconds and container-concurrency-max-limit.

    Fails: predictor: {timeout: 900}
    Passes: predictor: {timeout: 600}
    """
    for component in knative_components(service):
        bounds = {"timeout": _LONGEST_TIMEOUT, "containerConcurrency": _MOST_REQUESTS}
        for key, most in bounds.items():
            given = component.number(key)
            if given is not None and given > most:
                message = f"{given} is more than Knative takes unless it is configured to"
                fix = f"write {most} or less, or check that the cluster takes more"
                yield Finding((*component.path, key), message, fix)


@rule("KSV184", Severity.ERROR, "InferenceService")
def timeout_is_not_negative(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode a `timeout` is not below 0.

    KServe takes any number; Knative refuses the service that KServe makes.

    Fails: predictor: {timeout: -1}
    Passes: predictor: {timeout: 60}
    """
    for component in knative_components(service):
        given = component.number("timeout")
        if given is not None and given < 0:
            message = f"timeout is {given}, less than 0"
            yield Finding((*component.path, "timeout"), message, "write seconds, or delete it")


@rule("KSV377", Severity.WARNING, "InferenceService", since="0.2.0")
def transformer_waits_for_the_predictor(service: PlacelessService) -> Iterator[Finding]:
    """In Knative mode, the `timeout` of a transformer is not below that of the predictor.

    Requests go through both: the first gives up while the second still works on an answer.

    Fails:
        predictor: {timeout: 60}
        transformer: {timeout: 10, containers: [{name: kserve-container}]}
    Passes with: transformer: {timeout: 60}
    """
    transformer = service.component(TRANSFORMER)
    if service.mode != KNATIVE or transformer is None:
        return
    first, second = transformer.number("timeout"), service.predictor.number("timeout")
    if first and second and first < second:
        message = (
            f"the transformer gives up after {first} s, and the predictor works up to {second}"
        )
        yield Finding((*transformer.path, "timeout"), message, f"write {second} or more")


RULES = (
    *rules_with_source(
        (
            *name_the_mode(
                (
                    knative_allows_the_field,
                    knative_knows_the_field,
                    knative_has_one_port,
                    knative_allows_the_number,
                )
            ),
            timeout_is_not_negative,
        ),
        KNATIVE_SERVING,
    ),
    *rules_with_source(name_the_mode((knative_services_are_made,)), WEBHOOK),
    *rules_with_source(name_the_mode((transformer_waits_for_the_predictor,)), RECONCILERS),
)
