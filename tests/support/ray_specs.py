"""Specs of Ray in full, of which tests say only what they are about."""

from typing import Any

import yaml

_IMAGE = "rayproject/ray:2.52.0"
_HEAD = {
    "rayStartParams": {"num-cpus": "0"},
    "template": {
        "spec": {
            "containers": [
                {
                    "name": "ray-head",
                    "image": _IMAGE,
                    "resources": {"limits": {"cpu": "2", "memory": "4Gi"}},
                }
            ]
        }
    },
}
_WORKERS = {
    "groupName": "small",
    "replicas": 1,
    "minReplicas": 1,
    "maxReplicas": 3,
    "template": {
        "spec": {
            "containers": [
                {
                    "name": "ray-worker",
                    "image": _IMAGE,
                    "resources": {"limits": {"cpu": "2", "memory": "4Gi"}},
                }
            ]
        }
    },
}
CLUSTER = {"rayVersion": "2.52.0", "headGroupSpec": _HEAD, "workerGroupSpecs": [_WORKERS]}
#: The same in the words of the API server.
MESSAGE = {
    "headGroupSpec": {"computeTemplate": "small", "rayStartParams": {"num-cpus": "0"}},
    "workerGroupSpec": [
        {
            "groupName": "small",
            "computeTemplate": "small",
            "replicas": 1,
            "minReplicas": 1,
            "maxReplicas": 3,
        }
    ],
}
_JOB = {"entrypoint": "python train.py"}
_SERVICE = {"serveConfigV2": {"applications": [{"name": "app", "import_path": "fruit:app"}]}}
#: A kind in the custom resource's words, and in those of a message.
RESOURCES: dict[str, dict[str, Any]] = {
    "ComputeTemplate": {"cpu": 2, "memory": 4},
    "RayCluster": CLUSTER,
    "RayJob": {**_JOB, "rayClusterSpec": CLUSTER},
    "RayService": {**_SERVICE, "rayClusterConfig": CLUSTER},
}
MESSAGES: dict[str, dict[str, Any]] = {
    "RayCluster": {"user": "ann", "version": "2.52.0", "clusterSpec": MESSAGE},
    "RayJob": {**_JOB, "user": "ann", "version": "2.52.0", "clusterSpec": MESSAGE},
    "RayService": {**_SERVICE, "user": "ann", "version": "2.52.0", "clusterSpec": MESSAGE},
}
#: Whose items are completed by the first one of a spec in full.
_LISTS = ("workerGroupSpecs", "workerGroupSpec", "containers")


def completed(kind: str, text: str) -> str:
    """An example with all that a spec of its kind has; `null` takes something away."""
    given = yaml.safe_load(text)
    is_message = given.keys() & {"clusterSpec", "serveDeploymentGraphSpec"}
    base = MESSAGES[kind] if is_message else RESOURCES[kind]
    if "serveDeploymentGraphSpec" in given:
        base = {key: value for key, value in base.items() if key != "serveConfigV2"}
    if "clusterSelector" in given:
        base = {key: value for key, value in base.items() if not key.startswith("rayCluster")}
    return yaml.safe_dump(_merged(base, given), sort_keys=False)


def _merged(base: Any, given: Any, key: str = "") -> Any:
    if isinstance(base, list) and isinstance(given, list) and key in _LISTS:
        return [_merged(base[0] if number == 0 or key != "containers" else {}, item)
                for number, item in enumerate(given)]  # fmt: skip
    if not isinstance(base, dict) or not isinstance(given, dict):
        return given
    both = base | {name: _merged(base.get(name), value, name) for name, value in given.items()}
    return {name: value for name, value in both.items() if value is not None}
