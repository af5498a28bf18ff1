"""What Kubernetes wants of a Service that others make from a description: a table and relations."""

from collections.abc import Iterator

from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.form import ADDRESS, TOGETHER, Form, name, number, words
from renderer.kubernetes.forms.shape import Each, Members, Shape, Walk, ready
from renderer.kubernetes.versions import RECORDED
from renderer.text.expressions import expression
from renderer.values.diagnostics import Finding, Path
from renderer.values.tree import Node

CLUSTER_IP, NODE_PORT, BALANCER, EXTERNAL = (
    "ClusterIP", "NodePort", "LoadBalancer", "ExternalName",
)  # fmt: skip
#: As API servers have it unless they are told otherwise.
_NODE_PORTS = range(30000, 32768)
_FINALIZERS = ("foregroundDeletion", "kubernetes", "orphan")
#: Names of Services begin with a letter, as old resolvers want it.
_SERVICE_NAME = expression(r"[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?")
_BALANCED = ("allocateLoadBalancerNodePorts", "loadBalancerClass", "loadBalancerSourceRanges")


def _is_cluster_ip(text: str) -> bool:
    return text == "None" or bool(form.IP.fits(text))


def is_network(text: str) -> bool:
    """Whether it is a range of addresses: 10.0.0.0/8."""
    import ipaddress

    try:
        ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        return False
    return "/" in text


SERVICE_NAME = name(
    lambda text: bool(_SERVICE_NAME.fullmatch(text)),
    "at most 63 lower-case letters, digits and '-', a letter first and no '-' at the end",
)
FINALIZER = name(
    lambda text: text in _FINALIZERS or ("/" in text and names.is_label_key(text)),
    "the form example.com/name",
).strict()
NETWORK = Form(ADDRESS, is_network, "a network such as 10.0.0.0/8").strict()
METADATA = Shape("metadata", {"name": SERVICE_NAME, "finalizers": Each(FINALIZER)})
PORT = Shape(
    "a port",
    {
        "name": form.DNS_LABEL,
        "port": form.PORT_NUMBER,
        "protocol": words("TCP", "UDP", "SCTP"),
        "targetPort": form.PORT_FORM,
        "appProtocol": form.LABEL_KEY.strict(),
    },
)
SPEC = Shape(
    "a Service",
    {
        "clusterIP": Form(ADDRESS, _is_cluster_ip, "an IP address, or None"),
        "clusterIPs": Each(Form(ADDRESS, _is_cluster_ip, "an IP address, or None").strict()),
        "externalIPs": Each(form.IP),
        "externalName": form.DNS_NAME,
        "loadBalancerClass": form.LABEL_KEY.strict(),
        "loadBalancerSourceRanges": Each(NETWORK),
        "trafficDistribution": words("PreferClose", "PreferSameZone", "PreferSameNode").strict(),
        "ports": Each(PORT, unique=("name",)),
    },
)
_TIMEOUT = number(1, 86400)
_look_at_metadata, _look_at_spec = ready(METADATA), ready(SPEC)


def service_findings(service: Node, path: Path, kind: str) -> Iterator[Finding]:
    """What Kubernetes refuses of a Service, which is of a type unless it says another one."""
    walk = Walk(RECORDED)
    look_at_service(service, path, kind, walk)
    yield from (finding for _, finding in walk.found)


def look_at_service(service: Node, path: Path, kind: str, walk: Walk) -> None:
    """The same, by the codes of what is wrong."""
    if metadata := service.get("metadata"):
        _look_at_metadata(metadata, (*path, "metadata"), walk)
    spec = service.get("spec")
    if spec is None:
        return
    place = (*path, "spec")
    _look_at_spec(spec, place, walk)
    kind = _text(spec, "type") or kind or CLUSTER_IP
    found = [*_type_findings(spec.items, place, kind), *_addresses(spec, place, kind)]
    found += _affinity(spec, place)
    for index, port in enumerate(spec.items["ports"].elements if "ports" in spec.items else ()):
        found += _node_port(port, (*place, "ports", index, "nodePort"), kind)
    walk.found.extend((TOGETHER, finding) for finding in found)


def _text(node: Node, *keys: str) -> str:
    found = node.get(*keys)
    return found.value if found and isinstance(found.value, str) else ""


def _type_findings(spec: Members, path: Path, kind: str) -> Iterator[Finding]:
    """Fields that only some types of Services have."""
    for key in _BALANCED:
        if kind != BALANCER and key in spec and spec[key].value not in ((), None):
            message = f"{key} is for Services of type {BALANCER}, and this is a {kind}"
            yield Finding((*path, key), message, "delete it, or change the type", at_key=True)
    policy, check = (spec[key].value if key in spec else None for key in _EXTERNAL)
    if policy and kind not in (NODE_PORT, BALANCER) and not _has_items(spec, "externalIPs"):
        message = f"externalTrafficPolicy is for what comes from outside, and this is a {kind}"
        yield Finding((*path, _EXTERNAL[0]), message, "delete it", at_key=True)
    if check and (kind != BALANCER or policy != "Local"):
        message = f"healthCheckNodePort needs type {BALANCER} and externalTrafficPolicy: Local"
        yield Finding((*path, _EXTERNAL[1]), message, "delete it", at_key=True)
    if kind == EXTERNAL and not ("externalName" in spec and spec["externalName"].value):
        message = f"a Service of type {EXTERNAL} has an externalName"
        yield Finding((*path, "type"), message, "add externalName, or change the type")


_EXTERNAL = ("externalTrafficPolicy", "healthCheckNodePort")


def _has_items(spec: Members, key: str) -> bool:
    return key in spec and bool(spec[key].elements)


def _addresses(spec: Node, path: Path, kind: str) -> Iterator[Finding]:
    """One address is said twice, or not at all."""
    first, given = _text(spec, "clusterIP"), spec.get("clusterIPs")
    if given and given.elements and given.elements[0].value != first:
        message = "clusterIPs begin with clusterIP, and these do not"
        yield Finding((*path, "clusterIPs"), message, "write the first as clusterIP", at_key=True)
    if first == "None" and kind in (NODE_PORT, BALANCER):
        message = f"a Service of type {kind} has an address"
        yield Finding((*path, "clusterIP"), message, "delete it, or change the type")


def _affinity(spec: Node, path: Path) -> Iterator[Finding]:
    """What is said of clients counts where they are told apart by their address."""
    place = ("sessionAffinityConfig", "clientIP", "timeoutSeconds")
    seconds = spec.get(*place)
    is_used = _text(spec, "sessionAffinity") == "ClientIP"
    if is_used and seconds and not _TIMEOUT.fits(seconds.value):
        message = f"timeoutSeconds is {seconds.value}, not {_TIMEOUT.expects}"
        yield Finding((*path, *place), message, f"write {_TIMEOUT.expects}")


def _node_port(port: Node, path: Path, kind: str) -> Iterator[Finding]:
    found = port.get("nodePort")
    if found is None or not isinstance(found.value, int) or not found.value:
        return
    if kind not in (NODE_PORT, BALANCER):
        message = f"nodePort is for Services of type {NODE_PORT} and {BALANCER}, not {kind}"
        yield Finding(path, message, "delete it, or change the type", at_key=True)
    elif found.value not in _NODE_PORTS:
        message = f"nodePort is {found.value}, and nodes give out {_NODE_PORTS[0]} to "
        yield Finding(path, f"{message}{_NODE_PORTS[-1]}", "write one of them, or delete it")
