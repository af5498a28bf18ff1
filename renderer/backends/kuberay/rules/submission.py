"""Who submits a job, and what is submitted."""

import json
from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kuberay.dialect import RayImage
from renderer.backends.kuberay.rules import VALIDATION
from renderer.backends.kuberay.vocabulary import JOB, is_placeholder
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.text.expressions import expression
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.tree import Node

_SELECTOR, _CLUSTER = "clusterSelector", "rayClusterSpec"
_RESOURCES = "entrypointResources"
_SIDECAR, _INTERACTIVE, _SUBMITTED = "SidecarMode", "InteractiveMode", "K8sJobMode"
_SUBMITTER = ("submitterPodTemplate", "submitterConfig")
_ENTRYPOINT_FIELDS = (
    "entrypoint", "runtimeEnvYAML", "metadata", "entrypointNumCpus", "entrypointNumGpus",
    "entrypointResources",
)  # fmt: skip
#: A single & at the end of a command, or of the one that a shell is given by -c.
_BACKGROUND = expression(
    r"""(?:^|[^&\\<>|])&\s*$|\s-[a-z]*c\s+(?:'[^']*[^&\\<>|]&\s*'|"[^"]*[^&\\<>|]&\s*")\s*$"""
)
#: Public images that have no Ray, under the names that they have at Docker Hub.
_RAYLESS_IMAGES = frozenset((
    "alpine", "bash", "bitnami/kubectl", "busybox", "curlimages/curl", "debian", "python", "ubuntu",
))  # fmt: skip
_HUB_PREFIX = expression(r"^(?:docker\.io/)?(?:library/)?")


