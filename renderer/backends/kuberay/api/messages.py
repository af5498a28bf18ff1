"""The messages of the KubeRay API server as they are sent: fields in its order, one spelling.

Specs may write numbers as text and enumerations as numbers; what is sent has them in one way.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from renderer.backends.fields import plain, text
from renderer.backends.kuberay.messages.values import (
    ACCESS_MODES,
    ENVIRONMENTS,
    HOST_PATH_TYPES,
    MOUNT_PROPAGATIONS,
    SOURCES,
    VOLUME_TYPES,
    name_of,
    whole,
)
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE, TEMPLATE
from renderer.values.tree import Node, Plain

#: The kinds of fields by name: a text, a number, data as it is, names of an enumeration, a message.
Fields = Mapping[str, Any]
_DATA = object()


class _Each(NamedTuple):
    """A mapping whose values are all of a kind."""

    kind: Any


_SOURCE: Fields = {"source": SOURCES, "name": str, "key": str}
_VARIABLES: Fields = {
    "values": _DATA,
    "valuesFrom": _Each(_SOURCE),
}
_VOLUME: Fields = {
    "mountPath": str,
    "volumeType": VOLUME_TYPES,
    "name": str,
    "source": str,
    "readOnly": _DATA,
    "hostPathType": HOST_PATH_TYPES,
    "mountPropagationMode": MOUNT_PROPAGATIONS,
    "storageClassName": str,
    "accessMode": ACCESS_MODES,
    "storage": str,
    "items": _DATA,
}
#: What heads and workers have after what only one of them has.
_PODS: Fields = {
    "rayStartParams": _DATA,
    "volumes": _VOLUME,
    "serviceAccount": str,
    "imagePullSecret": str,
    "environment": _VARIABLES,
    "annotations": _DATA,
    "labels": _DATA,
    "imagePullPolicy": str,
    "securityContext": {"capabilities": {"add": _DATA, "drop": _DATA}, "privileged": _DATA},
}
_HEAD: Fields = {
    "computeTemplate": str,
    "image": str,
    "serviceType": str,
    "enableIngress": _DATA,
    **_PODS,
}
_WORKERS: Fields = {
    "groupName": str,
    "computeTemplate": str,
    "image": str,
    "replicas": int,
    "minReplicas": int,
    "maxReplicas": int,
    **_PODS,
}
_AUTOSCALER: Fields = {
    "idleTimeoutSeconds": int,
    "upscalingMode": str,
    "image": str,
    "imagePullPolicy": str,
    "cpu": str,
    "memory": str,
    "envs": _VARIABLES,
    "volumes": _VOLUME,
}
_CLUSTER: Fields = {
    "headGroupSpec": _HEAD,
    "workerGroupSpec": _WORKERS,
    "enableInTreeAutoscaling": _DATA,
    "autoscalerOptions": _AUTOSCALER,
    "headServiceAnnotations": _DATA,
}
_NAMED: Fields = {"name": str, "namespace": str}
_OWNED: Fields = {**_NAMED, "user": str, "version": str}
#: The message of each kind.
MESSAGES: Mapping[str, Fields] = {
    TEMPLATE: {
        **_NAMED,
        "cpu": int,
        "memory": int,
        "gpu": int,
        "gpuAccelerator": str,
        "tolerations": {"key": str, "operator": str, "value": str, "effect": str},
        "extendedResources": _Each(int),
        "memoryUnit": str,
    },
    CLUSTER: {
        **_OWNED,
        "environment": ENVIRONMENTS,
        "clusterSpec": _CLUSTER,
        "annotations": _DATA,
        "envs": _VARIABLES,
    },
    JOB: {
        **_OWNED,
        "entrypoint": str,
        "metadata": _DATA,
        "runtimeEnv": str,
        "jobId": str,
        "shutdownAfterJobFinishes": _DATA,
        "clusterSelector": _DATA,
        "clusterSpec": _CLUSTER,
        "ttlSecondsAfterFinished": int,
        "jobSubmitter": {"image": str, "cpu": str, "memory": str},
        "entrypointNumCpus": _DATA,
        "entrypointNumGpus": _DATA,
        "entrypointResources": str,
        "activeDeadlineSeconds": int,
    },
    SERVICE: {
        **_OWNED,
        "serveConfigV2": str,
        "serviceUnhealthySecondThreshold": int,
        "deploymentUnhealthySecondThreshold": int,
        "clusterSpec": _CLUSTER,
    },
}


def message(node: Node, fields: Fields) -> dict[str, Plain]:
    """What a message has of a value; an empty text is one that was not given."""
    found = {key: child for key in fields if (child := node.get(key)) is not None}
    said = {key: _value(child, fields[key]) for key, child in found.items()}
    return {key: value for key, value in said.items() if value not in (None, "")}


def _value(node: Node, kind: Any) -> Plain:
    if isinstance(node.value, tuple):
        return [_value(item, kind) for item in node.elements]
    if isinstance(kind, _Each):
        return {key: _value(child, kind.kind) for key, child in node.items.items()}
    if isinstance(kind, Mapping):
        return _source(node) if kind is _SOURCE else message(node, kind)
    if isinstance(kind, tuple):
        return name_of(node, kind)
    if kind is int:
        return plain(whole(node))
    return text(node) if kind is str else node.plain()


def _source(node: Node) -> dict[str, Plain]:
    """Where a variable comes from; the server reads the path of a field in `key` only."""
    said = message(node, _SOURCE)
    if said.get("source") == "FIELD" and "key" not in said:
        return {"source": "FIELD", "key": said.get("name")}
    return said
