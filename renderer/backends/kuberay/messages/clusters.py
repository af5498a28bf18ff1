"""The message that describes a cluster, as the spec of a RayCluster."""

from renderer.backends.fields import elements, made, text
from renderer.backends.kuberay.dialect import shown
from renderer.backends.kuberay.images import Image
from renderer.backends.kuberay.messages.autoscaler import autoscaler_options
from renderer.backends.kuberay.messages.pods import PodRequest, head_template, worker_template
from renderer.backends.kuberay.messages.values import whole
from renderer.values.model import Environment, Spec
from renderer.values.tree import Node, constant

_NO_PARAMETERS = constant({}, "versions before 1.4 refuse a group without")
_BOUNDS = ("replicas", "minReplicas", "maxReplicas")


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
    scales = given.get("enableInTreeAutoscaling")
    is_scaled = scales is not None and scales.value is True
    options = given.get("autoscalerOptions")
    return made(
        given,
        {
            "rayVersion": version,
            "enableInTreeAutoscaling": scales if is_scaled else None,
            "autoscalerOptions": autoscaler_options(options) if options and is_scaled else None,
            "headServiceAnnotations": given.get("headServiceAnnotations"),
            "headGroupSpec": _head(given.get("headGroupSpec"), request),
            "workerGroupSpecs": workers.with_value(groups) if workers else None,
        },
    )


def ray_version(tree: Node) -> Node | None:
    """The version that a message gives, else the one in the tag of the head's image."""
    given = tree.get("version")
    if given is not None and given.value:
        return given
    image = tree.get("clusterSpec", "headGroupSpec", "image")
    version = Image.of(str(image.value)).ray_version if image else None
    return image.with_value(shown(version)) if image and version else None


def _head(group: Node | None, request: PodRequest) -> Node | None:
    if group is None:
        return None
    ingress = group.get("enableIngress")
    return made(
        group,
        {
            "serviceType": group.get("serviceType") if text(group, "serviceType") else None,
            "enableIngress": ingress if ingress and ingress.value is True else None,
            "rayStartParams": group.get("rayStartParams") or _NO_PARAMETERS,
            "template": head_template(group, request),
        },
    )


def _worker(group: Node, request: PodRequest) -> Node:
    """A group of workers. Only a lower bound that is not given is the number of replicas."""
    bounds = {key: whole(group.get(key)) for key in _BOUNDS}
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
