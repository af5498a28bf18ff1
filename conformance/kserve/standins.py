"""Those who are not there: controllers of Deployments and of Knative Services, which say "ready".

KServe goes on only when they have: it makes an Ingress when a Deployment is available, and splits
traffic between revisions that Knative has named.
"""

import json
from typing import Any

from conformance.kubernetes.client import Client, Object
from conformance.operators.quiet import items_of

_TIME = "2000-01-01T00:00:00Z"
_DEPLOYMENTS = "/apis/apps/v1/deployments"
_SERVICES = "/apis/serving.knative.dev/v1/services"


class StandIns:
    """They remember the templates of Knative Services: each new one is a revision."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._templates: dict[str, list[Any]] = {}
        self._said: set[str] = set()

    def work(self) -> bool:
        """Once for everything that there is; whether there was something new to say.

        KServe may do more when it has heard that, as with the share of a first revision.
        """
        before = len(self._said)
        for item in items_of(self._client, _DEPLOYMENTS):
            self._report(_DEPLOYMENTS, item, _of_deployment(item))
        for item in items_of(self._client, _SERVICES):
            seen = self._templates.setdefault(item["metadata"]["uid"], [])
            if not seen or seen[-1] != item["spec"]["template"]:
                seen.append(item["spec"]["template"])
            self._report(_SERVICES, item, _of_service(item, len(seen)))
        return len(self._said) > before

    def _report(self, path: str, item: Object, status: Object) -> None:
        base, _, plural = path.rpartition("/")
        place = f"namespaces/{item['metadata']['namespace']}/{plural}/{item['metadata']['name']}"
        patch = {"status": {**status, "observedGeneration": item["metadata"]["generation"]}}
        self._said.add(json.dumps([item["metadata"]["uid"], status], sort_keys=True))
        content = "merge-patch+json"
        reply = self._client.request("PATCH", f"{base}/{place}/status", patch, content)
        assert not reply.is_refusal, reply


def _condition(kind: str) -> Object:
    return {"type": kind, "status": "True", "lastTransitionTime": _TIME}


def _of_deployment(item: Object) -> Object:
    number = item["spec"].get("replicas", 1)
    counts = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    return {
        **dict.fromkeys(counts, number),
        "conditions": [_condition("Available")],
    }


def _of_service(item: Object, number: int) -> Object:
    """Knative's names of revisions, and the traffic as it was asked for."""
    name, namespace = item["metadata"]["name"], item["metadata"]["namespace"]
    latest = f"{name}-{number:05}"
    traffic = [{"revisionName": latest, **target} for target in item["spec"].get("traffic", ())]
    return {
        "conditions": [
            _condition(kind) for kind in ("ConfigurationsReady", "Ready", "RoutesReady")
        ],
        "latestCreatedRevisionName": latest,
        "latestReadyRevisionName": latest,
        "traffic": traffic,
        "url": f"http://{name}.{namespace}.example.com",
        "address": {"url": f"http://{name}.{namespace}.svc.cluster.local"},
    }
