"""The objects that Kuscia makes for a party, and the addresses and ports that they have."""

from collections.abc import Iterator, Mapping

from renderer.backends.fields import plain, text
from renderer.backends.kuscia.app_image import SECRETFLOW_SERVING
from renderer.backends.kuscia.deploy_template import Container, Port, containers
from renderer.backends.kuscia.derive.plan import DeploymentPlan, PartyPlan
from renderer.backends.kuscia.derive.pod import (
    VOLUME,
    image_reference,
    known_ports,
    kuscia_variables,
    make_affinity,
    make_pod,
    mounts_files,
)
from renderer.backends.kuscia.derived_objects import (
    APP_TYPE,
    DEPLOYMENT_NAME,
    PREFIX,
    SERVING_NAME,
    DerivedName,
)
from renderer.backends.kuscia.input_config.document import root_section
from renderer.backends.kuscia.serving import Serving
from renderer.derive.located import made
from renderer.kubernetes.pods import PROBES
from renderer.text.wording import listed
from renderer.values.derivations import DerivedObject, Later
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain
from renderer.values.unit_details import Address, RuntimePort

#: The UID of the KusciaDeployment; as a label's value it must look like one.
UID = "drawn-at-run-time"
MAKER = "Kuscia"
_GATEWAY = "http://<node>"
_NOTHING: Mapping[str, Plain] = {}
_SHOWN_APART = ("CLUSTER_DEFINE", "ALLOCATED_PORTS")


def make_objects(plan: DeploymentPlan, party: PartyPlan) -> Iterator[DerivedObject]:
    """What the controller makes for a party."""
    for item in party.names.objects(port.name for port in party.served):
        yield from _MAKERS[item.kind](plan, party, item)


def _metadata(
    plan: DeploymentPlan,
    party: PartyPlan,
    item: DerivedName,
    labels: Mapping[str, Plain],
    annotations: Mapping[str, Plain] = _NOTHING,
) -> dict[str, Plain]:
    return {
        "name": item.name,
        "namespace": party.domain,
        "labels": {**labels},
        "annotations": {f"{PREFIX}initiator": plan.initiator, **annotations},
    }


def _labels(plan: DeploymentPlan, party: PartyPlan) -> dict[str, Plain]:
    """The five that everything derived from a KusciaDeployment carries."""
    return {
        f"{PREFIX}controller": "KusciaDeployment",
        SERVING_NAME: plan.serving.name,
        f"{PREFIX}kd-uid": UID,
        f"{PREFIX}owner_namespace": "cross-domain",
        DEPLOYMENT_NAME: party.names.deployment,
    }


def _deployment(
    plan: DeploymentPlan, party: PartyPlan, item: DerivedName
) -> Iterator[DerivedObject]:
    marks = {
        **_labels(plan, party),
        f"{PREFIX}communication-role-client": "true",
        f"{PREFIX}communication-role-server": "true",
        **({APP_TYPE: plan.app_type} if plan.app_type else {}),
    }
    about: dict[str, Plain] = {"labels": {**marks}}
    about |= {"annotations": notes} if (notes := _pod_annotations(party)) else {}
    content: dict[str, Plain] = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": _metadata(plan, party, item, marks),
        "spec": {
            "replicas": plain(party.template, "replicas"),
            "strategy": plain(party.template, "strategy"),
            "selector": {"matchLabels": {**marks}},
            "template": {"metadata": about, "spec": make_pod(plan, party)},
        },
    }
    yield made(content, MAKER, Later(lambda: _summary(plan, party)))


def metric_probe(party: PartyPlan) -> tuple[str, str]:
    """Path and port of the metrics; of several containers the last one counts."""
    asked = (item.node.get("metricProbe") for item in containers(party.template))
    probes = [(text(node, "path"), text(node, "port")) for node in asked if node]
    whole = [probe for probe in probes if all(probe) and probe[1] in party.numbers]
    return whole[-1] if whole else ("", "")


def _pod_annotations(party: PartyPlan) -> dict[str, Plain]:
    notes: dict[str, Plain] = {}
    if party.image and (identity := text(party.image.tree, "image", "id")):
        notes[f"{PREFIX}image-id"] = identity
    path, port = metric_probe(party)
    if path:
        notes[f"{PREFIX}should_be_scraped"] = "true"
        notes[f"{PREFIX}metric_path"] = path
        notes[f"{PREFIX}metric_port"] = str(party.numbers[port])
    if mounts_files(party):
        notes[f"{PREFIX}config-template-volumes"] = VOLUME
    return notes


