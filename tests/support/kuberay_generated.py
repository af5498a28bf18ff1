"""Rows that were made by a generator: every field of a cluster, a job and a service, at KubeRay."""

import json
from functools import cache

from conformance.kuberay.places import HERE
from conformance.kubernetes.pods.trees import changed
from conformance.operators.generation import ABSENT
from conformance.operators.tables import merged, read_bases
from conformance.operators.versions import generated_rows
from tests.support.kuberay_rows import spec
from tests.support.places import ROOT
from tests.support.replay import Row

PLACE = ROOT / "tests/observed/kuberay/generated"
_VERSION = "1.6.1"
KUBERAY, HEAD = "ray.io/kuberay-operator", "headgroup"
#: Ways to submit a job without a Job of Kubernetes.
_WITHOUT_JOB = ("HTTPMode", "InteractiveMode", "SidecarMode")


@cache
def bases():
    return read_bases(HERE)


@cache
def generated(kind, version=""):
    """All rows of `cases` or `edits`; of another version than the usual one if that is named."""
    return generated_rows(PLACE, kind, version)


def manifest_of(row, side):
    """What was applied, before or after."""
    given = bases()[row["base"]]
    if "path" in row:
        value = None if row[side] == ABSENT else row[side]
        given = changed(given, tuple(row["path"]), value)
    return merged(given, {"metadata": {"name": "asked", "namespace": "ray"}})


def replayed(row, side="after"):
    """The environment of a row with its spec."""
    place = {"name": "east", "platform": "kubernetes", "namespace": "ray"}
    asked = {
        "kuberay": {"version": row.get("version", _VERSION)},
        "kubernetes": {"version": "1.33"},
    }
    return Row({"destinations": [place], **asked}, {"asked": spec(manifest_of(row, side))})


def was_refused(row):
    """By the API server or the operator, at once or later; or what runs is not made, silently."""
    is_lacking = _lacks_pods(row) or _lacks_requests(row) or _lacks_submitter(row)
    return not row["accepted"] or (is_lacking and not is_left_alone(row))


def _lacks_pods(row):
    """Whether a group that is to have pods, as that of the base has, has none."""
    gone = {
        name.partition("/")[2]
        for name, how in row.get("changes", {}).items()
        if _is_gone(name, how)
    }
    cluster = _cluster(manifest_of(row, "after")["spec"])
    wanted = {item["groupName"] for item in cluster.get("workerGroupSpecs", ()) if _number(item)}
    return bool(gone & {HEAD, *wanted})


def _lacks_requests(row):
    """Whether no Service is made for the requests of a service, as it never becomes ready."""
    changes = row.get("changes", {})
    services = [how for name, how in changes.items() if name.startswith("Service/")]
    return changes.get("Service/asked-serve-svc") == "removed" and "added" not in services


def _lacks_submitter(row):
    """Whether nobody submits a job, though the way that it asks for is none without a Job."""
    mode = manifest_of(row, "after")["spec"].get("submissionMode")
    return row.get("changes", {}).get("Job/asked") == "removed" and mode not in _WITHOUT_JOB


def _is_gone(name, how):
    return name.startswith("pods of ") and how == "removed"


def _cluster(given):
    """The Ray cluster of a spec, or the spec of one."""
    return given.get("rayClusterSpec") or given.get("rayClusterConfig") or given


def _number(group):
    """How many replicas a group is to have: KubeRay brings them within the bounds."""
    least, most = group.get("minReplicas", 0), group.get("maxReplicas", 1)
    return not group.get("suspend") and max(min(group.get("replicas", 0), most), least) > 0


def was_dropped(row):
    """Whether nothing of a value reached any pod: the API server does not know the field."""
    pods = [how for name, how in row.get("changes", {}).items() if name.startswith("pods of ")]
    is_same = all(isinstance(how, list) and all(map(_says_nothing, how)) for how in pods)
    return row["accepted"] and is_same


def _says_nothing(change):
    is_hash = change["path"] == "pod.annotations.ray.io/upgrade-strategy-recreate-hash"
    return is_hash or _is_empty(change)


def _is_empty(change):
    """A volume without a source is what is left of one that nobody knows."""
    return '"sources": [{}]' in json.dumps(change.get("after"))


def is_left_alone(row):
    """Whether nothing is to run, or another controller is to see to it."""
    given = manifest_of(row, "after")["spec"]
    inner = (given.get(key, {}) for key in ("rayClusterSpec", "rayClusterConfig"))
    managers = (KUBERAY, None)
    return any(
        one.get("suspend") or one.get("managedBy") not in managers for one in (given, *inner)
    )
