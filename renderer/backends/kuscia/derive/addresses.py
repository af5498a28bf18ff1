"""Where a party is called: for predictions, health and metrics, and on its other ports."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kuscia.app_image import SECRETFLOW_SERVING
from renderer.backends.kuscia.deploy_template import Port, containers
from renderer.backends.kuscia.derive.objects import metric_probe, reachable_from
from renderer.backends.kuscia.derive.plan import DeploymentPlan, PartyPlan
from renderer.backends.kuscia.input_config.document import root_section
from renderer.backends.kuscia.serving import Serving
from renderer.kubernetes.pods import PROBES
from renderer.values.derivations import Address

_GATEWAY = "http://<node>"


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
