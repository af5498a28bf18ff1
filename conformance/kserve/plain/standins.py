"""Those who are not there: what runs the Jobs that fetch models; else as beside services."""

from pathlib import Path

from conformance.kserve.plain.cluster import MADE
from conformance.kserve.standins import StandIns as OfServices
from conformance.kubernetes.client import Client, Object
from conformance.operators.quiet import items_of

#: In the address of a model that cannot be fetched.
_BROKEN = "/broken/"
_TIME = "2000-01-01T00:00:00Z"


class StandIns:
    """Deployments are available, Knative Services ready, and Jobs have fetched their models."""

    def __init__(self, client: Client, models: Path) -> None:
        self._client = client
        self._models = models
        self._others = OfServices(client)
        self._fetched: set[str] = set()

    def work(self) -> bool:
        """Once for everything that there is; whether there was something new to say."""
        is_new = self._others.work()
        for job in items_of(self._client, MADE["Job"]):
            uid = job["metadata"]["uid"]
            if uid not in self._fetched:
                self._fetched.add(uid)
                self._end(job)
                is_new = True
        return is_new

    def _end(self, job: Object) -> None:
        """The folder is there before the Job says so, as the agent fetches again without it."""
        (container,) = job["spec"]["template"]["spec"]["containers"]
        is_broken = _BROKEN in container["args"][0]
        if not is_broken:
            folder = container["volumeMounts"][0]["subPath"].rpartition("/")[2]
            (self._models / folder).mkdir(parents=True, exist_ok=True)
        about = job["metadata"]
        path = f"/apis/batch/v1/namespaces/{about['namespace']}/jobs/{about['name']}/status"
        status = {"startTime": _TIME, "failed" if is_broken else "succeeded": 1}
        reply = self._client.request("PATCH", path, {"status": status}, "merge-patch+json")
        assert not reply.is_refusal, reply
