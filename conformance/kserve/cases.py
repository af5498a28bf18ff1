"""The tables of cases and edits: manifests, each a small change of another one."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from conformance.kserve.places import HERE
from conformance.kubernetes.client import Object

#: In the namespace `own`, runtimes of a namespace come before those of the cluster.
_NAMESPACE = "models"


class Case(NamedTuple):
    """What is applied one after the other; the last of the steps is what is asked about."""

    file: str
    name: str
    steps: tuple[Object, ...]
    before: tuple[Object, ...] = ()
    after: tuple[Object, ...] = ()
    default_mode: str = "Knative"
    gateway_api: bool = False
    is_brief: bool = False
    is_dry: bool = False


def read_cases(folder: str) -> Iterator[Case]:
    """All of a folder, file by file, in the order in which they are written."""
    bases = _read("bases")
    for path in sorted((HERE / folder).glob("*.yaml")):
        for entry in yaml.safe_load(path.read_text("utf-8")):
            yield _case(path.stem, entry, bases)


def _case(file: str, entry: dict[str, Any], bases: dict[str, Object]) -> Case:
    """An entry names its base and gives changes, each to what the one before it came to."""
    manifest = merged({"metadata": {"name": entry["name"]}}, bases[entry["base"]])
    steps = []
    for change in entry.get("steps") or [entry.get("change", {})]:
        manifest = merged(manifest, change)
        steps.append(_placed(manifest))
    before, after = (tuple(map(_placed, entry.get(key, ()))) for key in ("before", "after"))
    return Case(
        file,
        entry["name"],
        tuple(steps),
        before,
        after,
        default_mode=entry.get("default_mode", "Knative"),
        gateway_api="gateway_api" in entry,
        is_brief="brief" in entry,
        is_dry="dry" in entry or manifest["kind"] != "InferenceService",
    )


def _placed(manifest: Object) -> Object:
    """With a namespace, if it is of a kind that has one."""
    if manifest["kind"] == "ClusterServingRuntime":
        return manifest
    place = {"namespace": _NAMESPACE, **manifest["metadata"]}
    return {**manifest, "metadata": place}


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((HERE / f"{name}.yaml").read_text("utf-8"))
    return found


def merged(tree: Any, change: Any) -> Any:
    """A copy with a change: mappings are merged, null takes away, the rest takes the place."""
    if not isinstance(change, dict):
        return change
    result = dict(tree) if isinstance(tree, dict) else {}
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result