def reachable_from(plan: DeploymentPlan, party: PartyPlan, port: Port) -> str:
    """Who may call a port, in words."""
    if port.scope == "Domain":
        return f"only {party.domain}"
    allowed = _access(plan, party, port)
    return listed(allowed) if allowed else "every domain that has a route"


def _service(plan: DeploymentPlan, party: PartyPlan, item: DerivedName) -> Iterator[DerivedObject]:
    """The Service of a port that others may call."""
    port, number = party.ports[item.port], party.numbers[item.port]
    scope: dict[str, Plain] = {f"{PREFIX}port-scope": port.scope}
    if port.scope == "Cluster":
        scope[f"{PREFIX}loadbalancer"] = "domainroute"
    notes: dict[str, Plain] = {
        f"{PREFIX}protocol": port.protocol,
        f"{PREFIX}access-domain": ",".join(_access(plan, party, port)),
        f"{PREFIX}sticky-session-cookie": "KUSCIA_SESSION",
        f"{PREFIX}sticky-session-ttl": "86400s",
    }
    target: Plain = {"name": port.name, "port": number, "protocol": "TCP", "targetPort": port.name}
    content: dict[str, Plain] = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": _metadata(plan, party, item, {**_labels(plan, party), **scope}, notes),
        "spec": {
            "type": "ClusterIP",
            "clusterIP": "None",
            "sessionAffinity": "None",
            "selector": {DEPLOYMENT_NAME: party.names.deployment},
            "ports": [target],
        },
    }
    callers = reachable_from(plan, party, port)
    yield made(
        content, MAKER, (("port", f"{number} ({port.name}, {port.protocol})"), ("callers", callers))
    )


def _access(plan: DeploymentPlan, party: PartyPlan, port: Port) -> list[str]:
    """The domains of the annotation, in the order of the parties; Kuscia's order is random."""
    policy = party.template.get("networkPolicy")
    if port.scope != "Cluster" and not policy:
        return []
    allowed = plan.serving.callers(party.entry, port.name)
    return [name for name in dict.fromkeys(item.domain for item in plan.parties) if name in allowed]


def _config_map(
    plan: DeploymentPlan, party: PartyPlan, item: DerivedName
) -> Iterator[DerivedObject]:
    """The config templates as they are written; made only if the AppImage has any."""
    templates = party.image.config_templates if party.image else {}
    texts = {key: node.plain() for key, node in templates.items()}
    if texts:
        about = _metadata(plan, party, item, _labels(plan, party))
        yield made(
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": about, "data": texts},
            MAKER,
            (("templates", ", ".join(texts)),),
        )


def _summary(plan: DeploymentPlan, party: PartyPlan) -> Iterator[tuple[str, str]]:
    """What one looks for first in a Deployment."""
    yield "replicas", f"{text(party.template, 'replicas')}, {_strategy_words(party.template)}"
    yield "image", image_reference(party)
    for container in containers(party.template):
        yield "container", f"{container.name}: {', '.join(_amount_words(container))}"
    yield "affinity", _affinity_words(make_affinity(plan, party))
    yield "scheduler", f"kuscia-scheduler, nodes of {party.domain}"
    yield "CLUSTER_DEFINE", "\n".join(_party_lines(plan, party))
    yield "ALLOCATED_PORTS", "\n".join(_port_lines(party)) or "none"
    yield (
        "variables",
        ", ".join(name for name in kuscia_variables(plan, party) if name not in _SHOWN_APART),
    )


def _strategy_words(template: Node) -> str:
    kind = text(template, "strategy", "type")
    parts = {"surge": "maxSurge", "unavailable": "maxUnavailable"}
    found = {word: text(template, "strategy", "rollingUpdate", key) for word, key in parts.items()}
    return ", ".join([kind, *(f"{word} {value}" for word, value in found.items() if value)])


