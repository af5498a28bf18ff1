"""What holds for clusters, jobs and services alike, and the behaviour of each of them."""

from renderer.backends.kuberay.behaviour.change_kinds import CHANGE_KINDS
from renderer.backends.kuberay.behaviour.clusters import CLUSTER_ROWS
from renderer.backends.kuberay.behaviour.edits import is_suspended, new_plan
from renderer.backends.kuberay.behaviour.jobs import JOB_ROWS
from renderer.backends.kuberay.behaviour.service_change_kinds import SERVICE_CHANGE_KINDS
from renderer.backends.kuberay.behaviour.services import SERVICE_ROWS
from renderer.derive.behaviour import Behaviour, Row, Situation, Stage

KINDS = {**CHANGE_KINDS, **SERVICE_CHANGE_KINDS}
#: Kinds of change that a real KubeRay was seen to handle so, and does not only by its source.
OBSERVED = frozenset((
    "autoscaler-left", "autoscaler-missing", "cluster-resumed", "cluster-suspended", "config",
    "config-text", "config-with-cluster", "exclude-head", "group-added", "group-left",
    "group-suspended", "head-service", "hosts-left", "ingress", "ingress-left", "job-id",
    "job-ignored", "job-resumed", "job-suspended", "kept", "later", "metadata", "not-rolled",
    "recreated", "refused", "replaced", "replaced-gradually", "scaled", "serve-service",
    "service-later", "type-breaks", "with-new-cluster",
))  # fmt: skip


def is_observed(kind: str, situation: Situation) -> bool:
    """Whether a kind of change was seen in the version of the environment."""
    return kind in OBSERVED and new_plan(situation).dialect.is_observed


def _has_other_manager(situation: Situation) -> bool:
    return bool(new_plan(situation).manager)


_ROWS = (
    Row("created-suspended", stage=Stage.CREATED, when=is_suspended),
    Row("other-manager", when=_has_other_manager, reaches_all=True),
)


def _behaviour(*rows: Row) -> Behaviour:
    return Behaviour(KINDS, (*_ROWS, *rows), is_observed)


def cluster_behaviour() -> Behaviour:
    return _behaviour(*CLUSTER_ROWS)


def job_behaviour() -> Behaviour:
    return _behaviour(*JOB_ROWS)


def service_behaviour() -> Behaviour:
    return _behaviour(*SERVICE_ROWS)


def template_behaviour() -> Behaviour:
    """Of the ConfigMap of a compute template: its values reach pods by what names the template."""
    rows = (
        Row("template-created", stage=Stage.CREATED),
        Row("template-deleted", stage=Stage.DELETED),
        *(Row("template-edited", stage=stage) for stage in Stage),
    )
    return Behaviour(KINDS, rows, unit="template")
