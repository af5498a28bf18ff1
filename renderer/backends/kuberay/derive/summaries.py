"""What people want to know first of an object that KubeRay makes."""

from collections.abc import Iterator, Mapping

from renderer.backends.kuberay.derive.containers import effective_params
from renderer.backends.kuberay.derive.plan import RayPlan
from renderer.backends.kuberay.pod_numbers import pod_numbers
from renderer.backends.kuberay.serve_config.applications import CPU, GPU, MEMORY
from renderer.backends.kuberay.start_params import node_resources
from renderer.backends.kuberay.workloads import Group
from renderer.derive.located import made
from renderer.derive.pods import amounts_text
from renderer.kubernetes.data import Data, items, mapping, texts, words
from renderer.text.wording import counted, listed
from renderer.values.derivations import DerivedObject

_GIBI = 2**30


def summarise(content: Data) -> DerivedObject:
    return made(content, "KubeRay", tuple(_lines(content)))


def summarise_pod(plan: RayPlan, group: Group, content: Data) -> DerivedObject:
    """The pods of a group: how many, how Ray is started there and what it takes a node for."""
    params = effective_params(plan, group)
    lines = [
        ("pods", pods_text(plan, group)),
        ("ray start", "\n".join(f"{name}: {value}" for name, value in params.items())),
        ("Ray sees", sizes_text(node_resources(params))),
        *_pod(mapping(content, "spec")),
    ]
    return made(content, "KubeRay", tuple(lines))


def pods_text(plan: RayPlan, group: Group) -> str:
    """How many pods there are, and within which bounds, where something moves them."""
    start, least, most = pod_numbers(group, is_scaled=plan.cluster.is_scaled)
    count = counted(start, "pod")
    if group.is_head or not plan.cluster.is_scaled:
        return count
    bounds = f"{least} or more" if most is None else f"{least} to {most}"
    return f"{count} at first, {bounds} as Ray scales them"


def sizes_text(amounts: Mapping[str, float]) -> str:
    """What a node offers, in Ray's terms."""
    parts = [f"{amounts[CPU]:g} CPU" if CPU in amounts else "the CPUs of the machine"]
    if MEMORY in amounts:
        parts.append(f"{amounts[MEMORY] / _GIBI:.4g} GiB of memory")
    else:
        parts.append("the memory of the machine")
    if amounts.get(GPU):
        parts.append(f"{amounts[GPU]:g} GPU")
    own = (CPU, GPU, MEMORY)
    parts += (f"{amounts[name]:g} {name}" for name in amounts if name not in own)
    return ", ".join(parts)


def _lines(content: Data) -> Iterator[tuple[str, str]]:
    spec = mapping(content, "spec")
    match content.get("kind"):
        case "Service":
            ports = (f"{item.get('port')} ({item.get('name')})" for item in items(spec, "ports"))
            yield "type", "headless" if spec.get("clusterIP") == "None" else str(spec.get("type"))
            yield "ports", ", ".join(ports) or "all of its pods"
        case "RayCluster":
            groups = [str(item.get("groupName")) for item in items(spec, "workerGroupSpecs")]
            yield "groups", ", ".join(["head", *groups])
        case "Job":
            yield "tries", str(int(str(spec.get("backoffLimit"))) + 1)
            yield from _pod(mapping(spec, "template", "spec"))
        case "Ingress":
            rule = next(iter(items(spec, "rules")), {})
            path = next(iter(items(mapping(rule, "http"), "paths")), {})
            service = mapping(path, "backend", "service")
            yield "path", f"{rule.get('host', '')}{path.get('path')} to {service.get('name')}"
            yield "class", str(spec.get("ingressClassName") or "the default of the cluster")
        case "Role":
            yield "may", "\n".join(_permission(item) for item in items(content, "rules"))
        case "RoleBinding":
            yield "to", ", ".join(str(item.get("name")) for item in items(content, "subjects"))
        case "Secret":
            yield "keys", ", ".join(texts(content, "data"))


def _permission(rule: Data) -> str:
    return f"{', '.join(words(rule, 'verbs'))} {', '.join(words(rule, 'resources'))}"


def _pod(pod: Data) -> Iterator[tuple[str, str]]:
    for container in items(pod, "initContainers"):
        yield "first", f"{container.get('name')}: {container.get('image')}"
    for container in items(pod, "containers"):
        yield (
            "container",
            f"{container.get('name')}: {amounts_text(mapping(container, 'resources'))}",
        )
        yield "image", str(container.get("image"))
        if (command := " ".join(words(container, "args"))) and not command.startswith("ulimit "):
            yield "runs", command
        if probe := mapping(container, "readinessProbe"):
            yield "ready when", _probe(probe)


def _probe(probe: Data) -> str:
    if http := mapping(probe, "httpGet"):
        return f"GET {http.get('path', '/')} at {http.get('port')} answers"
    command = " ".join(words(mapping(probe, "exec"), "command"))
    urls = [word for word in command.split() if word.startswith("http")]
    if urls and command.startswith("bash -c wget"):
        return f"{listed(urls)} {'answer' if len(urls) > 1 else 'answers'}"
    return command or ", ".join(probe)
