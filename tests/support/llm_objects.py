"""Objects of language models as recordings have them: previewed ones beside made ones."""

from conformance.operators.plain import cleaned, differences
from renderer.inspect.preview import preview
from renderer.kubernetes.unread_fields import read_fields

#: What API servers, CRDs and webhooks fill in, by the key that it stands at.
_DEFAULTS = {
    "apiVersion": "v1",
    "behavior": "static",
    "appProtocol": "http",
    "defaultMode": 420,
    "group": "",
    "matches": [{"path": {"type": "PathPrefix", "value": "/"}}],
    "path": {"type": "PathPrefix", "value": "/"},
    "volumeMode": "Filesystem",
    "metadata": {},
    "selectPolicy": "Max",
    "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}],
    "scaleUp": {
        "policies": [
            {"type": "Pods", "value": 4, "periodSeconds": 15},
            {"type": "Percent", "value": 100, "periodSeconds": 15},
        ],
        "stabilizationWindowSeconds": 0,
    },
    #: By the webhook of LeaderWorkerSet, which did not run.
    "rollingUpdateConfiguration": {"maxUnavailable": 1, "maxSurge": 0},
    "subGroupPolicyType": "LeaderWorker",
}
#: It is what the newer pool is, for gateways that do not know that one; drawn keys say nothing.
_LEFT_OUT = ("OlderInferencePool/", "Secret/")
#: The version of the API server that was asked.
_KUBERNETES = (1, 33)
_OLDER_POOL = "inference.networking.x-k8s.io/v1alpha2"


def previewed(row):
    """All objects of what was asked, by kind and name."""
    wanted = next(item for item in row.environment.specs if item.stem == "asked")
    units = preview(row.project, row.rendering, row.environment, wanted, {}).units
    found = [read_fields(item.tree, _KUBERNETES).plain() for unit in units for item in unit.objects]
    return {_identity(tree): _content(tree) for tree in found if tree["apiVersion"] != _OLDER_POOL}


def _identity(tree):
    return f"{tree['kind']}/{tree['metadata']['name']}"


def _content(tree):
    whole = cleaned(tree)
    notes = {key: whole["metadata"].get(key) for key in ("labels", "annotations")}
    rest = {key: whole[key] for key in whole if key not in ("apiVersion", "kind", "metadata")}
    return {**{key: value for key, value in notes.items() if value}, **rest}


def difference(made, seen):
    """Between previewed objects and recorded ones: what is only on one side, and what differs."""
    made = {name: thing for name, thing in made.items() if not name.startswith(_LEFT_OUT)}
    seen = {name: thing for name, thing in seen.items() if not name.startswith(_LEFT_OUT)}
    only = sorted(made.keys() ^ seen.keys())
    both = sorted(made.keys() & seen.keys())
    found = [(name, list(differences(bare(seen[name]), bare(made[name])))) for name in both]
    return [*only, *((name, changes) for name, changes in found if changes)]


def bare(tree):
    """Without what is filled in."""
    if isinstance(tree, list):
        return [bare(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    found = {key: bare(value) for key, value in tree.items()}
    return {key: value for key, value in found.items() if _DEFAULTS.get(key, tree) != value}
