"""What Kubernetes wants of Services, Ingresses, NetworkPolicies and endpoints: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.parts import items_at, kind, spec, value_at
from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.claim import LABEL_SELECTOR
from renderer.kubernetes.forms.form import ADDRESS, NAME, PATH, Form, words
from renderer.kubernetes.forms.service import NETWORK, SERVICE_NAME, is_network
from renderer.kubernetes.forms.shape import Each, Members, NamedValues, Shape
from renderer.values.diagnostics import Finding, Path

_PROTOCOLS = words("SCTP", "TCP", "UDP")
_HEADLESS, _EXTERNAL = "None", "ExternalName"
_CLASS_ANNOTATION = "kubernetes.io/ingress.class"
_LONGEST_CONTROLLER = 250
#: Parts of paths by which one could be mistaken for another.
_BAD_PARTS, _BAD_ENDS = ("//", "/./", "/../", "%2f", "%2F"), ("/..", "/.")
_EXACT = ("Exact", "Prefix")
_FAMILIES = {"IPv4": 4, "IPv6": 6}


def _ports(service: Members, path: Path) -> Iterator[Finding]:
    """There are ports, unless other things find the pods; several have names."""
    is_plain = value_at(service, "clusterIP") != _HEADLESS
    ports = items_at(service, "ports")
    if not ports and is_plain and value_at(service, "type") != _EXTERNAL:
        yield Finding((*path, "ports"), "the Service has no port", "add ports, or clusterIP: None")
    seen: set[tuple[object, object]] = set()
    for index, port in enumerate(ports):
        place = (*path, "ports", index)
        if len(ports) > 1 and not value_at(port.items, "name"):
            yield Finding(place, "one of several ports has no name", "add a name to each of them")
        pair = (value_at(port.items, "port"), value_at(port.items, "protocol") or "TCP")
        if pair in seen:
            message = f"a second port has the number {pair[0]} and the protocol {pair[1]}"
            yield Finding((*place, "port"), message, "change or delete one of the two")
        seen.add(pair)


def _is_host(text: str) -> bool:
    bare = text.removeprefix("*.")
    return names.is_dns_name(bare) and not form.IP.fits(text)


def _is_controller(text: str) -> bool:
    domain, slash, rest = text.partition("/")
    fits = bool(slash and rest) and names.is_dns_name(domain)
    return fits and len(text) <= _LONGEST_CONTROLLER


def _port_choice(service: Members, path: Path) -> Iterator[Finding]:
    given = [key for key in ("name", "number") if value_at(service, "port", key)]
    if len(given) != 1:
        message = "a port is said by its name or by its number"
        fix = "keep one of them" if given else "add port.name or port.number"
        yield Finding((*path, "port"), message, fix)


def _ingress_path(item: Members, path: Path) -> Iterator[Finding]:
    text = value_at(item, "path")
    is_exact = value_at(item, "pathType") in _EXACT
    if text is None and is_exact:
        yield Finding(path, "Exact and Prefix compare with a path", "add path: /")
    if not isinstance(text, str) or not is_exact:
        return
    wrong = [part for part in _BAD_PARTS if part in text]
    wrong += [end for end in _BAD_ENDS if text.endswith(end)]
    if wrong:
        message = f"a path of the type {value_at(item, 'pathType')} has no {wrong[0]!r}"
        yield Finding((*path, "path"), message, "write the path that it leads to")


def _rules_or_backend(ingress: Members, path: Path) -> Iterator[Finding]:
    if "defaultBackend" not in ingress and not items_at(ingress, "rules"):
        message = "an Ingress has rules, or a defaultBackend"
        yield Finding(path, message, "add one of them", at_key=True)


def _class_once(ingress: Members, path: Path) -> Iterator[Finding]:
    place = ("metadata", "annotations", _CLASS_ANNOTATION)
    old, new = value_at(ingress, *place), value_at(ingress, "spec", "ingressClassName")
    if old is not None and new is not None and old != new:
        message = f"the annotation names the class {old}, and ingressClassName {new}"
        yield Finding((*path, *place), message, "delete the annotation", at_key=True)


def _parameters(given: Members, path: Path) -> Iterator[Finding]:
    scope, namespace = (value_at(given, key) for key in ("scope", "namespace"))
    if scope == "Namespace" and not namespace:
        yield Finding((*path, "namespace"), "of what is in a namespace it is said", "add namespace")
    if scope in (None, "Cluster") and namespace:
        message = "what belongs to the cluster has no namespace"
        yield Finding((*path, "namespace"), message, "delete it, or write scope: Namespace")


def _peer(peer: Members, path: Path) -> Iterator[Finding]:
    selectors = [key for key in ("podSelector", "namespaceSelector") if key in peer]
    if "ipBlock" in peer and selectors:
        message = f"ipBlock stands beside {selectors[0]}: addresses and pods are peers apart"
        fix = "write two items of the list"
        yield Finding((*path, "ipBlock"), message, fix, at_key=True)
    elif "ipBlock" not in peer and not selectors:
        message = "a peer is neither pods nor addresses"
        yield Finding(path, message, "add podSelector, namespaceSelector or ipBlock")


def _exceptions(block: Members, path: Path) -> Iterator[Finding]:
    import ipaddress

    whole = str(value_at(block, "cidr"))
    if not is_network(whole):
        return
    around = ipaddress.ip_network(whole, strict=False)
    for index, node in enumerate(items_at(block, "except")):
        if not is_network(str(node.value)):
            continue
        inner = ipaddress.ip_network(str(node.value), strict=False)
        is_within = inner.version == around.version and inner != around
        if not is_within or not inner.subnet_of(around):  # type: ignore[arg-type]
            message = f"{node.value} is no part of {whole}"
            yield Finding((*path, "except", index), message, "write a smaller network within it")


def _port_range(port: Members, path: Path) -> Iterator[Finding]:
    first, last = value_at(port, "port"), value_at(port, "endPort")
    if last is None:
        return
    if not isinstance(first, int):
        message = "endPort goes with the number of the first port"
        yield Finding((*path, "endPort"), message, "write port as a number", at_key=True)
    elif isinstance(last, int) and last < first:
        message = f"the range ends at {last}, before it begins at {first}"
        yield Finding((*path, "endPort"), message, f"write {first} or more")


def _addresses(slice_: Members, path: Path) -> Iterator[Finding]:
    family = _FAMILIES.get(str(value_at(slice_, "addressType")))
    for index, endpoint in enumerate(items_at(slice_, "endpoints")):
        for place, node in enumerate(items_at(endpoint.items, "addresses")):
            text = str(node.value)
            fits = names.is_dns_name(text)
            if family:
                fits = bool(form.IP.fits(text)) and (":" in text) == (family == _FAMILIES["IPv6"])
            if not fits:
                message = f"{text} is no address of the type {value_at(slice_, 'addressType')}"
                where = (*path, "endpoints", index, "addresses", place)
                yield Finding(where, message, "change the address, or addressType")


_PORT = Shape(
    "a port",
    {"protocol": _PROTOCOLS, "port": form.PORT_FORM, "endPort": form.PORT_NUMBER},
    relations=(_port_range,),
)
_PEER = Shape(
    "a peer",
    {
        "podSelector": LABEL_SELECTOR,
        "namespaceSelector": LABEL_SELECTOR,
        "ipBlock": Shape(
            "ipBlock",
            {"cidr": NETWORK, "except": Each(NETWORK)},
            needed=("cidr",),
            relations=(_exceptions,),
        ),
    },
    relations=(_peer,),
)
_HOST = Form(NAME, _is_host, "a name of DNS without a port, or '*.' and such a name")
_BACKEND = Shape(
    "a backend",
    {
        "service": Shape(
            "a service",
            {
                "name": SERVICE_NAME,
                "port": Shape(
                    "port",
                    {
                        "name": form.name(names.is_port_name, names.PORT_NAME),
                        "number": form.PORT_NUMBER,
                    },
                ),
            },
            needed=("name",),
            relations=(_port_choice,),
        ),
        "resource": Shape("a resource", {}, needed=("kind", "name")),
    },
    one_of=(("service", "resource"),),
)
_INGRESS_PATH = Shape(
    "a path",
    {
        "path": Form(PATH, lambda text: text.startswith("/"), "a path that begins with '/'"),
        "pathType": words(*_EXACT, "ImplementationSpecific").strict(),
        "backend": _BACKEND,
    },
    needed=("pathType", "backend"),
    relations=(_ingress_path,),
)
_CONTROLLER = Form(NAME, _is_controller, "a name with a domain, such as example.com/ingress")
_ADDRESS = Form(ADDRESS, form.IP.fits, "an IP address such as 192.0.2.1").strict()
_ENDPOINT = Shape("an address", {"ip": _ADDRESS, "hostname": form.DNS_LABEL}, needed=("ip",))
_ENDPOINT_PORT = Shape(
    "a port", {"name": form.DNS_LABEL, "port": form.PORT_NUMBER, "protocol": _PROTOCOLS}
)
SHAPES = {
    #: Beside what `kubernetes/forms/service.py` wants of any Service.
    "Service": spec(
        "a Service",
        {
            "type": words("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"),
            "externalTrafficPolicy": words("Cluster", "Local"),
            "internalTrafficPolicy": words("Cluster", "Local"),
            "sessionAffinity": words("ClientIP", "None"),
            "ipFamilyPolicy": words("SingleStack", "PreferDualStack", "RequireDualStack"),
            "ipFamilies": Each(words(*_FAMILIES).strict(), most=2),
            "selector": NamedValues(form.LABEL_KEY, form.LABEL_VALUE),
            "ports": Each(Shape("a port", {"protocol": _PROTOCOLS}, needed=("port",))),
        },
        relations=(_ports,),
    ),
    "Ingress": kind(
        "an Ingress",
        {
            "spec": Shape(
                "an Ingress",
                {
                    "ingressClassName": form.DNS_NAME,
                    "defaultBackend": _BACKEND,
                    "rules": Each(
                        Shape(
                            "a rule",
                            {
                                "host": _HOST,
                                "http": Shape(
                                    "http", {"paths": Each(_INGRESS_PATH)}, needed=("paths",)
                                ),
                            },
                        )
                    ),
                    "tls": Each(Shape("tls", {"secretName": form.DNS_NAME, "hosts": Each(_HOST)})),
                },
                relations=(_rules_or_backend,),
            )
        },
        needed=("spec",),
        relations=(_class_once,),
    ),
    "IngressClass": spec(
        "an IngressClass",
        {
            "controller": _CONTROLLER,
            "parameters": Shape(
                "parameters",
                {"scope": words("Cluster", "Namespace").strict(), "namespace": form.DNS_LABEL},
                needed=("kind", "name"),
                relations=(_parameters,),
            ),
        },
        needed=("controller",),
    ),
    "NetworkPolicy": spec(
        "a NetworkPolicy",
        {
            "podSelector": LABEL_SELECTOR,
            "policyTypes": Each(words("Egress", "Ingress").strict(), most=2),
            "ingress": Each(Shape("a rule", {"from": Each(_PEER), "ports": Each(_PORT)})),
            "egress": Each(Shape("a rule", {"to": Each(_PEER), "ports": Each(_PORT)})),
        },
    ),
    "Endpoints": kind(
        "Endpoints",
        {
            "subsets": Each(
                Shape(
                    "a subset",
                    {
                        "addresses": Each(_ENDPOINT),
                        "notReadyAddresses": Each(_ENDPOINT),
                        "ports": Each(_ENDPOINT_PORT),
                    },
                )
            )
        },
    ),
    "EndpointSlice": kind(
        "an EndpointSlice",
        {
            "addressType": words(*_FAMILIES, "FQDN").strict(),
            "ports": Each(_ENDPOINT_PORT, unique=("name",)),
            "endpoints": Each(Shape("an endpoint", {"hostname": form.DNS_LABEL})),
        },
        needed=("addressType",),
        relations=(_addresses,),
    ),
}
