"""The containers of a pod: their names, and those of their ports."""

from collections.abc import Iterable, Iterator

from renderer.kubernetes.names import PORT_NAME, is_port_name
from renderer.kubernetes.pods import POD, SOURCE, Field, Pod
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, sourced


@rule("MAN150", Severity.ERROR, POD)
def containers_have_their_own_names(pod: Pod) -> Iterator[Finding]:
    """The name of a container stands once in its pod.

    Kubernetes refuses the pod otherwise (observed), also if one of the two is an init container.

    Fails:

        containers: [{name: a}, {name: b}, {name: b}]

    Passes:

        containers: [{name: a}, {name: b}, {name: c}]
    """
    yield from names_twice(pod.containers(), "container")


@rule("MAN151", Severity.ERROR, POD)
def ports_have_names_that_fit(pod: Pod) -> Iterator[Finding]:
    """The name of a port has at most 15 small letters, digits and single dashes.

    At least one of them is a letter, and no dash stands at an end. Kubernetes refuses the pod
    otherwise (observed).

    Fails:

        containers:
          - name: a
            ports: [{containerPort: 8080, name: HTTP}]

    Passes:

        containers:
          - name: a
            ports: [{containerPort: 8080, name: http}]
    """
    for container in pod.containers():
        for port in container.each("ports"):
            name = port.get("name")
            if name and name.text and not is_port_name(name.text):
                message = f"{visible(name.text)!r} cannot be the name of a port"
                yield name.wrong(message, f"write {PORT_NAME}")


@rule("MAN152", Severity.ERROR, POD)
def ports_have_their_own_names(pod: Pod) -> Iterator[Finding]:
    """The name of a port stands once in its container.

    Kubernetes refuses the pod otherwise.

    Fails:

        containers:
          - name: a
            ports: [{containerPort: 8080, name: http}, {containerPort: 9000, name: http}]

    Passes:

        containers:
          - name: a
            ports: [{containerPort: 8080, name: http}, {containerPort: 9000, name: grpc}]
    """
    for container in pod.containers():
        yield from names_twice(container.each("ports"), "port")


def names_twice(items: Iterable[Field], what: str) -> Iterator[Finding]:
    """Those of some items whose name another one has already."""
    seen: set[str] = set()
    for item in items:
        name = item.get("name")
        if name and name.text and name.text in seen:
            message = f"a second {what} is called {visible(name.text)!r}"
            yield name.wrong(message, "rename or delete one of the two")
        seen.add(name.text if name else "")


RULES = sourced(
    (containers_have_their_own_names, ports_have_names_that_fit, ports_have_their_own_names),
    SOURCE,
)
