"""Kinds of platforms that have a whole pod: how it lies in them, and what they become."""

from collections.abc import Callable
from typing import Any, NamedTuple

from conformance.kubernetes.client import Client
from conformance.kubernetes.pods.asking import QUERY

_HEAD = {
    "name": "ray-head",
    "image": "rayproject/ray:2.52.0",
    "resources": {"limits": {"cpu": "2", "memory": "4Gi"}},
}
#: What a runtime has of a pod, and both kinds of KServe of its metadata.
_FIELDS_OF_RUNTIMES = frozenset(
    ("affinity", "containers", "hostIPC", "imagePullSecrets", "nodeSelector", "resourceClaims",
     "schedulerName", "tolerations", "volumes")
)  # fmt: skip
_FIELDS_OF_METADATA = frozenset(("labels", "annotations"))


def _inference_service(pod: Any) -> dict[str, Any]:
    return {"predictor": {"minReplicas": 1, **pod.get("metadata", {}), **pod["spec"]}}


def _serving_runtime(pod: Any) -> dict[str, Any]:
    formats = [{"name": "own", "version": "1"}]
    return {"supportedModelFormats": formats, **pod.get("metadata", {}), **pod["spec"]}


def _cluster(pod: Any) -> dict[str, Any]:
    head = {"rayStartParams": {"num-cpus": "0"}, "template": pod}
    return {"rayVersion": "2.52.0", "headGroupSpec": head}


def _ray_job(pod: Any) -> dict[str, Any]:
    """The policy is the one that a Job is asked with."""
    return {
        "entrypoint": "python train.py",
        "submitterPodTemplate": {**pod, "spec": {"restartPolicy": "Never", **pod["spec"]}},
        "rayClusterSpec": _cluster({"spec": {"containers": [_HEAD]}}),
    }


class Home(NamedTuple):
    """A kind, and the shape in which its pod comes to the API server in the end."""

    kind: str
    version: str
    plural: str
    shape: str
    spec: Callable[[Any], dict[str, Any]]

    def has_room(self, pod: Any, known: frozenset[str]) -> bool:
        """Whether the kind has the fields at all; one that no pod has is wrong everywhere."""
        if self.kind.startswith("Ray"):
            return True
        metadata, given = pod.get("metadata", {}), frozenset(pod["spec"])
        if self.kind == "ServingRuntime" and (given & known) - _FIELDS_OF_RUNTIMES:
            return False
        return isinstance(metadata, dict) and metadata.keys() <= _FIELDS_OF_METADATA

    def refuses(self, client: Client, pod: Any) -> bool:
        """Whether the schema of the kind does not even let it in; no webhook is asked."""
        thing = {
            "apiVersion": self.version,
            "kind": self.kind,
            "metadata": {"name": "row", "namespace": "default"},
            "spec": self.spec(pod),
        }
        path = f"/apis/{self.version}/namespaces/default/{self.plural}?{QUERY}"
        return client.request("POST", path, thing).is_refusal


HOMES = (
    Home("InferenceService", "serving.kserve.io/v1beta1", "inferenceservices", "deployment",
         _inference_service),
    Home("ServingRuntime", "serving.kserve.io/v1alpha1", "servingruntimes", "deployment",
         _serving_runtime),
    Home("RayCluster", "ray.io/v1", "rayclusters", "pod", _cluster),
    Home("RayJob", "ray.io/v1", "rayjobs", "job", _ray_job),
)  # fmt: skip
