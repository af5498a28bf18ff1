"""What becomes of a job and its cluster when it has ended."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, members, text, whole_number
from renderer.backends.kuberay.rules import VALIDATION
from renderer.backends.kuberay.vocabulary import JOB
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.kubernetes.pods import Field
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.named_tuple import NamedTuple

_STRATEGY, _RULES, _GATE = "deletionStrategy", "deletionRules", "RayJobDeletionPolicy"
_OLD = ("onSuccess", "onFailure")
_WORKERS, _CLUSTER, _SELF, _NONE = "DeleteWorkers", "DeleteCluster", "DeleteSelf", "DeleteNone"
#: What is deleted is deleted in this order.
_ORDER = (_WORKERS, _CLUSTER, _SELF)
_READS = (_STRATEGY, "shutdownAfterJobFinishes")


class _Deletion(NamedTuple):
    """A policy, what it waits for and for how long, and where it stands."""

    policy: str
    condition: tuple[str, str]
    seconds: int
    field: Field


@rule("RAY370", Severity.ERROR, JOB, reads=_READS)
def deletion_is_said_in_one_way(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A `deletionStrategy` has `deletionRules`, or both `onSuccess` and `onFailure`.

    Each of the latter says its policy. Rules replace `shutdownAfterJobFinishes`, and DeleteNone
    contradicts it. Kubernetes or the operator refuses the job otherwise.

    Fails: deletionStrategy: {onSuccess: {policy: DeleteCluster}}
    Passes with: deletionStrategy: {onFailure: {policy: DeleteNone}}
    """
    strategy = Field((), workload.spec.tree).get(_STRATEGY)
    if strategy is None:
        return
    old, rules = strategy.present(_OLD), strategy.get(_RULES)
    if old and rules:
        message = f"{_RULES} say already what is deleted"
        yield old[0].wrong_key(message, f"delete {listed(field.name for field in old)}")
    elif not old and not (rules and rules.node.elements):
        yield strategy.wrong_key("it is not said what is deleted when", f"add {_RULES}")
    elif len(old) == 1:
        other = next(name for name in _OLD if name != old[0].name)
        yield strategy.wrong_key(f"{other} is missing beside {old[0].name}", f"add {other}")
    yield from (f.wrong_key(f"{f.name} has no policy", "add policy") for f in old if not _policy(f))
    yield from _shutdown_conflicts(workload, old, rules)


def _shutdown_conflicts(
    workload: PlacelessWorkload, old: list[Field], rules: Field | None
) -> Iterator[Finding]:
    """What contradicts that the cluster is deleted after the job."""
    if not is_true(workload.spec.tree, "shutdownAfterJobFinishes"):
        return
    if rules and not old:
        message = f"{_RULES} take the place of shutdownAfterJobFinishes"
        yield Finding(("shutdownAfterJobFinishes",), message, "delete it", at_key=True)
    for field in old:
        if _policy(field) == _NONE:
            message = f"{_NONE} contradicts shutdownAfterJobFinishes: true"
            yield Finding((*field.path, "policy"), message, f"write {_CLUSTER}")


