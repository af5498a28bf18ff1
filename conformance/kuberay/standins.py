"""Those who are not there: the kubelet, and controllers of Jobs, of endpoints and of garbage.

KubeRay goes on only when they have done their part: a Ray cluster is ready when its pods are, a
service when it has endpoints, a job when its submitter is done.
"""

from datetime import UTC, datetime
from typing import Any

from conformance.kuberay.cluster import OWN, OWNED
from conformance.kubernetes.client import Client, Object
from conformance.operators.quiet import items_of

_ADDRESS = "10.0.0.1"
_PODS = "/api/v1/pods"
_JOBS = "/apis/batch/v1/jobs"
_SERVICES = "/api/v1/services"
_SLICES = "/apis/discovery.k8s.io/v1/endpointslices"
_SERVES = "ray.io/serve"
_SUBMITTER = "ray-job-submitter"
#: Jobs whose names start so come to an end, as their dashboards say too.
_ENDING = ("succeeding", "failing")


class StandIns:
    """They do what there is to do, once for each time that they are asked."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def work(self) -> None:
        self._collect_garbage()
        pods = items_of(self._client, _PODS)
        for pod in pods:
            if pod.get("status", {}).get("phase") != "Running":
                self._report(_PODS, pod, _of_pod(pod))
        for job in items_of(self._client, _JOBS):
            if job["metadata"]["name"].startswith(_ENDING) and not job["status"].get("conditions"):
                self._report(_JOBS, job, _of_job())
        for service in items_of(self._client, _SERVICES):
            if _SERVES in (service["spec"].get("selector") or {}):
                self._connect(service, pods)

    def _report(self, path: str, item: Object, status: Object) -> None:
        place = f"{_place(path, item)}/status"
        self._client.request("PATCH", place, {"status": status}, "merge-patch+json")

    def _collect_garbage(self) -> None:
        """What belongs to something that is gone."""
        things = {path: items_of(self._client, path) for path in (*OWN.values(), *OWNED.values())}
        there = {item["metadata"]["uid"] for found in things.values() for item in found}
        for path, found in things.items():
            for item in found:
                owners = item["metadata"].get("ownerReferences", ())
                if owners and not any(owner["uid"] in there for owner in owners):
                    self._client.request("DELETE", _place(path, item))

    def _connect(self, service: Object, pods: list[Object]) -> None:
        """One slice of endpoints for each service, with all its pods."""
        name, namespace = service["metadata"]["name"], service["metadata"]["namespace"]
        wanted = (service["spec"].get("selector") or {}).items()
        endpoints = [
            {
                "addresses": [_ADDRESS],
                "conditions": {"ready": True},
                "targetRef": {"kind": "Pod", "uid": pod["metadata"]["uid"]},
            }
            for pod in pods
            if pod["metadata"]["namespace"] == namespace
            and wanted <= pod["metadata"].get("labels", {}).items()
        ]
        content = {
            "apiVersion": "discovery.k8s.io/v1",
            "kind": "EndpointSlice",
            "metadata": {
                "name": name,
                "namespace": namespace,
                "labels": {"kubernetes.io/service-name": name},
            },
            "addressType": "IPv4",
            "endpoints": endpoints,
        }
        reply = self._client.apply(content)
        assert not reply.is_refusal, reply


def _now() -> str:
    """KubeRay gives up on jobs whose submitters have been done for long."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _place(path: str, item: Object) -> str:
    base, _, plural = path.rpartition("/")
    metadata = item["metadata"]
    return f"{base}/namespaces/{metadata['namespace']}/{plural}/{metadata['name']}"


def _of_pod(pod: Object) -> Object:
    conditions = ("Initialized", "Ready", "ContainersReady", "PodScheduled")
    ends = pod["metadata"]["name"].startswith(_ENDING)
    return {
        "phase": "Running",
        "podIP": _ADDRESS,
        "podIPs": [{"ip": _ADDRESS}],
        "conditions": [{"type": kind, "status": "True"} for kind in conditions],
        "containerStatuses": [
            _of_container(container, ends=ends and container["name"] == _SUBMITTER)
            for container in pod["spec"]["containers"]
        ],
    }


def _of_container(container: Object, *, ends: bool) -> Object:
    ended = {"exitCode": 0, "startedAt": _now(), "finishedAt": _now()}
    state: dict[str, Any] = {"terminated": ended} if ends else {"running": {"startedAt": _now()}}
    return {
        "name": container["name"],
        "image": container["image"],
        "imageID": "",
        "ready": not ends,
        "started": not ends,
        "restartCount": 0,
        "state": state,
    }


def _of_job() -> Object:
    done = ("SuccessCriteriaMet", "Complete")
    return {
        "startTime": _now(),
        "completionTime": _now(),
        "succeeded": 1,
        "conditions": [
            {"type": kind, "status": "True", "lastTransitionTime": _now()} for kind in done
        ],
    }
