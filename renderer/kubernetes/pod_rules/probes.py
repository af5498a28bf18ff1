"""The probes of containers: how they ask, and whom."""

from collections.abc import Iterator

from renderer.kubernetes.names import is_header_name
from renderer.kubernetes.pods import POD, PROBES, SOURCE, Field, Pod
from renderer.text.wording import listed, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

HANDLERS = ("httpGet", "tcpSocket", "exec", "grpc")
_PORT_HANDLERS = ("httpGet", "tcpSocket", "grpc")
_LAST_PORT = 65535


def drop_partial_probes(container: Node) -> Node:
    """A container without probes that have no handler: another layer may bring it."""
    kept = {
        key: node
        for key, node in container.items.items()
        if key not in PROBES or any(name in node.items for name in HANDLERS)
    }
    return container.with_members(kept)


@rule("MAN111", Severity.ERROR, POD)
def probes_ask_a_port(pod: Pod) -> Iterator[Finding]:
    """A probe that asks a number asks one from 1 to 65535.

    Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, livenessProbe: {tcpSocket: {port: 0}}}]
    Passes: containers: [{name: a, livenessProbe: {exec: {command: [cat, /tmp/ready]}}}]
    """
    for probe in every_probe(pod):
        for handler in probe.present(_PORT_HANDLERS):
            port = handler.get("port")
            number = port.node.value if port else None
            if port and isinstance(number, int) and not is_port_number(number):
                fix = "write one from 1 to 65535"
                yield port.wrong(f"{number} is not a port number", fix)


@rule("MAN112", Severity.ERROR, POD)
def probes_send_headers(pod: Pod) -> Iterator[Finding]:
    """The name of a header that a probe sends has letters, digits and `-` only.

    Kubernetes refuses the pod otherwise.

    Fails:
        containers:
          - name: a
            livenessProbe: {httpGet: {port: 8080, httpHeaders: [{name: X_Probe, value: a}]}}
    Passes with:
        containers:
          - {name: a, livenessProbe: {httpGet: {httpHeaders: [{name: X-Probe, value: a}]}}}
    """
    for probe in every_probe(pod):
        for header in probe.each("httpGet", "httpHeaders"):
            name = header.get("name")
            if name and not is_header_name(name.text):
                message = f"{visible(name.text)!r} cannot be the name of a header"
                yield name.wrong(message, "write letters, digits and '-'")


@rule("MAN153", Severity.ERROR, POD)
def probes_have_one_handler(pod: Pod) -> Iterator[Finding]:
    """A probe asks in exactly one way: httpGet, tcpSocket, exec or grpc.

    Kubernetes refuses the pod otherwise (observed).

    Fails: containers: [{name: a, livenessProbe: {httpGet: {port: 8080}, tcpSocket: {port: 8080}}}]
    Passes: containers: [{name: a, livenessProbe: {httpGet: {port: 8080}}}]
    """
    for probe in every_probe(pod):
        yield from one_handler(probe)


@rule("MAN154", Severity.ERROR, POD)
def probes_count_as_their_kind_does(pod: Pod) -> Iterator[Finding]:
    """Only a readiness probe counts successes, and it grants no time to end.

    A single success is enough for livenessProbe and startupProbe, and a readinessProbe ends no
    container. Kubernetes refuses the pod otherwise (observed).

    Fails: containers: [{name: a, livenessProbe: {tcpSocket: {port: 8080}, successThreshold: 2}}]
    Passes: containers: [{name: a, readinessProbe: {tcpSocket: {port: 8080}, successThreshold: 2}}]
    """
    for probe in every_probe(pod):
        yield from counts_and_grace(probe)


def is_port_number(number: int) -> bool:
    return 1 <= number <= _LAST_PORT


def every_probe(pod: Pod) -> Iterator[Field]:
    for container in pod.containers():
        yield from container.present(PROBES)


def one_handler(probe: Field) -> Iterator[Finding]:
    """Whether a probe asks in exactly one way."""
    ways = probe.present(HANDLERS)
    names = [way.name for way in ways]
    if len(ways) > 1:
        message = f"the probe asks by {listed(names)}, and may ask in one way only"
        yield ways[1].wrong_key(message, "delete one of them")
    elif not ways:
        fix = f"add {listed(HANDLERS, 'or')}"
        yield probe.wrong_key("the probe does not say what to ask", fix)
    elif names == ["exec"] and not list(probe.each("exec", "command")):
        fix = "write the program and its arguments"
        yield ways[0].wrong_key("the probe has no command", fix)


def counts_and_grace(probe: Field) -> Iterator[Finding]:
    """Whether only a readiness probe counts successes, and grants no time to end."""
    is_readiness = probe.name == "readinessProbe"
    wanted, grace = probe.get("successThreshold"), probe.get("terminationGracePeriodSeconds")
    if not is_readiness and wanted and wanted.node.value not in (0, 1):  # 0 is the default of 1
        message = f"the successThreshold of a {probe.name} must be 1"
        yield wanted.wrong(message, "write 1, or delete it")
    if is_readiness and grace:
        message = "a readinessProbe ends no container, and so grants it no time"
        yield grace.wrong_key(message, "delete it")


RULES = rules_with_source(
    (
        probes_ask_a_port,
        probes_send_headers,
        probes_have_one_handler,
        probes_count_as_their_kind_does,
    ),
    SOURCE,
)
