"""What KServe's webhook makes of the pods of a Deployment: it downloads models, logs, batches."""

import re

from conformance.kubernetes.client import Client, Object
from conformance.operators.plain import cleaned

#: What KServe adds to; the API server adds tolerations, a priority and the like on its own.
_ADDED_TO = ("initContainers", "containers", "volumes")
#: Containers whose arguments are scripts of KServe's; they say nothing about the model.
_SCRIPTED = "modelcar"
#: The API server draws a name, also of a dry run.
_DRAWN_NAME = re.compile(r"\bpod-[a-z0-9]{5}\b")


def mutated_pod(client: Client, namespace: str, deployment: Object) -> Object:
    """As far as it differs from the template: a dry run, and nothing stays."""
    template = deployment["spec"]["template"]
    place = {"generateName": "pod-", "namespace": namespace}
    labels = {key: template["metadata"].get(key, {}) for key in ("labels", "annotations")}
    asked = {"apiVersion": "v1", "kind": "Pod", "metadata": {**labels, **place}}
    reply = client.try_to_create({**asked, "spec": template["spec"]})
    if reply.is_refusal:
        return {"refused": _DRAWN_NAME.sub("pod-…", reply.body["message"])}
    spec = cleaned(reply.body)["spec"]
    for container in (*spec["containers"], *spec.get("initContainers", ())):
        if container["name"].startswith(_SCRIPTED):
            del container["args"]
    return {key: spec[key] for key in _ADDED_TO if spec.get(key) != template["spec"].get(key)}