@rule("RAY371", Severity.ERROR, JOB, reads=_READS)
def deletions_are_possible(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What a job deletes is its own and can be deleted, each once and in order.

    Workers are deleted before their cluster, and that before the job itself. Ray's autoscaler would
    bring workers back, and a cluster that was selected is not the job's. A rule waits for
    `jobStatus` or for `jobDeploymentStatus`. The operator refuses the job otherwise.

    Fails:
        deletionStrategy:
          deletionRules:
            - {policy: DeleteCluster, condition: {jobStatus: FAILED, ttlSeconds: 60}}
            - {policy: DeleteSelf, condition: {jobStatus: FAILED, ttlSeconds: 30}}
    Passes:
        deletionStrategy:
          deletionRules:
            - {policy: DeleteWorkers, condition: {jobStatus: FAILED, ttlSeconds: 30}}
            - {policy: DeleteCluster, condition: {jobStatus: FAILED, ttlSeconds: 60}}
    """
    seen: dict[tuple[str, tuple[str, str]], int] = {}
    for item in _deletions(workload):
        if wrong := _refusal(workload, item):
            yield wrong
        elif (item.policy, item.condition) in seen:
            message = f"{item.policy} after {''.join(item.condition)} stands here twice"
            yield item.field.wrong(message, "delete one of them")
        else:
            seen[item.policy, item.condition] = item.seconds
            yield from _order_conflicts(item, seen)


def _refusal(workload: PlacelessWorkload, item: _Deletion) -> Finding | None:
    """What is wrong with one deletion by itself."""
    policy = Field((*item.field.path, "policy"), item.field.node)
    if item.policy in (_WORKERS, _CLUSTER) and members(workload.spec.tree, "clusterSelector"):
        message = f"{item.policy} is not for a cluster that the job selected"
        return policy.wrong(message, f"write {_NONE} or {_SELF}")
    if item.policy == _WORKERS and workload.cluster.is_scaled:
        message = "Ray's autoscaler would bring the workers back"
        return policy.wrong(message, f"write {_CLUSTER}")
    if item.field.path[1] == _RULES and len([*filter(None, item.condition)]) != 1:
        message = "a rule waits for one condition, jobStatus or jobDeploymentStatus"
        return item.field.wrong(message, "write one of them")
    return None


def _order_conflicts(
    item: _Deletion, seen: dict[tuple[str, tuple[str, str]], int]
) -> Iterator[Finding]:
    """Whether something else is deleted earlier or later than it could be."""
    if item.policy not in _ORDER:
        return
    place = _ORDER.index(item.policy)
    for other, seconds in ((p, seen.get((p, item.condition))) for p in _ORDER):
        late = seconds is not None and _ORDER.index(other) < place and seconds > item.seconds
        early = seconds is not None and _ORDER.index(other) > place and seconds < item.seconds
        if late or early:
            first, second = (other, item.policy) if late else (item.policy, other)
            path = (*item.field.path, "condition", "ttlSeconds")
            message = f"{second} would come before {first}"
            yield Finding(path, message, f"give {second} no less time than {first}")


@rule("RAY372", Severity.ERROR, JOB, reads=(_STRATEGY,))
def deletion_is_switched_on(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A `deletionStrategy` needs the operator's feature gate RayJobDeletionPolicy.

    It is on by default since 1.6. Where it is off, the operator refuses the job.

    Fails: deletionStrategy: {onSuccess: {policy: DeleteCluster}, onFailure: {policy: DeleteNone}}
    Passes with: deletionStrategy: null
    """
    settings = workload.settings
    is_known = workload.has_field((_STRATEGY,))
    if is_known and _STRATEGY in workload.spec.tree.items and not settings.has(_GATE):
        message = f"the feature gate {_GATE} is off in KubeRay {settings.dialect}"
        fix = f"delete it, or set kuberay.feature_gates.{_GATE} if the operator has it on"
        yield Finding((_STRATEGY,), message, fix, at_key=True)


@rule("RAY373", Severity.WARNING, JOB)
def jobs_do_not_delete_themselves(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A job in Git does not delete itself when it has ended.

    Argo CD with self-heal, and Flux, create again what is in Git and not in the cluster: the job
    would run again and again.

    Fails: deletionStrategy: {onSuccess: {policy: DeleteSelf}, onFailure: {policy: DeleteNone}}
    Passes with: deletionStrategy: {onSuccess: {policy: DeleteCluster}}
    """
    for item in _deletions(workload):
        if item.policy == _SELF:
            message = f"after {_SELF} the job is created from Git again, and runs again"
            yield Finding((*item.field.path, "policy"), message, f"write {_CLUSTER}")


def _deletions(workload: PlacelessWorkload) -> Iterator[_Deletion]:
    strategy = Field((), workload.spec.tree).get(_STRATEGY)
    if strategy is None:
        return
    for field in strategy.present(_OLD):
        yield _Deletion(_policy(field), (field.name, ""), 0, field)
    for field in strategy.each(_RULES):
        condition = tuple(text(field.node, "condition", k) for k in _CONDITIONS)
        seconds = whole_number(field.node, "condition", "ttlSeconds") or 0
        yield _Deletion(_policy(field), (condition[0], condition[1]), seconds, field)


_CONDITIONS = ("jobStatus", "jobDeploymentStatus")


def _policy(field: Field) -> str:
    return text(field.node, "policy")


RULES = rules_with_source(
    (
        deletion_is_said_in_one_way,
        deletions_are_possible,
        deletion_is_switched_on,
        jobs_do_not_delete_themselves,
    ),
    VALIDATION,
)
