"""Which fields were changed on a real KServe, so that what that does is known and not inferred."""

from renderer.backends.kserve.dialect import KNATIVE, STANDARD

_BOTH = frozenset((
    "annotations", "args", "deploymentMode", "labels", "logger", "modelFormat", "protocolVersion",
    "resources", "runtime", "runtimeVersion", "serviceAccountName", "storageUri",
))  # fmt: skip
#: By mode, what of components and of models was changed, whether pods were replaced or not.
_FIELDS = {
    STANDARD: _BOTH
    | frozenset((
        "batcher", "canaryTrafficPercent", "containerConcurrency", "containers",
        "deploymentStrategy", "env", "image", "maxReplicas", "minReplicas", "model",
        "nodeSelector", "scaleMetric", "scaleTarget", "storage", "storageUris", "timeout",
        "tolerations",
    )),
    KNATIVE: _BOTH
    | frozenset((
        "canaryTrafficPercent", "containerConcurrency", "maxReplicas", "minReplicas",
        "scaleMetric", "scaleTarget", "timeout",
    )),
}  # fmt: skip
#: Changes of other kinds, by mode.
_KINDS = {
    STANDARD: frozenset((
        "adopted", "canary-created", "canary-deleted", "left", "other-name", "promoted", "refused",
        "started", "stopped", "runtime-rolling", "runtime-unused", "runtime-frozen", "frozen",
    )),
    KNATIVE: frozenset(("refused", "runtime-revision", "stopped")),
}  # fmt: skip
#: Kinds that are about a single field, which says whether they were seen.
_OF_FIELDS = frozenset((
    "batcher-timeout", "concurrency", "knative-service", "no-zero", "percent", "promoted-revision",
    "recreated", "revision", "rolled-back", "rolling", "same", "scaling", "scaling-rule",
    "scaling-same", "strategy", "timeout", "traffic",
)) - {"recreated"}  # fmt: skip


def is_observed(kind: str, mode: str, field: str) -> bool:
    """Whether the kind of change was seen in a mode; of fields, whether that of this one was."""
    if kind in _OF_FIELDS:
        return field in _FIELDS.get(mode, ())
    return kind in _KINDS.get(mode, ())
