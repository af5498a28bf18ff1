"""Jobs: their names, which cluster they run in, how often and how long."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, members, text, whole_number
from renderer.backends.kuberay.plans import names_by_content
from renderer.backends.kuberay.rules import VALIDATION
from renderer.backends.kuberay.vocabulary import JOB, MESSAGE, SELECTED
from renderer.backends.kuberay.workloads import PlacelessWorkload, Workload
from renderer.kubernetes.names import LABEL_KEY, is_label_key
from renderer.kubernetes.pods import Field
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SELECTOR, _CLUSTER = "clusterSelector", "rayClusterSpec"
_INTERACTIVE = "InteractiveMode"
#: The longest name of a job, and the dash and digits of its content's hash.
_LONGEST, _SUFFIX = 47, 11


@rule("RAY350", Severity.ERROR, JOB, reads=(_SELECTOR, MESSAGE, _CLUSTER))
def job_has_one_cluster(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A job runs in a cluster of its own or in one that is there, not in both.

    With `clusterSelector` the operator makes no cluster, and a description of one has no effect.

    Fails:
        clusterSelector: {ray.io/cluster: shared}
        rayClusterSpec: {rayVersion: 2.52.0}
    Passes with: rayClusterSpec: null
    """
    described = MESSAGE if workload.is_message else _CLUSTER
    if members(workload.spec.tree, _SELECTOR) and described in workload.spec.tree.items:
        message = f"the job selects a cluster, and describes one in {described}"
        yield Finding((_SELECTOR,), message, "keep one of them", at_key=True)


@rule("RAY351", Severity.ERROR, JOB, reads=(_SELECTOR,))
def selector_names_a_cluster(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The selector of a job has the name of a cluster under the key `ray.io/cluster`.

    It is no selector of labels: the operator reads this key alone, and refuses a job without it.

    Fails: clusterSelector: {team: search, ray.io/cluster: null}
    Passes: clusterSelector: {ray.io/cluster: shared}
    """
    given = members(workload.spec.tree, _SELECTOR)
    if given and not text(workload.spec.tree, *SELECTED):
        message = f"the selector has no {SELECTED[1]}, the name of the cluster"
        yield Finding((_SELECTOR,), message, f"add {SELECTED[1]}: NAME", at_key=True)


@rule("RAY352", Severity.ERROR, JOB, reads=("shutdownAfterJobFinishes", _SELECTOR))
def suspended_jobs_shut_down(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A job that is suspended has a cluster of its own, and `shutdownAfterJobFinishes: true`.

    To suspend it is to delete its cluster. The operator refuses the job otherwise.

    Fails: suspend: true
    Passes with: shutdownAfterJobFinishes: true
    """
    if not is_true(workload.fields, "suspend"):
        return
    if members(workload.spec.tree, _SELECTOR):
        message = "a job in a cluster that is there already cannot be suspended"
        yield workload.wrong(("suspend",), message, "delete suspend")
    elif not is_true(workload.fields, "shutdownAfterJobFinishes"):
        message = "a job whose cluster stays cannot be suspended"
        yield workload.wrong(("suspend",), message, "add shutdownAfterJobFinishes: true")


@rule("RAY353", Severity.ERROR, JOB, reads=("shutdownAfterJobFinishes",))
def times_of_jobs_count(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The times of a job are positive, and its cluster is kept for a time only to be deleted then.

    `ttlSecondsAfterFinished` is how long the cluster stays after the end: 0 or more, and more than
    0 only with `shutdownAfterJobFinishes: true`. `activeDeadlineSeconds` is 1 or more. The operator
    refuses the job otherwise.

    Fails: ttlSecondsAfterFinished: 3600
    Passes with: shutdownAfterJobFinishes: true
    """
    ttl, deadline = (whole_number(workload.fields, key) for key in _TIMES)
    if ttl is not None and ttl < 0:
        yield workload.wrong((_TIMES[0],), f"{ttl} is less than no time", "write 0 or more")
    elif ttl and not is_true(workload.fields, "shutdownAfterJobFinishes"):
        message = "the cluster is not deleted after the job, so it cannot be kept for a time"
        fix = "add shutdownAfterJobFinishes: true, or delete it"
        yield workload.wrong((_TIMES[0],), message, fix)
    if deadline is not None and deadline <= 0:
        message = f"the job would have failed after {deadline} seconds, before it began"
        yield workload.wrong((_TIMES[1],), message, "write 1 or more, or delete it")


_TIMES = ("ttlSecondsAfterFinished", "activeDeadlineSeconds")


@rule("RAY354", Severity.ERROR, JOB, reads=(_SELECTOR, "submissionMode"))
def retries_need_a_new_cluster(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A job is tried again (`backoffLimit`) only if it has a cluster of its own and is submitted.

    Each attempt gets a new cluster. The operator refuses the job with a `clusterSelector` (since
    1.6), with `submissionMode: InteractiveMode`, and with a negative number.

    Fails:
        backoffLimit: 2
        submissionMode: InteractiveMode
    Passes: backoffLimit: 2
    """
    limit = whole_number(workload.fields, "backoffLimit") or 0
    dialect = workload.settings.dialect
    if limit < 0:
        message = f"a job cannot be tried again {limit} times"
        yield workload.wrong(("backoffLimit",), message, "write 0 or more")
    elif limit and members(workload.spec.tree, _SELECTOR) and dialect.knows((1, 6, 0)):
        message = "a job in a cluster that is there already is not tried again"
        yield workload.wrong(("backoffLimit",), message, "write 0, or delete it")
    elif limit and workload.submission_mode == _INTERACTIVE:
        message = "a job that a person submits is not tried again"
        yield workload.wrong(("backoffLimit",), message, "write 0, or delete it")


@rule("RAY170", Severity.ERROR, JOB, reads=("name", "name_suffix"))
def job_names_leave_room(workload: Workload) -> Iterator[Finding]:
    """The name of a job has at most 36 characters, so that it has 47 with the hash of its content.

    The operator refuses a longer one, because the names of its cluster and Services begin with it.
    With `name_suffix: none` no hash follows, and all 47 are free.

    Fails: name: a-job-that-has-a-name-which-is-too-long
    Passes: name: a-job-that-has-a-name
    """
    name, room = workload.name, _LONGEST - _SUFFIX
    if names_by_content(workload.spec, workload.environment) and room < len(name) <= _LONGEST:
        message = (
            f"with its hash the name has {len(name) + _SUFFIX} characters, and 47 are the most"
        )
        fix = f"write a name of at most {room} characters, or name_suffix: none"
        yield Finding(("name",), message, fix)


@rule("RAY171", Severity.ERROR, JOB)
def metadata_can_be_annotations(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The keys of `metadata` beside `clusterSpec` are keys that annotations can have.

    KubeRay's API server writes the metadata of a job to the object's annotations too. Kubernetes
    refuses the object for any other key.

    Fails:
        clusterSpec: {}
        metadata: {job owner: ada}
    Passes:
        clusterSpec: {}
        metadata: {job-owner: ada}
    """
    given = Field((), workload.spec.tree).members("metadata") if workload.is_message else {}
    for key, field in given.items():
        if not is_label_key(key.lower()):
            message = f"{visible(key)!r} cannot be the key of an annotation, which it becomes"
            yield field.wrong_key(message, f"write {LABEL_KEY}")


RULES = (
    job_names_leave_room,
    metadata_can_be_annotations,
    *rules_with_source(
        (
            job_has_one_cluster,
            selector_names_a_cluster,
            suspended_jobs_shut_down,
            times_of_jobs_count,
            retries_need_a_new_cluster,
        ),
        VALIDATION,
    ),
)
