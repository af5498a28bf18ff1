"""What KServe was asked about graphs, trained models and caches, as specs of one cluster."""

import json
from functools import cache

from tests.support.places import ROOT
from tests.support.replay import HEADER, Row, replay

_PLACE = ROOT / "tests/observed/kserve/plain"
_CONTAINER = "ClusterStorageContainer"
_VOLUMES = {"PersistentVolume", "PersistentVolumeClaim"}


def _read(folder):
    paths = sorted((_PLACE / folder).glob("*.json"))
    return {row["name"]: row for path in paths for row in json.loads(path.read_text("utf-8"))}


CASES, EDITS = _read("cases"), _read("edits")


def spec(manifest):
    """The spec one level up; that of a storage container keeps its labels in `metadata`."""
    about = dict(manifest["metadata"])
    if manifest["kind"] == _CONTAINER:
        kept = {key: about.pop(key) for key in ("labels", "annotations") if key in about}
        about |= {"metadata": kept} if kept else {}
    beside = {key: manifest[key] for key in ("disabled",) if key in manifest}
    return {**HEADER, "kind": manifest["kind"], **about, **beside, **(manifest.get("spec") or {})}


def replayed(row, side="given"):
    """The environment of a row, with what was beside it."""
    is_first = side == "before"
    others = [*row.get("others_before", ()), *(() if is_first else row.get("others_after", ()))]
    gone = [] if is_first else [_identity(item) for item in row.get("others_gone", ())]
    found = {_identity(item): item for item in others if _identity(item) not in gone}
    specs = {f"other-{number}": spec(item) for number, item in enumerate(found.values())}
    asked = {"asked": spec(row[side])} if row[side] else {}
    mode = row.get("settings", {}).get("deploy", {}).get("defaultDeploymentMode", "Knative")
    environment = {
        "destinations": [{"name": "east", "platform": "kubernetes", "namespace": "tenant"}],
        "kserve": {"version": "0.20.0", "default_mode": mode},
        "kubernetes": {"version": "1.33"},
    }
    return Row(environment, {**asked, **specs})


def _identity(manifest):
    return manifest["kind"], manifest["metadata"]["name"]


@cache
def evaluated(share):
    """What a share of the rows comes to, by name."""
    return replay({name: replayed(row) for name, row in CASES.items() if share(name)})


def is_broken(row):
    """Whether KServe took it and cannot do what it says, or those for whom it makes objects."""
    status = row.get("status", {})
    conditions = status.get("conditions", {})
    match row["given"]["kind"]:
        case "InferenceGraph" | "TrainedModel":
            is_stopped = conditions.get("Stopped") == "True"
            return not is_stopped and not conditions.get("Ready", "").startswith("True")
        case "LocalModelCache":
            kinds = {name.partition("/")[0] for name in row["objects"]}
            return not status.get("copies") or not kinds >= _VOLUMES
        case "ClusterStorageContainer":
            return any("refused" in pod for pod in row.get("pods", ()))
    return False


def is_refused(row):
    return not row["accepted"] or row.get("gone") or is_broken(row)
