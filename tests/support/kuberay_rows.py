"""What KubeRay was asked, as specs: manifests of clusters, jobs and services."""

from functools import cache

from tests.support.replay import HEADER, Row, replay
from tests.support.stored_rows import rows

ROWS = rows("kuberay")
KINDS = ("RayCluster", "RayJob", "RayService")
#: The features of operators that are not as by default, by the namespace of their objects.
GATES = {"gated": {"RayServiceIncrementalUpgrade": True, "RayJobDeletionPolicy": False}}


def spec(manifest):
    """`metadata` and `spec` one level up; a job is called as it was."""
    named = {"name_suffix": "none"} if manifest["kind"] == "RayJob" else {}
    head = {**HEADER, "kind": manifest["kind"], **named}
    return {**head, **manifest["metadata"], **manifest.get("spec", {})}


def replayed(row):
    """The environment of a row, and its spec as `asked`."""
    gates = GATES.get(row["given"]["metadata"].get("namespace"), {})
    environment = {
        "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "ray"}],
        "kuberay": {"version": "1.6.1", "feature_gates": gates},
    }
    return Row(environment, {"asked": spec(row["given"])})


@cache
def evaluated():
    """What every row of a kind that we have comes to, by its name."""
    return replay({row["name"]: replayed(row) for row in ROWS if row["given"]["kind"] in KINDS})
