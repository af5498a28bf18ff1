"""The pods of messages: one container each, sized by a compute template, and its variables."""

from collections.abc import Iterable, Iterator

from renderer.backends.fields import elements, made, members, text
from renderer.backends.kuberay.compute_templates import ANNOTATION, ComputeTemplate
from renderer.backends.kuberay.messages.values import name_of, nonempty, parse_number
from renderer.backends.kuberay.messages.volumes import mounts, volumes
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

_IMAGE_ANNOTATION = "ray.io/compute-image"
_API = "the KubeRay API server sets it in every pod"
_HEAD_PORTS = "the ports that the operator's head service has"
#: The operator's own names and numbers, with the start parameter that changes a number.
_PORTS = (
    ("gcs-server", 6379, "port"),
    ("dashboard", 8265, "dashboard-port"),
    ("client", 10001, "ray-client-server-port"),
    ("metrics", 8080, "metrics-export-port"),
)
SERVE_PORT = 8000
_WORKER_AMOUNTS = ("requests.cpu", "limits.cpu", "requests.memory", "limits.memory")
_WORKER_AMOUNT_NAMES = ("CPU_REQUEST", "CPU_LIMITS", "MEMORY_REQUESTS", "MEMORY_LIMITS")
_PRE_STOP: Plain = {"preStop": {"exec": {"command": ["/bin/sh", "-c", "ray stop"]}}}
_CPU = constant("500m", "what the API server takes where only the other amount is given")
_MEMORY = constant("512Mi", "what the API server takes where only the other amount is given")
_KEPT = ("idleTimeoutSeconds", "upscalingMode", "image")


class PodRequest(NamedTuple):
    """What the pods of a group are made of besides the group itself.

    `version` is that of Ray, which names the image of a group without one; `envs` are for all
    groups of the cluster.
    """

    environment: Environment
    version: Node | None
    envs: Node | None = None
    serves: bool = False


def head_template(group: Node, request: PodRequest) -> Node:
    ports = tuple(_ports(group, serves=request.serves))
    own = {"ports": constant([], _HEAD_PORTS).with_members(ports)}
    env = (_field("MY_POD_IP", "status.podIP"),)
    return _template(group, request, "ray-head", env, own)


def worker_template(group: Node, request: PodRequest) -> Node:
    own = {"lifecycle": constant(_PRE_STOP, _API)}
    return _template(group, request, "ray-worker", _worker_variables(), own)


def _ports(group: Node, *, serves: bool) -> Iterator[Node]:
    params = members(group, "rayStartParams")
    for name, number, parameter in _PORTS:
        given = params.get(parameter)
        if given and str(given.value).isdecimal():
            yield _port(name, given.with_value(int(str(given.value))))
        else:
            yield _port(name, constant(number, _HEAD_PORTS))
    if serves:
        yield _port("serve", constant(SERVE_PORT, _HEAD_PORTS))


def _port(name: str, number: Node) -> Node:
    return made(number, {"name": constant(name, _HEAD_PORTS), "containerPort": number})


def _template(
    group: Node, request: PodRequest, name: str, env: Iterable[Node], own: dict[str, Node]
) -> Node:
    template = ComputeTemplate.of(group, request.environment)
    every = (*env, *variables(request.envs), *variables(group.get("environment")))
    container = {
        "name": constant(name, "the name of the container that runs Ray"),
        "image": nonempty(group, "image") or usual_image(request.version),
        "imagePullPolicy": _pull_policy(group),
        "resources": template.resources() if template else None,
        "env": (group.get("environment") or group).with_value(every),
        "volumeMounts": mounts(group),
        "securityContext": _security(group.get("securityContext")),
        **own,
    }
    pod = {
        "containers": group.with_value((made(group, container),)),
        "volumes": volumes(group),
        "tolerations": _tolerations(template),
        "serviceAccountName": nonempty(group, "serviceAccount"),
        "imagePullSecrets": _pull_secrets(group),
    }
    metadata = made(
        group, {"labels": group.get("labels"), "annotations": _annotations(group, template)}
    )
    return made(group, {"metadata": metadata, "spec": made(group, pod)})


def usual_image(version: Node | None) -> Node | None:
    """What the API server takes for a group that names no image."""
    return version.with_value(f"rayproject/ray:{version.value}") if version else None


def _pull_policy(group: Node) -> Node:
    given = group.get("imagePullPolicy")
    policy = "Always" if text(group, "imagePullPolicy").lower() == "always" else "IfNotPresent"
    return given.with_value(policy) if given else constant(policy, _API)


