"""Objects of graphs, trained models and caches as recordings have them: previewed and made ones."""

import json

from conformance.operators.plain import cleaned, differences
from renderer.inspect.preview import preview
from renderer.kubernetes.unread_fields import read_fields
from tests.support.llm_objects import bare

_KUBERNETES = (1, 33)
_JOBS = "kserve-localmodel-jobs"
#: What API servers and Knative's webhooks fill in, by the key that it stands at.
_FILLED_IN = {
    "backoffLimit": 6,
    "completionMode": "NonIndexed",
    "completions": 1,
    "containerConcurrency": 0,
    "manualSelector": False,
    "parallelism": 1,
    "podReplacementPolicy": "TerminatingOrFailed",
    "serving.knative.dev/creator": "admin",
    "serving.knative.dev/lastModifier": "admin",
    "suspend": False,
    "timeoutSeconds": 300,
    "traffic": [{"latestRevision": True, "percent": 100}],
}
#: By keys of other things it would be no default.
_FILLED_IN_NAMES = {"name": "user-container", "type": ""}
MARKS = ("app.kubernetes.io/managed-by", "argocd.argoproj.io/sync-wave")
#: The node whose agent ran, and the group that it is in.
_NODE = "<node of tenant-gpu>"


def previewed(row):
    """All objects of what was asked, by kind and name."""
    wanted = next(item for item in row.environment.specs if item.stem == "asked")
    units = preview(row.project, row.rendering, row.environment, wanted, {}).units
    found = [read_fields(item.tree, _KUBERNETES).plain() for unit in units for item in unit.objects]
    here = [json.loads(json.dumps(tree).replace(_NODE, "node-a")) for tree in found]
    return {_identity(tree): _content(tree) for tree in here if "<node" not in str(tree)}


def _identity(tree):
    kind = "KnativeService" if "knative" in tree["apiVersion"] else tree["kind"]
    about = tree["metadata"]
    place = f"{_JOBS}/" if about.get("namespace") == _JOBS and kind != "Job" else ""
    return f"{kind}/{place}{about['name']}"


def _content(tree):
    whole = cleaned(tree)
    notes = {key: _without_marks(whole["metadata"].get(key)) for key in ("labels", "annotations")}
    if about := whole.get("spec", {}).get("template", {}).get("metadata"):
        about |= {key: _without_marks(about.get(key)) for key in ("labels", "annotations")}
    rest = {key: whole[key] for key in whole if key not in ("apiVersion", "kind", "metadata")}
    return {**{key: value for key, value in notes.items() if value}, **rest}


def _without_marks(given):
    """What we mark our own objects with goes to what is made of them as well."""
    return {key: value for key, value in (given or {}).items() if key not in MARKS}


def difference(found, seen):
    """Between previewed objects and recorded ones: what is only on one side, and what differs."""
    only = sorted(found.keys() ^ seen.keys())
    both = sorted(found.keys() & seen.keys())
    changes = [(name, [*differences(_plain(seen[name]), _plain(found[name]))]) for name in both]
    return [*only, *((name, items) for name, items in changes if items)]


def _plain(tree):
    return bare(_read(tree))


def _read(tree):
    """Without what is filled in; JSON in texts as what it says."""
    if isinstance(tree, list):
        return [_read(item) for item in tree]
    if isinstance(tree, str) and tree[:1] in ("{", "["):
        return _unresolved(json.loads(tree))
    if not isinstance(tree, dict):
        return tree
    kept = {key: _read(value) for key, value in tree.items()}
    kept = {key: value for key, value in kept.items() if not _is_filled_in(key, value)}
    return {key: value for key, value in kept.items() if value not in ({}, None)}


def _is_filled_in(key, value):
    known = {**_FILLED_IN, **_FILLED_IN_NAMES}
    return key in known and known[key] == value


def _unresolved(told):
    """A graph without the addresses of services, and the models of a server in their order."""
    if isinstance(told, list):
        return sorted(told, key=lambda item: item["modelName"])
    for node in told["nodes"].values():
        for step in node.get("steps", ()):
            if step.get("serviceName"):
                step.pop("serviceUrl", None)
    return {key: value for key, value in told.items() if value not in ({}, 0)}