@rule("RAY355", Severity.ERROR, JOB, reads=("submissionMode", _CLUSTER))
def sidecars_submit_once(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A job that a sidecar of the head submits has no other submitter, and its head no restarts.

    With `submissionMode: SidecarMode` the operator refuses `submitterPodTemplate`,
    `submitterConfig`, `clusterSelector`, and a `restartPolicy` of the head other than Never.

    Fails:
        submissionMode: SidecarMode
        submitterConfig: {backoffLimit: 1}
    Passes: submissionMode: SidecarMode
    """
    if workload.submission_mode != _SIDECAR:
        return
    for key in (*_SUBMITTER, _SELECTOR):
        if key in workload.fields.items:
            fix = "delete it, or write another submissionMode"
            yield workload.wrong((key,), f"{_SIDECAR} goes without {key}", fix, at_key=True)
    policy = workload.cluster.head.pod.get("restartPolicy")
    if policy and policy.text not in ("", "Never"):
        message = (
            f"in {_SIDECAR} the head is not restarted, as the job would not be submitted again"
        )
        yield workload.wrong(policy.path, message, "write Never, or delete it")


@rule("RAY356", Severity.WARNING, JOB, reads=("submissionMode",))
def submitters_submit(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Only jobs with `submissionMode: K8sJobMode` have a pod that submits them.

    The operator submits a job itself in HTTPMode, and a person in InteractiveMode: settings of
    the submitter have no effect then.

    Fails:
        submissionMode: HTTPMode
        submitterConfig: {backoffLimit: 1}
    Passes: submitterConfig: {backoffLimit: 1}
    """
    mode = workload.submission_mode or _SUBMITTED
    if mode in (_SUBMITTED, _SIDECAR):
        return
    for key in _SUBMITTER:
        if key in workload.fields.items:
            message = f"{key} has no effect: in {mode} no pod submits the job"
            yield workload.wrong((key,), message, "delete it", at_key=True)


@rule("RAY358", Severity.ERROR, JOB, reads=("entrypoint", "submissionMode"))
def job_has_an_entrypoint(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A job has an `entrypoint`, the command that it is.

    Only in InteractiveMode a person gives it, and a submitter of one's own may bring it along as
    its command. Neither Kubernetes nor the operator checks it: a job without one gets its
    cluster, and then fails.

    Fails: entrypoint: ' '
    Passes: entrypoint: python train.py
    """
    submitter = ("submitterPodTemplate", "spec", "containers", 0, "command")
    is_given = text(workload.fields, "entrypoint").strip() or elements(workload.fields, *submitter)
    if not is_given and workload.submission_mode != _INTERACTIVE:
        fix = "add entrypoint, such as python train.py"
        yield workload.wrong(("entrypoint",), "the job has no command to run", fix)


@rule("RAY290", Severity.WARNING, JOB, reads=("entrypoint", "submissionMode"), since="0.2.0")
def people_bring_entrypoints(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A job in InteractiveMode has no `entrypoint`, nor what belongs to one.

    KubeRay makes the cluster and waits until a person submits a job to it, and writes its id into
    `jobId`. What the spec says of the job itself has no effect (inferred).

    Fails:
        submissionMode: InteractiveMode
        entrypoint: python train.py
    Passes with: entrypoint: null
    """
    if workload.submission_mode != _INTERACTIVE:
        return
    for key in _ENTRYPOINT_FIELDS:
        if (given := workload.fields.get(key)) and given.value:
            message = f"{key} has no effect: in {_INTERACTIVE} a person submits the job"
            fix = "delete it, or write another submissionMode"
            yield workload.wrong((key,), message, fix, at_key=True)


@rule("RAY359", Severity.ERROR, JOB, reads=("submitterPodTemplate",))
def submitters_end(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The pod that submits a job has the `restartPolicy` Never or OnFailure.

    It is that of a Kubernetes Job. With another policy, or none, Kubernetes refuses it when the
    cluster is there already (observed), and the job never starts.

    Fails: submitterPodTemplate: {spec: {containers: [{name: a, image: 'rayproject/ray:2.52.0'}]}}
    Passes with: submitterPodTemplate: {spec: {restartPolicy: Never}}
    """
    path = ("submitterPodTemplate", "spec")
    mode = workload.submission_mode or _SUBMITTED
    given = workload.fields.get(*path)
    if given and mode == _SUBMITTED and text(given, "restartPolicy") not in ("Never", "OnFailure"):
        message = "the pod of a Kubernetes Job has the restartPolicy Never or OnFailure"
        yield workload.wrong((*path, "restartPolicy"), message, "write restartPolicy: Never")


@rule("RAY544", Severity.ERROR, JOB, reads=("entrypoint",), since="0.2.0")
def entrypoints_stay_in_front(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The entrypoint of a job does not end with `&`.

    A shell runs it. With `&` at the end the shell does not wait: the job has succeeded at once, and
    its cluster may be deleted while the command runs (inferred).

    Fails: entrypoint: python train.py &
    Passes: entrypoint: python train.py
    """
    if _BACKGROUND.search(text(workload.fields, "entrypoint")):
        message = "with & at its end nobody waits for the entrypoint, and the job is over at once"
        yield workload.wrong(("entrypoint",), message, "delete the & at the end")


@rule("RAY546", Severity.WARNING, JOB, reads=("submitterPodTemplate",), since="0.2.0")
def submitters_have_ray(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The image of the pod that submits a job has Ray in it.

    The operator runs `ray job submit` in its first container, unless that has a command of its own.
    Public images such as python, busybox and curlimages/curl have no `ray`.

    Fails:
        submitterPodTemplate:
          spec: {restartPolicy: Never, containers: [{name: a, image: 'python:3.11-slim'}]}
    Passes with:
        submitterPodTemplate: {spec: {containers: [{name: a, image: 'rayproject/ray:2.52.0'}]}}
    """
    path = ("submitterPodTemplate", "spec", "containers", 0)
    container = workload.fields.get(*path)
    mode = workload.submission_mode or _SUBMITTED
    if container is None or mode != _SUBMITTED or "command" in container.items:
        return
    image = text(container, "image")
    if _HUB_PREFIX.sub("", RayImage.of(image).repository) in _RAYLESS_IMAGES:
        message = f"{visible(image)!r} has no ray, which submits the job"
        fix = "write the image of the head, or delete submitterPodTemplate"
        yield workload.wrong((*path, "image"), message, fix)


@rule("RAY362", Severity.ERROR, JOB)
def entrypoint_reserves_numbers(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What the entrypoint of a job reserves (`entrypointResources`) are numbers by name.

    They are a mapping, or text that is one in JSON. Ray refuses to take the job otherwise, when its
    cluster is there already.

    Fails: entrypointResources: '{"Custom": "1"}'
    Passes: entrypointResources: '{"Custom": 1}'
    """
    given = workload.fields.get(_RESOURCES)
    if given is None or not isinstance(given.value, str) or is_placeholder(given.value):
        return
    message = _resources_problem(given)
    if given.value.strip() and message:
        yield workload.wrong((_RESOURCES,), message, 'write a mapping, such as {"Custom": 1}')


def _resources_problem(given: Node) -> str:
    try:
        data = json.loads(str(given.value))
    except (ValueError, RecursionError):
        return f"{visible(str(given.value))!r} is no JSON"
    if not isinstance(data, dict):
        return "the resources are no mapping"
    wrong = [key for key, n in data.items() if type(n) not in (int, float)]
    return f"{visible(wrong[0])!r} has no number" if wrong else ""


RULES = rules_with_source(
    (
        sidecars_submit_once,
        submitters_submit,
        submitters_end,
        job_has_an_entrypoint,
        people_bring_entrypoints,
        entrypoints_stay_in_front,
        submitters_have_ray,
        entrypoint_reserves_numbers,
    ),
    VALIDATION,
)
