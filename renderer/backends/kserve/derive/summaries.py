"""Lines that summarise a derived object in a preview."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from renderer.backends.kserve.derive.service_plan import Workload
from renderer.derive.located import made
from renderer.derive.pods import amounts_text
from renderer.kubernetes.data import Data, items, mapping, words
from renderer.values.derivations import DerivedObject

if TYPE_CHECKING:
    from renderer.values.tree import Plain

_SCALING = "autoscaling.knative.dev/"


def summarise(content: Data, workload: Workload) -> DerivedObject:
    return made(content, "KServe", tuple(_summary_lines(content, workload)))


def _summary_lines(content: Data, workload: Workload) -> Iterator[tuple[str, str]]:
    spec = mapping(content, "spec")
    match content.get("kind"):
        case "Deployment":
            yield "replicas", f"{spec.get('replicas')}, {strategy_text(mapping(spec, 'strategy'))}"
            yield from _pod_lines(mapping(spec, "template", "spec"), workload)
        case "Service" if "template" in spec:
            yield "of", "Knative"
            yield "scale", _scale(mapping(spec, "template", "metadata", "annotations"))
            yield from _pod_lines(mapping(spec, "template", "spec"), workload)
        case "Pod":
            yield from _webhook_lines(spec)
        case _:
            yield from own_lines(content)


def own_lines(content: Data) -> Iterator[tuple[str, str]]:
    """Of an object without pods."""
    spec = mapping(content, "spec")
    match content.get("kind"):
        case "Service" if "ports" in spec:
            yield "ports", ", ".join(_port(item) for item in items(spec, "ports"))
        case "Service":
            yield "leads to", str(spec.get("externalName"))
        case "HorizontalPodAutoscaler":
            metrics = ", ".join(_metric(item) for item in items(spec, "metrics"))
            yield "replicas", f"{spec.get('minReplicas')} to {spec.get('maxReplicas')}, {metrics}"
        case "ScaledObject":
            kinds = ", ".join(str(item.get("type")) for item in items(spec, "triggers"))
            least, most = spec.get("minReplicaCount"), spec.get("maxReplicaCount")
            yield "replicas", f"{least} to {most}, {kinds or 'no trigger'}"
        case "Ingress":
            yield "hosts", "\n".join(_host(item) for item in items(spec, "rules"))


def _pod_lines(pod: Data, workload: Workload) -> Iterator[tuple[str, str]]:
    if workload.runtime.name and workload.model:
        yield "runtime", workload.runtime.name
    for container in items(pod, "containers"):
        yield (
            "container",
            f"{container.get('name')}: {amounts_text(mapping(container, 'resources'))}",
        )
        yield "image", str(container.get("image"))
        if args := words(container, "args"):
            yield "args", _arguments(args)
        if env := items(container, "env"):
            yield "variables", "\n".join(_variable(item) for item in env)
        if probe := mapping(container, "readinessProbe"):
            yield "ready when", probe_text(probe)


def _arguments(args: list[str]) -> str:
    """An option and its value on one line."""
    lines: list[str] = []
    for index, word in enumerate(args):
        follows = index > 0 and args[index - 1].startswith("--") and "=" not in args[index - 1]
        if follows and not word.startswith("--"):
            lines[-1] += f" {word or repr(word)}"
        else:
            lines.append(word)
    return "\n".join(lines)


def _webhook_lines(pod: Data) -> Iterator[tuple[str, str]]:
    """The model and the containers of KServe itself."""
    for container in items(pod, "initContainers"):
        yield "first", f"{container.get('name')}: {container.get('image')}"
        yield "args", _arguments(words(container, "args"))
    for container in items(pod, "containers"):
        if container.get("name") in ("agent", "modelcar"):
            yield "beside", f"{container.get('name')}: {container.get('image')}"
            yield "args", _arguments(words(container, "args"))
    for volume in items(pod, "volumes"):
        yield "volume", f"{volume.get('name')}: {_source(volume)}"


def strategy_text(given: Data) -> str:
    steps = mapping(given, "rollingUpdate")
    workloads = {"surge": steps.get("maxSurge"), "unavailable": steps.get("maxUnavailable")}
    found = (f"{word} {value}" for word, value in workloads.items() if value is not None)
    return ", ".join([str(given.get("type")), *found])


def _scale(notes: Data) -> str:
    least = notes.get(f"{_SCALING}min-scale")
    most = notes.get(f"{_SCALING}max-scale", "any number")
    metric = notes.get(f"{_SCALING}metric", "concurrency")
    target = notes.get(f"{_SCALING}target", "Knative's default")
    return f"{least} to {most}, {metric} of {target}"


def _variable(item: Data) -> str:
    value = f"={item['value']}" if "value" in item else " (from elsewhere)"
    return f"{item.get('name')}{value}"


def probe_text(probe: Data) -> str:
    if http := mapping(probe, "httpGet"):
        return f"GET {http.get('path', '/')} at {http.get('port')} answers"
    if grpc := mapping(probe, "grpc"):
        return f"gRPC at {grpc.get('port')} answers"
    port = mapping(probe, "tcpSocket").get("port")
    if "tcpSocket" in probe:
        return f"port {port} is open" if port else "the port that Knative chooses is open"
    return ", ".join(probe)


def _port(item: Data) -> str:
    return f"{item.get('port')} to {item.get('targetPort')}"


def _metric(item: Data) -> str:
    target = mapping(item, "resource", "target")
    amount: Plain = target.get("averageUtilization", target.get("averageValue"))
    unit = " %" if "averageUtilization" in target else ""
    if external := mapping(item, "external"):
        return (
            f"{mapping(external, 'metric').get('name')} of {mapping(external, 'target')['value']}"
        )
    return f"{mapping(item, 'resource').get('name')} of {amount}{unit}"


def _host(rule: Data) -> str:
    path = next(iter(items(mapping(rule, "http"), "paths")), {})
    return f"{rule.get('host')} to {mapping(path, 'backend', 'service').get('name')}"


def _source(volume: Data) -> str:
    claim = mapping(volume, "persistentVolumeClaim").get("claimName")
    return f"claim {claim}" if claim else next((key for key in volume if key != "name"), "")
