"""Labels and annotations that mean something to the operator."""

from collections.abc import Iterator

from renderer.backends.fields import members
from renderer.backends.kuberay.rules import PODS, VALIDATION
from renderer.backends.kuberay.vocabulary import CLUSTER, SERVICE
from renderer.backends.kuberay.workloads import PlacelessWorkload, Workload
from renderer.kubernetes.pods import Field
from renderer.text.expressions import expression
from renderer.text.wording import did_you_mean, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

TIMEOUT = "ray.io/initializing-timeout"
_FAULT_TOLERANT = "ray.io/ft-enabled"
_OVERWRITES = "ray.io/overwrite-container-cmd"
_SERVES = "ray.io/enable-serve-service"
_DELETION = "ray.io/gcs-ft-deletion-timeout"
_STORAGE = "ray.io/external-storage-namespace"
_OBJECT_ANNOTATIONS = frozenset((TIMEOUT, _FAULT_TOLERANT, _SERVES, _DELETION, _STORAGE))
_PREFIX = "ray.io/"
_READ_BY_OPERATOR = (*sorted(_OBJECT_ANNOTATIONS), _OVERWRITES)
_TRUTHS = ("true", "false")
_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_DURATION = expression(rf"\+?(?:0|(?:{_NUMBER}(?:ns|us|µs|ms|s|m|h))+)|\+?[0-9]+")
_POSITIVE = expression(r".*[1-9].*")


@rule("RAY176", Severity.WARNING, CLUSTER)
def annotations_are_on_the_object(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What the operator reads of the object's annotations is neither a label nor on its pods.

    That is `ray.io/ft-enabled`, `ray.io/external-storage-namespace`, `ray.io/enable-serve-service`,
    `ray.io/gcs-ft-deletion-timeout` and, of services alone, `ray.io/initializing-timeout`.

    Fails: labels: {ray.io/ft-enabled: 'true'}
    Passes: annotations: {ray.io/ft-enabled: 'true'}
    """
    for key in members(workload.spec.tree, "labels"):
        if key in _OBJECT_ANNOTATIONS:
            message = f"{key} has no effect as a label"
            yield Finding(("labels", key), message, "write it among annotations", at_key=True)
    for field in _pod_metadata(workload, "annotations"):
        if field.name in _OBJECT_ANNOTATIONS:
            message = f"{field.name} has no effect on pods"
            fix = "write it among annotations at the top"
            yield workload.wrong(field.path, message, fix, at_key=True)
    if workload.kind != SERVICE and workload.spec.tree.get("annotations", TIMEOUT):
        message = f"{TIMEOUT} has no effect: only services have it"
        yield Finding(("annotations", TIMEOUT), message, "delete it", at_key=True)


@rule("RAY177", Severity.WARNING, CLUSTER)
def annotations_have_values_that_count(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Annotations that switch something have the values "true" and "false".

    `ray.io/enable-serve-service` is heeded as "true" in small letters only, `ray.io/ft-enabled` and
    `ray.io/overwrite-container-cmd` as true in any letters. The deletion timeout is a number of
    seconds, 1 or more. The operator takes everything else as if it was not there.

    Fails: annotations: {ray.io/ft-enabled: 'yes'}
    Passes: annotations: {ray.io/ft-enabled: 'true'}
    """
    given = Field((), workload.spec.tree).members("annotations")
    for value in (given[key] for key in (_FAULT_TOLERANT, _OVERWRITES, _SERVES) if key in given):
        word = value.text if value.name == _SERVES else value.text.lower()
        if word not in _TRUTHS:
            message = f"{visible(value.text)!r} is taken as false"
            yield value.wrong(message, 'write "true", or delete it')
    timeout = given.get(_DELETION)
    if timeout and not (timeout.text.isdecimal() and int(timeout.text)):
        message = f"{visible(timeout.text)!r} is no number of seconds, and ignored"
        yield timeout.wrong(message, "write a whole number, 1 or more")


@rule("RAY295", Severity.WARNING, CLUSTER, since="0.2.0")
def annotations_have_names_that_count(workload: PlacelessWorkload) -> Iterator[Finding]:
    """An annotation of `ray.io` has a name that the operator looks for.

    It ignores all others silently. Reported are names that are nearly one that it reads.

    Fails: annotations: {ray.io/ft-enable: 'true'}
    Passes: annotations: {ray.io/ft-enabled: 'true'}
    """
    known = [name.removeprefix(_PREFIX) for name in _READ_BY_OPERATOR]
    for name, value in Field((), workload.spec.tree).members("annotations").items():
        own = name.removeprefix(_PREFIX)
        meant = nearest(own, known) if own != name and own not in known else ""
        if meant:
            message = f"the operator does not look for {visible(name)!r}"
            yield value.wrong_key(message, did_you_mean(f"{_PREFIX}{meant}"))


@rule("RAY410", Severity.ERROR, SERVICE)
def initializing_timeout_is_a_time(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The annotation `ray.io/initializing-timeout` is a duration or a number of seconds.

    A duration is written as `30m` or `1h30m`. The operator refuses the service otherwise (since
    1.5, which is the first to know it).

    Fails: annotations: {ray.io/initializing-timeout: 30 minutes}
    Passes: annotations: {ray.io/initializing-timeout: 30m}
    """
    given = Field((), workload.spec.tree).get("annotations", TIMEOUT)
    if not given or not given.text or not workload.settings.dialect.knows((1, 5, 0)):
        return
    if not _DURATION.fullmatch(given.text) or not _POSITIVE.fullmatch(given.text):
        message = f"{visible(given.text)!r} is not a duration above 0"
        yield given.wrong(message, "write a duration, such as 30m, or a number of seconds")


@rule("RAY411", Severity.INFO, SERVICE)
def initializing_timeout_is_final(workload: Workload) -> Iterator[Finding]:
    """In production, a service that was not ready in time should not have failed for good.

    After `ray.io/initializing-timeout` the operator deletes its clusters and does nothing more: a
    later commit does not help, the RayService has to be deleted and created anew.

    Fails: annotations: {ray.io/initializing-timeout: 30m}
    Passes with: annotations: {ray.io/initializing-timeout: null}
    """
    if workload.environment.is_production and workload.spec.tree.get("annotations", TIMEOUT):
        message = "once this time is over, no commit brings the service back: it must be deleted"
        yield Finding(
            ("annotations", TIMEOUT),
            message,
            "delete it, or write a time that is long enough",
            True,
        )


def _pod_metadata(workload: PlacelessWorkload, kind: str) -> Iterator[Field]:
    """The labels or annotations of the pods of each group."""
    for group in workload.groups:
        yield from Field(group.path, group.node).members("template", "metadata", kind).values()


RULES = rules_with_source(
    (
        annotations_are_on_the_object,
        annotations_have_values_that_count,
        annotations_have_names_that_count,
    ),
    PODS,
)
SERVICE_RULES = rules_with_source(
    (initializing_timeout_is_a_time, initializing_timeout_is_final), VALIDATION
)
