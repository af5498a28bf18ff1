"""Which fields were changed on a real KServe, so that what that does is known and not inferred."""

from renderer.backends.kserve.dialect import KNATIVE, STANDARD
from renderer.backends.kserve.replicas import HPA

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
        "adopted", "canary-created", "canary-deleted", "canary-traffic", "frozen", "left",
        "other-name", "promoted", "refused", "runtime-frozen", "runtime-rolling", "started",
        "stopped",
    )),
    KNATIVE: frozenset(("refused", "runtime-revision", "stopped")),
}  # fmt: skip
#: Kinds that are about a single field, which says whether they were seen.
OF_FIELDS = frozenset((
    "batcher-timeout", "concurrency", "knative-service", "no-zero", "percent", "promoted-revision",
    "revision", "rolled-back", "rolling", "scaling", "scaling-rule",
    "scaling-same", "strategy", "timeout", "traffic",
))  # fmt: skip
#: Of these, those that were seen with Kubernetes' own autoscaler alone.
_OF_AUTOSCALER = frozenset(("no-zero", "scaling", "scaling-rule", "scaling-same"))


def is_observed(kind: str, mode: str, field: str, autoscaler: str) -> bool:
    """Whether the kind of change was seen in a mode; of fields, whether that of this one was.

    That pods come out the same is never said to be: it depends on both values.
    """
    if kind in _OF_AUTOSCALER and autoscaler != HPA:
        return False
    if kind in OF_FIELDS:
        return field in FIELDS.get(mode, ())
    return kind in KINDS.get(mode, ())
