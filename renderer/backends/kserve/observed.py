"""Which edits were made on a real KServe (tests/observed/kserve/edits), and not inferred."""

from renderer.backends.kserve.components import AUTOSCALER, HPA
from renderer.backends.kserve.derive.service_plan import applied_mode
from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.model import MODEL
from renderer.derive.behaviour import Situation
from renderer.values.diagnostics import Path

_BOTH = frozenset((
    "annotations", "args", "labels", "logger", "resources", "runtimeVersion", "serviceAccountName",
    "storageUri",
))  # fmt: skip
#: By mode, what of components and of models was changed to some effect, on pods or not.
FIELDS = {
    STANDARD: _BOTH
    | frozenset((
        "batcher", "canaryTrafficPercent", "containerConcurrency", "containers",
        "deploymentStrategy", "env", "image", "maxReplicas", "minReplicas", "model",
        "modelFormat", "nodeSelector", "protocolVersion", "runtime", "scaleMetric", "scaleTarget",
        "storage", "storageUris", "timeout", "tolerations",
    )),
    KNATIVE: _BOTH
    | frozenset((
        "canaryTrafficPercent", "containerConcurrency", "maxReplicas", "minReplicas",
        "scaleMetric", "scaleTarget", "timeout",
    )),
}  # fmt: skip
#: Changes of other kinds, by mode.
KINDS = {
    STANDARD: frozenset((
        "adopted", "autoscaler-left", "canary-created", "canary-deleted", "canary-traffic",
        "entrance-left", "frozen", "left", "other-name", "promoted", "refused", "runtime-frozen",
        "runtime-rolling", "started", "stopped",
    )),
    KNATIVE: frozenset(("refused", "runtime-revision", "stopped")),
}  # fmt: skip
#: Kinds that are about a single field, which says whether they were seen.
KINDS_OF_FIELDS = frozenset((
    "batcher-timeout", "concurrency", "in-place", "knative-service", "no-zero", "percent",
    "promoted-revision", "revision", "rolled-back", "rolling", "scaled", "strategy", "timeout",
    "traffic",
))  # fmt: skip
#: Of these, those that were seen with Kubernetes' own autoscaler alone.
_KINDS_OF_AUTOSCALER = frozenset(("no-zero", "scaled"))
_CANARY_DEPTH = 4  # spec.canary.0.predictor


def is_observed(kind: str, situation: Situation) -> bool:
    """Whether the kind of change was observed in this mode, and for this field if it is about one.

    That pods stay the same depends on both values, so it never counts as observed.
    """
    mode = applied_mode(situation.applied)
    scaler = situation.applied.annotation(AUTOSCALER) or HPA
    if kind in _KINDS_OF_AUTOSCALER and scaler != HPA:
        return False
    if kind in KINDS_OF_FIELDS:
        return changed_field(situation.path) in FIELDS.get(mode, ())
    return kind in KINDS.get(mode, ())


def changed_field(path: Path) -> str:
    """The field of a component or of its model that a change is about."""
    if path[:1] == ("metadata",):
        return str(path[1]) if path[1:] else ""
    rest = path[_CANARY_DEPTH:] if path[:2] == ("spec", "canary") else path[2:]
    if path[-1:] == ("trafficPercent",):
        return "minReplicas"  # all that it decides is how many pods there are
    rest = rest[1:] if rest[:1] == (MODEL,) and len(rest) > 1 else rest
    return str(rest[0]) if rest else MODEL
