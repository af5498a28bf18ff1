"""The containers of a pod: their names, and those of their ports."""

from collections.abc import Iterable, Iterator

from renderer.kubernetes.names import PORT_NAME, is_port_name
from renderer.kubernetes.pods import DEPLOYMENT, POD, SOURCE, Field, Pod
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: The keys that distinguish the items of lists, and what an item that does not say it has.
_KEYS = {
    "claims": ("name", "request"),
    "env": ("name",),
    "hostAliases": ("ip",),
    "imagePullSecrets": ("name",),
    "ports": ("containerPort", "protocol"),
    "resourceClaims": ("name",),
}
_DEFAULTS = {"ports": "TCP"}


@rule("MAN150", Severity.ERROR, POD)
def containers_have_their_own_names(pod: Pod) -> Iterator[Finding]:
    """The name of a container stands once in its pod.

    Kubernetes refuses the pod otherwise (observed), also if one of the two is an init container.

    Fails: containers: [{name: b, image: 'example/b:v1'}, {name: b, image: 'example/b:v1'}]
    Passes: containers: [{name: b, image: 'example/b:v1'}, {name: c, image: 'example/b:v1'}]
    """
    yield from names_twice(pod.containers(), "container")


@rule("MAN151", Severity.ERROR, POD)
def ports_have_names_that_fit(pod: Pod) -> Iterator[Finding]:
    """The name of a port has at most 15 small letters, digits and single dashes.

    At least one of them is a letter, and no dash stands at an end. Kubernetes refuses the pod
    otherwise (observed).

    Fails: containers: [{name: a, ports: [{containerPort: 8080, name: HTTP}]}]
    Passes: containers: [{name: a, ports: [{containerPort: 8080, name: http}]}]
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
    Passes with: containers: [{name: a, ports: [{containerPort: 9000, name: grpc}]}]
    """
    for container in pod.containers():
        yield from names_twice(container.each("ports"), "port")


@rule("MAN196", Severity.ERROR, POD, since="0.2.0")
def pods_have_containers_with_images(pod: Pod) -> Iterator[Finding]:
    """A pod has a container, and each of its containers an image.

    Kubernetes refuses the pod otherwise. What platforms fill in is left to their own rules.

    Fails: containers: [{name: b, image: ""}]
    Passes: containers: [{name: b, image: 'example/b:v1'}]
    """
    listing = pod.spec.get("containers")
    if pod.is_applied and not listing:
        yield pod.spec.wrong_key("the pod has no containers", "add containers")
    is_known = pod.maker != DEPLOYMENT or pod.is_applied
    if listing and not listing.node.elements and is_known:
        yield listing.wrong_key("the pod has no containers", "add one")
    for container in (*pod.spec.each("containers"), *pod.spec.each("initContainers")):
        image = container.get("image")
        if image and image.node.value == "":
            yield image.wrong("the container has no image", "add image, as in example/server:v1")
        elif not image and pod.is_applied:
            yield container.wrong("the container has no image", "add image")


@rule("MAN199", Severity.ERROR, POD, since="0.2.0")
def keyed_lists_have_keys_once(pod: Pod) -> Iterator[Finding]:
    """No two items of a list have the key by which its items are told apart.

    In an object of a platform, these are names of variables and claims, numbers of ports with their
    protocols, names of pull secrets and addresses of hosts, as far as its schema says so. The API
    server refuses the object (observed), though it would take the pod.

    Fails:
        containers:
          - {name: a, ports: [{containerPort: 8080}, {containerPort: 8080, name: http}]}
    Passes:
        containers:
          - name: a
            ports: [{containerPort: 8080}, {containerPort: 8080, name: http, protocol: UDP}]
    """
    for name in sorted(pod.keyed_lists):
        for holder in (pod.spec, *pod.containers()):
            yield from _keys_twice(list(holder.each(*name.split("."))), name.rpartition(".")[2])


def _keys_twice(items: list[Field], name: str) -> Iterator[Finding]:
    seen: set[tuple[object, ...]] = set()
    for item in items:
        fields = [item.node.get(key) for key in _KEYS[name]]
        values = tuple(node.value if node else _DEFAULTS.get(name) for node in fields)
        first = item.get(_KEYS[name][0])
        if first and values in seen:
            message = f"a second item of {name} has the {_KEYS[name][0]} {first.node.value!r}"
            yield first.wrong(message, "change or delete one of the two")
        seen.add(values)


def names_twice(items: Iterable[Field], what: str) -> Iterator[Finding]:
    """Those of some items whose name another one has already."""
    seen: set[str] = set()
    for item in items:
        name = item.get("name")
        if name and name.text and name.text in seen:
            message = f"a second {what} is called {visible(name.text)!r}"
            yield name.wrong(message, "rename or delete one of the two")
        seen.add(name.text if name else "")


RULES = rules_with_source(
    (
        containers_have_their_own_names,
        ports_have_names_that_fit,
        ports_have_their_own_names,
        pods_have_containers_with_images,
        keyed_lists_have_keys_once,
    ),
    SOURCE,
)
