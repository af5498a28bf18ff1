"""What Kubernetes wants of workloads beside their pods: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.cron import is_schedule
from renderer.backends.companions.forms.parts import (
    NATURAL,
    PART,
    SHARE,
    kind,
    object_name,
    percent,
    spec,
    value_at,
)
from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.claim import CLAIM, LABEL_SELECTOR
from renderer.kubernetes.forms.form import NAME, WORD, Form, words
from renderer.kubernetes.forms.shape import Each, Members, NamedValues, Part, Shape
from renderer.values.diagnostics import Finding, Path

_USUAL_DEADLINE = 600
_LONGEST_CRON, _LONGEST_JOB = 52, 63
_MOST_INDEXED = 100_000
_INDEXED = "Indexed"
#: Fields that go with an index.
_OF_INDEXED = ("backoffLimitPerIndex", "maxFailedIndexes", "successPolicy")
_ROLLING = "rollingUpdate"
_RETAINED = words("Delete", "Retain").strict()


def _strategy(strategy: Members, path: Path) -> Iterator[Finding]:
    given = value_at(strategy, "type")
    if given not in (None, "RollingUpdate") and _ROLLING in strategy:
        message = f"{_ROLLING} goes with the type RollingUpdate, and this is {given}"
        fix = "delete it, or change the type"
        yield Finding((*path, _ROLLING), message, fix, at_key=True)


def _deployment_moves(rolling: Members, path: Path) -> Iterator[Finding]:
    shares = [percent(value_at(rolling, key)) for key in ("maxSurge", "maxUnavailable")]
    if shares == [0, 0]:
        message = "with no pod more and none less, nothing can be replaced"
        yield Finding((*path, "maxUnavailable"), message, "write 1 at one of the two")


def _daemon_moves(rolling: Members, path: Path) -> Iterator[Finding]:
    """A node has a pod more or a pod less, and one less unless something is said."""
    surge = value_at(rolling, "maxSurge")
    less = value_at(rolling, "maxUnavailable")
    more, fewer = percent(0 if surge is None else surge), percent(1 if less is None else less)
    if more and fewer:
        message = "maxSurge excludes maxUnavailable, which is 1 if it is not there"
        yield Finding((*path, "maxSurge"), message, "write maxUnavailable: 0 beside it")
    elif more == 0 and fewer == 0:
        message = "with no pod more and none less, nothing can be replaced"
        yield Finding((*path, "maxUnavailable"), message, "write 1 at one of the two")


def _deadline(deployment: Members, path: Path) -> Iterator[Finding]:
    wait = value_at(deployment, "minReadySeconds")
    deadline = value_at(deployment, "progressDeadlineSeconds")
    last = _USUAL_DEADLINE if deadline is None else deadline
    if isinstance(wait, int) and isinstance(last, int) and last <= wait:
        usual = ", which is what it is if unsaid" if deadline is None else ""
        key = "minReadySeconds" if deadline is None else "progressDeadlineSeconds"
        message = f"progressDeadlineSeconds is {last}{usual}, not more than minReadySeconds"
        yield Finding((*path, key), message, f"write progressDeadlineSeconds: {wait + 1} or more")


def _selector(job: Members, path: Path) -> Iterator[Finding]:
    if "selector" in job and value_at(job, "manualSelector") is not True:
        message = "the server makes the selector of a Job"
        yield Finding((*path, "selector"), message, "delete it", at_key=True)


def _indexed(job: Members, path: Path) -> Iterator[Finding]:
    if value_at(job, "completionMode") != _INDEXED:
        for key in _OF_INDEXED:
            if key in job:
                message = f"{key} goes with completionMode: {_INDEXED}"
                yield Finding((*path, key), message, "delete it, or add that mode", at_key=True)
        return
    if "completions" not in job and "parallelism" in job:
        message = f"with {_INDEXED} and parallelism it is said how many completions there are"
        yield Finding((*path, "completions"), message, "add completions")
    count = value_at(job, "parallelism")
    if isinstance(count, int) and count > _MOST_INDEXED:
        message = f"at most {_MOST_INDEXED} pods of an indexed Job run at once"
        yield Finding((*path, "parallelism"), message, f"write at most {_MOST_INDEXED}")


def _failures(job: Members, path: Path) -> Iterator[Finding]:
    place = ("template", "spec", "restartPolicy")
    if "podFailurePolicy" in job and value_at(job, *place) == "OnFailure":
        message = "podFailurePolicy looks at pods that do not restart"
        yield Finding((*path, *place), message, "write restartPolicy: Never")
    if "podFailurePolicy" in job and value_at(job, "podReplacementPolicy") == (
        "TerminatingOrFailed"
    ):
        message = "with podFailurePolicy pods are replaced once they have failed"
        yield Finding((*path, "podReplacementPolicy"), message, "write Failed")
    if "maxFailedIndexes" in job and "backoffLimitPerIndex" not in job:
        message = "maxFailedIndexes goes with backoffLimitPerIndex"
        yield Finding((*path, "maxFailedIndexes"), message, "add backoffLimitPerIndex", at_key=True)


def _pod_names(job: Members, path: Path) -> Iterator[Finding]:
    """The pods of an indexed Job are called after it and their index."""
    name, count = value_at(job, "metadata", "name"), value_at(job, "spec", "completions")
    is_indexed = value_at(job, "spec", "completionMode") == _INDEXED
    if is_indexed and isinstance(count, int) and count > 0:
        longest = f"{name}-{count - 1}"
        if not names.is_dns_label(longest):
            message = f"its pods would be called up to {longest}, which is no name of a host"
            fix = (
                f"write a name of at most {63 - len(longest) + len(str(name))} characters, no dots"
            )
            yield Finding((*path, "metadata", "name"), message, fix)


def _zone_once(cron: Members, path: Path) -> Iterator[Finding]:
    schedule = value_at(cron, "schedule")
    if isinstance(schedule, str) and "TZ=" in schedule:
        message = "a schedule has no zone"
        yield Finding((*path, "schedule"), message, "write timeZone beside it")


def _is_zone(text: str) -> bool:
    return text == text.strip() and text.lower() != "local"


_TEMPLATE = Shape(
    "a template",
    {
        "metadata": Shape(
            "metadata",
            {
                "labels": NamedValues(form.LABEL_KEY, form.LABEL_VALUE),
                "annotations": NamedValues(form.ANNOTATION_KEY),
            },
        ),
        "spec": Shape("a pod", {}, needed=("containers",)),
    },
    needed=("spec",),
)
_SETS: dict[str, Part] = {
    "minReadySeconds": NATURAL,
    "replicas": NATURAL,
    "revisionHistoryLimit": NATURAL,
    "selector": LABEL_SELECTOR,
    "template": _TEMPLATE,
}
_NEEDED = ("selector", "template")
_UPDATES = words("OnDelete", "RollingUpdate")
_JOB = Shape(
    "a Job",
    {
        "activeDeadlineSeconds": form.number(0, 2**63 - 1),
        **dict.fromkeys(
            (
                "backoffLimit",
                "backoffLimitPerIndex",
                "completions",
                "maxFailedIndexes",
                "parallelism",
                "ttlSecondsAfterFinished",
            ),
            NATURAL,
        ),
        "completionMode": words("NonIndexed", _INDEXED).strict(),
        "podReplacementPolicy": words("TerminatingOrFailed", "Failed").strict(),
        "selector": LABEL_SELECTOR,
        "template": _TEMPLATE,
    },
    needed=("template",),
    relations=(_selector, _indexed, _failures),
)
_SCHEDULE = Form(
    WORD,
    lambda text: "TZ=" in text or is_schedule(text),
    "a schedule of five parts (minute, hour, day, month, weekday) such as '0 3 * * *', or @daily",
)
_ZONE = Form(NAME, _is_zone, "the name of a zone such as Europe/Berlin")
SHAPES = {
    "Deployment": spec(
        "a Deployment",
        {
            **_SETS,
            "progressDeadlineSeconds": NATURAL,
            "strategy": Shape(
                "a strategy",
                {
                    "type": words("Recreate", "RollingUpdate"),
                    _ROLLING: Shape(
                        _ROLLING,
                        {"maxSurge": SHARE, "maxUnavailable": PART},
                        relations=(_deployment_moves,),
                    ),
                },
                relations=(_strategy,),
            ),
        },
        needed=_NEEDED,
        relations=(_deadline,),
    ),
    "DaemonSet": spec(
        "a DaemonSet",
        {
            **_SETS,
            "updateStrategy": Shape(
                "a strategy",
                {
                    "type": _UPDATES,
                    _ROLLING: Shape(
                        _ROLLING,
                        {"maxSurge": PART, "maxUnavailable": PART},
                        relations=(_daemon_moves,),
                    ),
                },
            ),
        },
        needed=_NEEDED,
    ),
    "ReplicaSet": spec("a ReplicaSet", _SETS, needed=_NEEDED),
    "StatefulSet": spec(
        "a StatefulSet",
        {
            **_SETS,
            "persistentVolumeClaimRetentionPolicy": Shape(
                "a policy", {"whenDeleted": _RETAINED, "whenScaled": _RETAINED}
            ),
            "podManagementPolicy": words("OrderedReady", "Parallel"),
            "serviceName": form.DNS_LABEL,
            "updateStrategy": Shape(
                "a strategy",
                {"type": _UPDATES, _ROLLING: Shape(_ROLLING, {"partition": NATURAL})},
                relations=(_strategy,),
            ),
            "volumeClaimTemplates": Each(Shape("a template of claims", {"spec": CLAIM})),
        },
        named=object_name(names.is_dns_label, f"at most 63 {names.DNS_LABEL}"),
        needed=_NEEDED,
    ),
    "Job": kind(
        "a Job",
        {"spec": _JOB},
        named=object_name(lambda text: len(text) <= _LONGEST_JOB, "at most 63 characters"),
        needed=("spec",),
        relations=(_pod_names,),
    ),
    "CronJob": spec(
        "a CronJob",
        {
            "concurrencyPolicy": words("Allow", "Forbid", "Replace"),
            "failedJobsHistoryLimit": NATURAL,
            "jobTemplate": Shape("a template", {"spec": _JOB}, needed=("spec",)),
            "schedule": _SCHEDULE,
            "startingDeadlineSeconds": form.number(0, 2**63 - 1),
            "successfulJobsHistoryLimit": NATURAL,
            "timeZone": _ZONE.strict(),
        },
        named=object_name(lambda text: len(text) <= _LONGEST_CRON, "at most 52 characters"),
        needed=("schedule", "jobTemplate"),
        relations=(_zone_once,),
    ),
}
