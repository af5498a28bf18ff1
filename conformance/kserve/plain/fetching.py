"""How a pod that starts now gets its model: dry runs, and nothing stays."""

import json

from conformance.kserve.pods import mutated_pod
from conformance.kubernetes.client import Client, Object

#: So often it is asked: of storage containers that fit alike, KServe takes any.
_TIMES = 30
_SOURCE = "internal.serving.kserve.io/storage-initializer-sourceuri"


def fetched(client: Client, namespace: str, address: str) -> list[Object]:
    """What KServe's webhook adds to the pod of a service with a model at an address.

    In whatever ways it does so, in the order of their texts.
    """
    about = {"labels": {"serving.kserve.io/inferenceservice": "asked"}}
    container = {"name": "kserve-container", "image": "registry.example.com/server:1.0"}
    template = {
        "metadata": {**about, "annotations": {_SOURCE: address}},
        "spec": {"containers": [container]},
    }
    pod = {"spec": {"template": template}}
    seen = {json.dumps(_added(mutated_pod(client, namespace, pod))) for _ in range(_TIMES)}
    return [json.loads(text) for text in sorted(seen)]


def _added(pod: Object) -> Object:
    return {key: pod[key] for key in ("initContainers", "refused") if key in pod}
