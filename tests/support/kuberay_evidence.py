"""What recordings show of edits at KubeRay."""

from conformance.kuberay.places import GATED
from renderer.derive.behaviour import NOTHING
from renderer.derive.evidence import edit_text
from tests.support.evidence import Evidence, recorded_rows
from tests.support.kuberay_generated import manifest_of
from tests.support.kuberay_generated_edits import was_side_refused
from tests.support.kuberay_states import compared, manifest

_VERSION = "1.6.1"
_HEAD, _WORKERS, _SUBMITTER = "headgroup", "workerGroupSpecs", "submitter"
#: What becomes of the Job that submits, and what that shows.
_SUBMITTED = {"added": "runs", "removed": "delete"}
_CLUSTERS = ("rayClusterSpec", "rayClusterConfig")
_INCREMENTAL = "NewClusterWithIncrementalUpgrade"
#: By the outcome of a row, what became of each of its units.
_OUTCOMES = {
    "new-cluster": "replace",
    "recreated": "recreate",
    "stopped": "delete",
    "started": "create",
    "refused": "refused",
    "invalid": "breaks",
}


def evidence():
    """What each row shows of each unit; not those before which more happened than is applied."""
    for version, row in recorded_rows("kuberay", _VERSION):
        if "earlier" in row or "patched" in row or row["outcome"] == "gone":
            continue
        if "base" in row and was_side_refused(row, "before"):
            continue
        before, after = (_manifest(row, side) for side in ("before", "after"))
        change = compared(manifest(before), manifest(after))
        mode = " ".join(_mode_words(before, after))
        for group, outcomes in _outcomes(row, before, after).items():
            if row["outcome"] != "scaled" or _is_concerned(change, group):
                unit = group if group == _SUBMITTER else "head" if group == _HEAD else "workers"
                edit, seen = edit_text(change), frozenset(outcomes)
                yield Evidence(version, mode, after["kind"], unit, edit, seen, row["name"])


def _is_concerned(change, group):
    """Whether an edit of numbers is about a group: its own, or those of all."""
    for item in change.changes:
        _, _, label = " ".join(map(str, item.path)).partition(f"{_WORKERS} ")
        if not label or not label.startswith("[") or label.startswith(f"[{group}]"):
            return True
    return False


def _manifest(row, side):
    return manifest_of(row, side) if "base" in row else row[side]


def _cluster(given):
    spec = given["spec"]
    return next((spec[key] for key in _CLUSTERS if spec.get(key)), spec)


def _mode_words(former, given):
    """As `edits.mode_words` finds them in what is applied, and was before."""
    strategy = (given["spec"].get("upgradeStrategy") or {}).get("type")
    is_incremental = strategy == _INCREMENTAL and given["metadata"]["namespace"] == GATED
    yield from ["incremental"] if is_incremental else [strategy] if strategy else []
    cluster = _cluster(given)
    if cluster.get("enableInTreeAutoscaling") is True:
        yield "autoscaled"
    is_stopped = given["kind"] == "RayJob" and given["spec"].get("suspend") is True
    is_held = given["kind"] != "RayJob" and _cluster(former).get("suspend") is True
    if is_stopped or cluster.get("suspend", is_held or None) is True:
        yield "suspended"


def _outcomes(row, before, after):
    """What became of the head and of each group of workers."""
    groups = [_groups(side) for side in (before, after)]
    pods = {name.rpartition("/")[2]: counts for name, counts in row.get("pods", {}).items()}
    whole = "runs" if _runs(row, after) else _OUTCOMES.get(row["outcome"])
    found = {}
    for name in {*groups[0], *groups[1], *pods}:
        is_group = [name in side for side in groups]
        found[name] = [whole] if whole else _group_outcomes(row, pods.get(name, {}), *is_group)
    if after["kind"] == "RayJob":
        became = row.get("changes", {}).get(f"Job/{after['metadata']['name']}")
        rest = whole or ("in-place" if became else NOTHING)
        found[_SUBMITTER] = [_SUBMITTED.get(str(became), rest)]
    return found


def _runs(row, after):
    return after["kind"] == "RayJob" and row["outcome"] == "new-cluster"


def _groups(given):
    workers = _cluster(given).get(_WORKERS) or ()
    return {_HEAD, *(item.get("groupName") for item in workers)}


def _group_outcomes(row, counts, was_there, is_there):
    """What pods of a group that kept its cluster show: it may have lost all of them."""
    if counts.get("new") and not was_there:
        return ["create"]
    if counts.get("kept") and not is_there:
        return ["orphans"]
    if {*counts} == {"gone"}:
        return ["delete", "in-place"]
    is_changed = counts.get("new") or counts.get("gone") or row["outcome"] == "in-place"
    return ["in-place" if is_changed else NOTHING]
