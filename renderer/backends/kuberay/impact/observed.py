"""Which kinds of changes a real KubeRay was seen to handle so, and does not only by its source."""

from renderer.backends.kuberay.dialect import Dialect

KINDS = frozenset((
    "autoscaler-left", "autoscaler-missing", "cluster-resumed", "cluster-suspended", "config",
    "config-text", "config-with-cluster", "exclude-head", "group-added", "group-left",
    "group-suspended", "head-service", "hosts-left", "ingress", "ingress-left", "job-id",
    "job-ignored", "job-resumed", "job-suspended", "kept", "later", "metadata", "not-rolled",
    "recreated", "refused", "replaced", "replaced-gradually", "scaled", "serve-service",
    "service-later", "type-breaks", "with-new-cluster",
))  # fmt: skip


def is_observed(kind: str, dialect: Dialect) -> bool:
    """Whether a kind of change was seen in a version."""
    return kind in KINDS and dialect.is_observed