def _annotations(group: Node, template: ComputeTemplate | None) -> Node | None:
    found: dict[str, Node] = {}
    if template:
        found[ANNOTATION] = template.annotation
    if text(group, "image"):
        found[_IMAGE_ANNOTATION] = group.items["image"]
    found.update(members(group, "annotations"))
    return (group.get("annotations") or group).with_value(found) if found else None


def _tolerations(template: ComputeTemplate | None) -> Node | None:
    found = template.tolerations() if template else ()
    where = template.spec.tree.get("tolerations") if template else None
    return where.with_value(found) if where and found else None


def _pull_secrets(group: Node) -> Node | None:
    secret = nonempty(group, "imagePullSecret")
    return secret.with_value((made(secret, {"name": secret}),)) if secret else None


def _security(given: Node | None) -> Node | None:
    """The privileges in a message, and none that it does not have."""
    if given is None:
        return None
    capabilities = given.get("capabilities")
    some = {key: capabilities.get(key) for key in ("add", "drop")} if capabilities else {}
    kept = {key: node for key, node in some.items() if node and elements(node)}
    held = made(capabilities, kept) if capabilities and kept else None
    return made(given, {"privileged": given.get("privileged"), "capabilities": held})


def _worker_variables() -> Iterator[Node]:
    yield constant({"name": "RAY_DISABLE_DOCKER_CPU_WARNING", "value": "1"}, _API)
    yield constant({"name": "TYPE", "value": "worker"}, _API)
    for name, resource in zip(_WORKER_AMOUNT_NAMES, _WORKER_AMOUNTS, strict=True):
        source: Plain = {"containerName": "ray-worker", "resource": resource}
        yield constant({"name": name, "valueFrom": {"resourceFieldRef": source}}, _API)
    yield _field("MY_POD_NAME", "metadata.name")
    yield _field("MY_POD_IP", "status.podIP")


def _field(name: str, path: str) -> Node:
    return constant({"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}, _API)


def autoscaler_options(given: Node) -> Node:
    """The options of the custom resource."""
    policy = given.get("imagePullPolicy")
    envs = given.get("envs")
    env, objects = tuple(_plain_variables(envs)), tuple(whole_sources(envs))
    return made(
        given,
        {
            **{key: node for key in _KEPT if (node := parse_number(given.get(key))) and node.value},
            "imagePullPolicy": policy if policy and policy.value == "Always" else None,
            "env": envs.with_value(env) if envs and env else None,
            "envFrom": envs.with_value(objects) if envs and objects else None,
            "volumeMounts": mounts(given),
            "resources": _resources(given),
        },
    )


def _plain_variables(envs: Node | None) -> "list[Node]":
    return [item for item in variables(envs) if "value" in item.items]


def _resources(given: Node) -> Node | None:
    if not nonempty(given, "cpu") and not nonempty(given, "memory"):
        return None
    return fixed_amounts(given, given.get("cpu") or _CPU, given.get("memory") or _MEMORY)


def fixed_amounts(where: Node, cpu: Node, memory: Node) -> Node:
    """Resources whose limits and requests are the same."""
    amounts = made(where, {"cpu": cpu, "memory": memory})
    return made(where, {"limits": amounts, "requests": amounts})


def variables(given: Node | None) -> Iterator[Node]:
    """The variables of a message, values first, each by name: the order of a map means nothing."""
    for name, value in sorted(members(given, "values").items()):
        yield made(value, {"name": _key(name, value), "value": value})
    for name, source in sorted(members(given, "valuesFrom").items()):
        yield made(source, {"name": _key(name, source), "valueFrom": _value_source(source)})


def _key(name: str, node: Node) -> Node:
    return Node(name, node.key or node.origin)


def _value_source(source: Node) -> Node:
    """Where a value is taken from, in the fields of Kubernetes."""
    name, key = source.get("name"), source.get("key")
    match name_of(source.get("source"), "source"):
        case "CONFIGMAP":
            return made(source, {"configMapKeyRef": made(source, {"name": name, "key": key})})
        case "SECRET":
            return made(source, {"secretKeyRef": made(source, {"name": name, "key": key})})
        case "RESOURCEFIELD":
            place = made(source, {"containerName": name, "resource": key})
            return made(source, {"resourceFieldRef": place})
        case _:
            path = key if key and key.value else name  # people write it in either
            return made(source, {"fieldRef": made(source, {"fieldPath": path})})


def whole_sources(given: Node | None) -> Iterator[Node]:
    """The objects all of whose keys become variables, as the autoscaler takes them."""
    for _, source in sorted(members(given, "valuesFrom").items()):
        kinds = {"CONFIGMAP": "configMapRef", "SECRET": "secretRef"}
        if kind := kinds.get(name_of(source.get("source"), "source")):
            yield made(source, {kind: made(source, {"name": source.get("name")})})
