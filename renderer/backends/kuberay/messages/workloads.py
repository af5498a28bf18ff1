"""The messages of clusters, jobs and services, as the specs of their custom resources."""

import binascii
from base64 import b64decode

from renderer.backends.fields import elements, made
from renderer.backends.kuberay.dialect import RayImage, version_text
from renderer.backends.kuberay.messages.pods import (
    PodRequest,
    autoscaler_options,
    fixed_amounts,
    head_template,
    worker_template,
)
from renderer.backends.kuberay.messages.values import nonempty, parse_number
from renderer.backends.kuberay.vocabulary import JOB, SERVICE, shared_fields
from renderer.text.yaml_reader import read
from renderer.values.model import Environment, Spec
from renderer.values.tree import Node, constant

_NO_PARAMETERS = constant({}, "versions before 1.4 refuse a group without")
_BOUNDS = ("replicas", "minReplicas", "maxReplicas")
_SUBMITTER = constant("ray-job-submitter", "the name of the submitter's container")
_NEVER = constant("Never", "the API server has a submitter tried once")
_CPU = constant("1", "what the API server takes where none is given")
_MEMORY = constant("1Gi", "what the API server takes where none is given")
_GRAPH = "serveDeploymentGraphSpec"


def cluster_fields(spec: Spec, environment: Environment, *, serves: bool) -> Node | None:
    """What a spec's `clusterSpec` means; nothing if it has none."""
    tree = spec.tree
    given = tree.get("clusterSpec")
    if given is None:
        return None
    version = ray_version(tree)
    request = PodRequest(environment, version, tree.get("envs"), serves)
    workers = given.get("workerGroupSpec")
    groups = tuple(_worker(item, request) for item in elements(workers))
    scales, options = nonempty(given, "enableInTreeAutoscaling"), given.get("autoscalerOptions")
    return made(
        given,
        {
            "rayVersion": version,
            "enableInTreeAutoscaling": scales,
            "autoscalerOptions": autoscaler_options(options) if options and scales else None,
            "headServiceAnnotations": given.get("headServiceAnnotations"),
            "headGroupSpec": _head(given.get("headGroupSpec"), request),
            "workerGroupSpecs": workers.with_value(groups) if workers else None,
        },
    )


def ray_version(tree: Node) -> Node | None:
    """The version that a message gives, else the one in the tag of the head's image."""
    if given := nonempty(tree, "version"):
        return given
    image = tree.get("clusterSpec", "headGroupSpec", "image")
    version = RayImage.of(str(image.value)).ray_version if image else None
    return image.with_value(version_text(version)) if image and version else None


def _head(group: Node | None, request: PodRequest) -> Node | None:
    if group is None:
        return None
    return made(
        group,
        {
            "serviceType": nonempty(group, "serviceType"),
            "enableIngress": nonempty(group, "enableIngress"),
            "rayStartParams": group.get("rayStartParams") or _NO_PARAMETERS,
            "template": head_template(group, request),
        },
    )


def _worker(group: Node, request: PodRequest) -> Node:
    """A group of workers. Only a lower bound that is not given is the number of replicas."""
    bounds = {key: parse_number(group.get(key)) for key in _BOUNDS}
    bounds["minReplicas"] = bounds["minReplicas"] or bounds["replicas"]
    return made(
        group,
        {
            "groupName": group.get("groupName"),
            **bounds,
            "rayStartParams": group.get("rayStartParams") or _NO_PARAMETERS,
            "template": worker_template(group, request),
        },
    )


def job_fields(spec: Spec, environment: Environment) -> Node:
    """All fields of a job, also `entrypointNumGpus`, which the API server takes and loses."""
    tree = spec.tree
    runtime, submitter = nonempty(tree, "runtimeEnv"), tree.get("jobSubmitter")
    return made(
        tree,
        {
            **{key: nonempty(tree, key) for key in shared_fields(JOB)},
            "runtimeEnvYAML": plain_runtime_env(runtime) if runtime else None,
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
    cpu, memory = nonempty(given, "cpu") or _CPU, nonempty(given, "memory") or _MEMORY
    container = {
        "name": _SUBMITTER,
        "image": given.get("image"),
        "resources": fixed_amounts(given, cpu, memory),
    }
    pod = {"restartPolicy": _NEVER, "containers": given.with_value((made(given, container),))}
    return made(given, {"spec": made(given, pod)})


def service_fields(spec: Spec, environment: Environment) -> Node:
    """All fields of a service; its serve config is checked where it is read."""
    tree, keys = spec.tree, (*shared_fields(SERVICE), _GRAPH)
    return made(
        tree,
        {
            **{key: nonempty(tree, key) for key in keys},
            "rayClusterConfig": cluster_fields(spec, environment, serves=True),
        },
    )
