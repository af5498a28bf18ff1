"""Rows that were made by a generator: every field of a service and of a runtime, at KServe."""

import json
from functools import cache

from conformance.kserve.places import HERE
from conformance.kubernetes.pods.trees import changed
from conformance.operators.generation import ABSENT
from conformance.operators.tables import merged, read_bases
from conformance.operators.versions import expected_rows, generated_rows
from tests.support.kserve_rows import RUNTIMES, spec
from tests.support.places import ROOT
from tests.support.replay import Row

PLACE = ROOT / "tests/observed/kserve/generated"
_VERSION = "0.20.0"
_WORKLOADS = ("Deployment/", "KnativeService/")
#: The services that use the runtimes of rows.
_USERS = {"own-runtime": "own-format", "knative-own-runtime": "knative-own-format"}


@cache
def bases():
    return read_bases(HERE)


@cache
def generated(kind, version=""):
    """All rows of `cases` or `edits`; of another version than the usual one if that is named."""
    return generated_rows(PLACE, kind, version)


def manifest_of(row, side):
    """What was applied, before or after."""
    base = bases()[row["base"]]
    named = merged({"metadata": {"name": "asked", "namespace": "models"}}, base)
    if "path" not in row:
        return named
    value = row[side]
    return changed(named, tuple(row["path"]), None if value == ABSENT else value)


def user_of(row):
    """The service of a runtime."""
    service = merged(
        {"metadata": {"name": "asked", "namespace": "models"}}, bases()[_USERS[row["base"]]]
    )
    return merged(service, {"spec": {"predictor": {"model": {"runtime": "asked"}}}})


def replayed(row, side="after"):
    """The environment of a row with its spec; a runtime has the service that uses it."""
    given = manifest_of(row, side)
    specs = {"asked": spec(given)}
    if given["kind"] in RUNTIMES:
        specs = {"asked-runtime": spec(given), "asked": spec(user_of(row))}
    place = {"name": "east", "platform": "kubernetes", "namespace": "models"}
    asked = {"kserve": {"version": row.get("version", _VERSION)}, "kubernetes": {"version": "1.33"}}
    return Row({"destinations": [place], **asked}, specs)


def was_refused(row):
    """By the API server, a webhook, or the controller and those whom it asks."""
    failed = any("InternalError" in text for text in row.get("events", ()))
    changes = row.get("changes", {})
    gone = [name for name, how in changes.items() if how == "removed" and _is_workload(name)]
    made = [name for name, how in changes.items() if how == "added" and _is_workload(name)]
    about = json.dumps([row.get("path"), row.get("after")])
    is_stopped = "serving.kserve.io/stop" in about
    is_barren = row["base"] in _barren_bases(row.get("version", ""))
    lacks_workload = is_barren or (bool(gone) and not is_stopped)
    return not row["accepted"] or failed or (lacks_workload and not made)


@cache
def _barren_bases(version):
    """Those of which a version makes nothing, so that no row differs from them."""
    return {row["base"] for row in expected_rows(PLACE, "cases", version) if row.get("makes") == []}


def _is_workload(name):
    return name.startswith(_WORKLOADS)


def has_dry_runs(row):
    """Whether a manifest is of a runtime, which KServe's controller makes nothing of."""
    return row["base"] in _USERS
