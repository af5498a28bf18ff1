"""Options of the autoscaler, which is a container beside Ray's in the head."""

from renderer.backends.fields import made, text
from renderer.backends.kuberay.messages.values import whole
from renderer.backends.kuberay.messages.variables import variables, whole_sources
from renderer.backends.kuberay.messages.volumes import mounts
from renderer.values.tree import Node, constant

_CPU = constant("500m", "what the API server takes where only the other amount is given")
_MEMORY = constant("512Mi", "what the API server takes where only the other amount is given")
_KEPT = ("idleTimeoutSeconds", "upscalingMode", "image")


def autoscaler_options(given: Node) -> Node:
    """The options of the custom resource; what is empty in a message is not said."""
    policy = given.get("imagePullPolicy")
    envs = given.get("envs")
    env, objects = tuple(_values(envs)), tuple(whole_sources(envs))
    return made(
        given,
        {
            **{key: node for key in _KEPT if (node := whole(given.get(key))) and node.value},
            "imagePullPolicy": policy if policy and policy.value == "Always" else None,
            "env": envs.with_value(env) if envs and env else None,
            "envFrom": envs.with_value(objects) if envs and objects else None,
            "volumeMounts": mounts(given),
            "resources": _resources(given),
        },
    )


def _values(envs: Node | None) -> "list[Node]":
    return [item for item in variables(envs) if "value" in item.items]


def _resources(given: Node) -> Node | None:
    cpu, memory = given.get("cpu"), given.get("memory")
    if not text(given, "cpu") and not text(given, "memory"):
        return None
    amounts = made(given, {"cpu": cpu or _CPU, "memory": memory or _MEMORY})
    return made(given, {"limits": amounts, "requests": amounts})
