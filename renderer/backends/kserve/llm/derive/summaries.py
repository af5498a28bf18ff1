"""Lines that summarise the objects of an LLM service in a preview."""

from collections.abc import Iterator

from renderer.backends.kserve.derive.summaries import own_lines, probe_text, strategy_text
from renderer.backends.kserve.llm.derive.command_line import command_line
from renderer.derive.located import made
from renderer.derive.pods import amounts_text
from renderer.kubernetes.data import Data, items, mapping, words
from renderer.values.derivations import DerivedObject


def summarise(content: Data) -> DerivedObject:
    return made(content, "KServe", tuple(_lines(content)))


def _lines(content: Data) -> Iterator[tuple[str, str]]:
    spec = mapping(content, "spec")
    match content.get("kind"):
        case "Deployment":
            how = strategy_text(mapping(spec, "strategy"))
            yield "replicas", f"{spec.get('replicas')}, {how}"
            yield from _pod_lines(mapping(spec, "template", "spec"))
        case "LeaderWorkerSet":
            group = mapping(spec, "leaderWorkerTemplate")
            count, size = spec.get("replicas"), group.get("size")
            yield "groups", f"{count} of {size} pods each, all of a group restart together"
            yield from _pod_lines(mapping(group, "leaderTemplate", "spec"))
            for name, text in _pod_lines(mapping(group, "workerTemplate", "spec")):
                yield f"worker's {name}", text
        case "HTTPRoute":
            yield from _route_lines(spec)
        case "InferencePool":
            ports = ", ".join(str(item.get("number")) for item in items(spec, "targetPorts"))
            picker = mapping(spec, "endpointPickerRef")
            yield "ports", ports
            yield "asks", f"{picker.get('name')}, {picker.get('failureMode')}"
        case _:
            yield from _other_lines(content)


def _other_lines(content: Data) -> Iterator[tuple[str, str]]:
    spec = mapping(content, "spec")
    match content.get("kind"):
        case "VariantAutoscaling":
            yield "replicas", f"{spec.get('minReplicas')} to {spec.get('maxReplicas')}"
            yield "model", str(spec.get("modelID"))
        case "Secret":
            yield "content", "a certificate and its key, which KServe draws in the cluster"
        case "Role":
            for rule in items(content, "rules"):
                verbs = ", ".join(words(rule, "verbs"))
                yield "may", f"{verbs}: {', '.join(words(rule, 'resources'))}"
        case "RoleBinding" | "ClusterRoleBinding":
            account = next(iter(items(content, "subjects")), {}).get("name")
            yield "gives", f"{mapping(content, 'roleRef').get('name')} to {account}"
        case _:
            yield from own_lines(content)


def _pod_lines(pod: Data) -> Iterator[tuple[str, str]]:
    for container in items(pod, "initContainers"):
        word = "beside" if container.get("restartPolicy") == "Always" else "first"
        yield word, f"{container.get('name')}: {container.get('image')}"
        if line := command_line(container):
            yield "runs", line
    for container in items(pod, "containers"):
        amounts = amounts_text(mapping(container, "resources"))
        yield "container", f"{container.get('name')}: {amounts}"
        yield "image", str(container.get("image"))
        if line := command_line(container):
            yield "runs", line
        if ports := items(container, "ports"):
            yield "ports", ", ".join(str(item.get("containerPort")) for item in ports)
        if probe := mapping(container, "readinessProbe"):
            yield "ready when", probe_text(probe)


def _route_lines(spec: Data) -> Iterator[tuple[str, str]]:
    gateways = ", ".join(str(item.get("name")) for item in items(spec, "parentRefs"))
    yield "gateway", gateways
    lines = []
    for rule in items(spec, "rules"):
        target = ", ".join(str(item.get("name")) for item in items(rule, "backendRefs"))
        first = next(iter(items(rule, "matches")), {})
        path = mapping(first, "path").get("value") or "any path"
        header = next(iter(items(first, "headers")), {})
        asked = f" with {header.get('name')}: {header.get('value')}" if header else ""
        lines.append(f"{path}{asked} to {target or 'nothing'}")
    yield "rules", "\n".join(lines)
