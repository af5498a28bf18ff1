"""Where a party is called: for predictions, health and metrics, and on its other ports."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.kuscia.inputconfig.fields import root
from renderer.backends.kuscia.pods import PROBES, Port, containers
from renderer.backends.kuscia.preview.deployment import metric_probe
from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.backends.kuscia.preview.services import reachable_from
from renderer.backends.kuscia.serving import Serving, text
from renderer.values.previews import Address

_GATEWAY = "http://<node>"


class _Call(NamedTuple):
    """A purpose, the port that serves it, and the path to ask for."""

    name: str
    port: Port
    path: str = ""


def addresses(plane: Plane, kit: Kit, asked: Serving) -> Iterator[Address]:
    """What people ask for first, then every other port that has a Service."""
    calls = list(_calls(kit, asked))
    told = {call.port.name for call in calls}
    calls += (_Call(port.name, port) for port in kit.served if port.name not in told)
    for call in calls:
        yield _address(call, plane, kit)


def _calls(kit: Kit, asked: Serving) -> Iterator[_Call]:
    ports = kit.ports
    is_serving = asked.app == "secretflow-serving"
    if is_serving and "service" in ports and _predicts(kit, asked):
        yield _Call("prediction", ports["service"], "/PredictionService/Predict")
    path, name = _health(kit)
    if name in ports:
        yield _Call("health", ports[name], path)
    path, name = metric_probe(kit)
    if is_serving and not name:
        path, name = "/metrics", "internal"
    if name in ports:
        yield _Call("metrics", ports[name], path)


def _predicts(kit: Kit, asked: Serving) -> bool:
    """Whether a party answers predictions: all do unless the input config names some."""
    top = root(asked)
    named = top.get("predictor_parties") if top else None
    return not named or not named.elements or kit.domain in {n.value for n in named.elements}


def _health(kit: Kit) -> tuple[str, str]:
    """Path and port of a probe over HTTP, that of readiness if there are several."""
    for probe in ("readinessProbe", *PROBES):
        for container in containers(kit.template):
            if http := container.node.get(probe, "httpGet"):
                return f"/{text(http, 'path').lstrip('/')}", text(http, "port")
    return "", ""


def _address(call: _Call, plane: Plane, kit: Kit) -> Address:
    port = call.port
    if not port.is_served:
        url = f"http://<pod>:{kit.numbers[port.name]}{call.path}"
        return Address(call.name, url, "only within the pod, and the node's probes")
    endpoint = kit.endpoint(port)
    scheme = "http" if port.protocol == "HTTP" else "grpc"
    headers = (("Host", endpoint), ("Kuscia-Source", kit.domain))
    through = f"{_GATEWAY}{call.path or '/'}" if port.protocol == "HTTP" else ""
    url = f"{scheme}://{endpoint}{call.path}"
    callers = reachable_from(plane, kit, port)
    return Address(call.name, url, callers, through, headers if through else ())