def _amount_words(container: Container) -> Iterator[str]:
    for what in ("cpu", "memory"):
        ends = [container.amount(kind, what) for kind in ("requests", "limits")]
        low, high = (str(node.value) if node else "any" for node in ends)
        yield f"{what} {low} to {high}"


def _affinity_words(found: dict[str, Plain]) -> str:
    """`podAntiAffinity (preferred)`."""
    kinds = {kind: terms if isinstance(terms, dict) else {} for kind, terms in found.items()}
    words = {kind: [term.partition("During")[0] for term in terms] for kind, terms in kinds.items()}
    return ", ".join(f"{kind} ({', '.join(said)})" for kind, said in words.items()) or "none"


def _party_lines(plan: DeploymentPlan, party: PartyPlan) -> Iterator[str]:
    for other in plan.parties:
        known = known_ports(other, plan)
        mine = " (this one)" if other is party else ""
        partner = " (partner: only Cluster ports)" if other.domain not in plan.domains else ""
        yield f"{other.unit}{mine}{partner}"
        width = max((len(port.name) for port in known), default=0)
        yield from (f"  {port.name:{width}}  {other.endpoint(port)}" for port in known)


def _port_lines(party: PartyPlan) -> Iterator[str]:
    width = max(map(len, party.ports), default=0)
    for name, port in party.ports.items():
        yield f"{name:{width}}  {party.numbers[name]} {port.scope} {port.protocol}"


class _Call(NamedTuple):
    """A purpose, the port that serves it, and the path to ask for."""

    name: str
    port: Port
    path: str = ""


def find_addresses(plan: DeploymentPlan, party: PartyPlan, serving: Serving) -> Iterator[Address]:
    """What people ask for first, then every other port that has a Service."""
    calls = list(_calls(party, serving))
    named = {call.port.name for call in calls}
    calls += (_Call(port.name, port) for port in party.served if port.name not in named)
    for call in calls:
        yield _address(call, plan, party)


def _calls(party: PartyPlan, serving: Serving) -> Iterator[_Call]:
    ports = party.ports
    is_serving = serving.app == SECRETFLOW_SERVING
    if is_serving and "service" in ports and _predicts(party, serving):
        yield _Call("prediction", ports["service"], "/PredictionService/Predict")
    path, name = _health(party)
    if name in ports:
        yield _Call("health", ports[name], path)
    path, name = metric_probe(party)
    if is_serving and not name:
        path, name = "/metrics", "internal"
    if name in ports:
        yield _Call("metrics", ports[name], path)


def _predicts(party: PartyPlan, serving: Serving) -> bool:
    """Whether a party answers predictions: all do unless the input config names some."""
    top = root_section(serving)
    named = top.get("predictor_parties") if top else None
    return not named or not named.elements or party.domain in {n.value for n in named.elements}


def _health(party: PartyPlan) -> tuple[str, str]:
    """Path and port of a probe over HTTP, that of readiness if there are several."""
    for probe in ("readinessProbe", *PROBES):
        for container in containers(party.template):
            if http := container.node.get(probe, "httpGet"):
                return f"/{text(http, 'path').lstrip('/')}", text(http, "port")
    return "", ""


def _address(call: _Call, plan: DeploymentPlan, party: PartyPlan) -> Address:
    port = call.port
    if not port.is_served:
        url = f"http://<pod>:{party.numbers[port.name]}{call.path}"
        return Address(call.name, url, "only within the pod, and the node's probes")
    endpoint = party.endpoint(port)
    scheme = "http" if port.protocol == "HTTP" else "grpc"
    headers = (("Host", endpoint), ("Kuscia-Source", party.domain))
    through = f"{_GATEWAY}{call.path or '/'}" if port.protocol == "HTTP" else ""
    url = f"{scheme}://{endpoint}{call.path}"
    callers = reachable_from(plan, party, port)
    return Address(call.name, url, callers, through, headers if through else ())


def find_runtime_ports(plan: DeploymentPlan, party: PartyPlan) -> Iterator[RuntimePort]:
    """A party's own ports by their names, those of others with the party before it."""
    for other in plan.parties:
        whose = "" if other is party else f"{other.unit}/"
        for name, number in other.numbers.items():
            yield RuntimePort(number, f"<port:{whose}{name}>")


_MAKERS = {"Deployment": _deployment, "Service": _service, "ConfigMap": _config_map}
