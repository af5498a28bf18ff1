"""Rows that were made by a generator: every field of a cluster, a job and a service, at KubeRay."""

import json
from functools import cache

from conformance.kuberay.places import HERE
from conformance.kubernetes.pods.trees import changed
from conformance.operators.generation import ABSENT
from conformance.operators.tables import merged, read_bases
from tests.support.kuberay_rows import spec
from tests.support.places import ROOT
from tests.support.replay import Row

_PLACE = ROOT / "tests/observed/kuberay/generated"
_VERSION = "1.6.1"
KUBERAY = "ray.io/kuberay-operator"


@cache
def bases():
    return read_bases(HERE)


def generated(kind):
    """All rows of `cases` or `edits`."""
    paths = sorted((_PLACE / kind).glob("*.json"))
    return [row for path in paths for row in json.loads(path.read_text("utf-8"))]


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
    asked = {"kuberay": {"version": _VERSION}, "kubernetes": {"version": "1.33"}}
    return Row({"destinations": [place], **asked}, {"asked": spec(manifest_of(row, side))})


def was_refused(row):
    """By the API server or the operator, at once or later; or no pods are made without a word."""
    is_gone = any(
        name.startswith("pods of ") and name.endswith("/headgroup") and how == "removed"
        for name, how in row.get("changes", {}).items()
    )
    return not row["accepted"] or (is_gone and not is_left_alone(row))


def is_left_alone(row):
    """Whether nothing is to run, or another controller is to see to it."""
    given = manifest_of(row, "after")["spec"]
    inner = (given.get(key, {}) for key in ("rayClusterSpec", "rayClusterConfig"))
    managers = (KUBERAY, None)
    return any(
        one.get("suspend") or one.get("managedBy") not in managers for one in (given, *inner)
    )
