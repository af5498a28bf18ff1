"""The message of a job, as the spec of a RayJob."""

import binascii
from base64 import b64decode

from renderer.backends.fields import made, text
from renderer.backends.kuberay.messages.clusters import cluster_fields
from renderer.backends.kuberay.vocabulary import JOB, shared_words
from renderer.text.yaml_reader import read
from renderer.values.model import Environment, Spec
from renderer.values.tree import Node, constant

_SUBMITTER = constant("ray-job-submitter", "the name of the submitter's container")
_NEVER = constant("Never", "the API server has a submitter tried once")
_CPU = constant("1", "what the API server takes where none is given")
_MEMORY = constant("1Gi", "what the API server takes where none is given")


def job_fields(spec: Spec, environment: Environment) -> Node:
    """All that a message says of a job, with the GPUs of its entrypoint, which the server loses.

    An empty value is one that was not given.
    """
    tree = spec.tree
    runtime, submitter = tree.get("runtimeEnv"), tree.get("jobSubmitter")
    return made(
        tree,
        {
            **{key: node for key in shared_words(JOB) if (node := tree.get(key)) and node.value},
            "runtimeEnvYAML": plain_runtime_env(runtime) if runtime and runtime.value else None,
            "submitterPodTemplate": _submitter(submitter) if submitter else None,
            "rayClusterSpec": cluster_fields(spec, environment, serves=False),
        },
    )


def plain_runtime_env(given: Node) -> Node:
    """A runtime environment as it is meant: old clients sent it as base64."""
    if not isinstance(given.value, str):
        return given
    try:
        decoded = b64decode(given.value, validate=True)
    except (binascii.Error, ValueError):
        return given
    tree = read(decoded, "").document.tree
    return given.with_value(decoded.decode()) if tree and tree.items else given


def _submitter(given: Node) -> Node:
    """The pod that submits: limits and requests are the same."""
    amounts = made(
        given,
        {
            "cpu": given.get("cpu") if text(given, "cpu") else _CPU,
            "memory": given.get("memory") if text(given, "memory") else _MEMORY,
        },
    )
    container = {
        "name": _SUBMITTER,
        "image": given.get("image"),
        "resources": made(given, {"limits": amounts, "requests": amounts}),
    }
    pod = {"restartPolicy": _NEVER, "containers": given.with_value((made(given, container),))}
    return made(given, {"spec": made(given, pod)})
