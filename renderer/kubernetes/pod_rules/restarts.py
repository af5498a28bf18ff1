"""When containers are started again: of pods, of containers, and before all others."""

from collections.abc import Iterator

from renderer.kubernetes.pods import JOB, POD, PROBES, SERVING_MAKERS, SOURCE, Field, Pod
from renderer.kubernetes.versions import RESTART_RULES, shown
from renderer.text.wording import listed, suggest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_ALWAYS = "Always"
_POLICIES = (_ALWAYS, "OnFailure", "Never")
_ENDING = ("Never", "OnFailure")


@rule("MAN179", Severity.ERROR, POD, since="0.2.0")
def first_containers_end(pod: Pod) -> Iterator[Finding]:
    """An init container that ends is not asked how it is, and nothing happens around its run.

    Probes and a lifecycle are for one with `restartPolicy: Always`, which goes on beside the
    others. Kubernetes refuses the pod otherwise.

    Fails: initContainers: [{name: b, image: "b:1", livenessProbe: {tcpSocket: {port: 80}}}]
    Passes with: initContainers: [{name: b, restartPolicy: Always}]
    """
    for container in pod.spec.each("initContainers"):
        policy = container.get("restartPolicy")
        if policy and policy.text == _ALWAYS:
            continue
        for field in container.present(("lifecycle", *PROBES)):
            message = f"an init container that ends has no {field.name}"
            yield field.wrong_key(message, "delete it, or write restartPolicy: Always")
        if max(pod.versions) >= (1, 36):
            yield from _resized(container)


def _resized(container: Field) -> Iterator[Finding]:
    for item in container.each("resizePolicy"):
        policy = item.get("restartPolicy")
        if policy and policy.text == "RestartContainer":
            message = "an init container that ends is not started again to be resized"
            yield policy.wrong(message, "write NotRequired")


@rule("MAN180", Severity.ERROR, POD, since="0.2.0")
def containers_restart_as_they_may(pod: Pod) -> Iterator[Finding]:
    """A container says when it is started again only where its Kubernetes takes that.

    Before 1.35, init containers may say Always, and others nothing. Rules about restarts go with a
    policy. In a pod that is never restarted, no container is for the sake of another size.
    Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, restartPolicy: always}]
    Passes: containers: [{name: a, restartPolicy: Always}]
    """
    ends = pod.spec.get("restartPolicy")
    for container in pod.containers():
        yield from _own_policy(pod, container)
        for item in container.each("resizePolicy") if ends and ends.text == "Never" else ():
            policy = item.get("restartPolicy")
            if policy and policy.text == "RestartContainer":
                message = (
                    "in a pod that is never restarted, no container is restarted to be resized"
                )
                yield policy.wrong(message, "write NotRequired")


def _own_policy(pod: Pod, container: Field) -> Iterator[Finding]:
    policy, rules = container.get("restartPolicy"), container.get("restartPolicyRules")
    is_first = "initContainers" in container.path
    older = [version for version in pod.versions if version < RESTART_RULES]
    if policy and older:
        where = f"in Kubernetes {shown(older[0])}"
        if not is_first:
            message = f"a container has no restartPolicy of its own {where}"
            yield policy.wrong_key(message, "delete it")
        elif policy.text != _ALWAYS:
            message = f"the restartPolicy of an init container is Always {where}"
            yield policy.wrong(message, "write Always, or delete it")
    elif policy and policy.text not in _POLICIES:
        message = f"restartPolicy is {visible(policy.text)!r}, not one of {listed(_POLICIES)}"
        yield policy.wrong(message, suggest(policy.text, _POLICIES))
    elif rules and not policy and not older:
        yield rules.wrong_key("restartPolicyRules go with a restartPolicy", "add restartPolicy")


@rule("MAN181", Severity.ERROR, POD, since="0.2.0")
def pods_that_serve_have_no_deadline(pod: Pod) -> Iterator[Finding]:
    """A pod that serves has no time after which it ends.

    Kubernetes refuses a Deployment, or another workload that serves, whose pods have
    `activeDeadlineSeconds`.

    Fails: activeDeadlineSeconds: 600
    Passes: terminationGracePeriodSeconds: 600
    """
    deadline = pod.spec.get("activeDeadlineSeconds")
    if deadline and pod.maker in SERVING_MAKERS:
        yield deadline.wrong_key(f"a {pod.maker} takes no activeDeadlineSeconds", "delete it")


@rule("MAN230", Severity.ERROR, POD, since="0.2.0")
def pods_of_jobs_end(pod: Pod) -> Iterator[Finding]:
    """The containers of a Job are not restarted once they have ended well.

    Kubernetes refuses a Job, or a CronJob, whose pods do not have the `restartPolicy` Never or
    OnFailure; without one it is Always.

    Fails:

        apiVersion: batch/v1
        kind: Job
        spec: {template: {spec: {containers: [{name: a, image: 'example/a:1'}]}}}

    Passes:

        apiVersion: batch/v1
        kind: Job
        spec:
          template:
            spec: {restartPolicy: Never, containers: [{name: a, image: 'example/a:1'}]}
    """
    policy = pod.spec.get("restartPolicy")
    given = policy.text if policy else _ALWAYS
    if pod.maker == JOB and pod.is_applied and given not in _ENDING:
        message = f"the restartPolicy of a Job is {visible(given)!r}, not {listed(_ENDING, 'or')}"
        place = policy or pod.spec
        yield place.wrong(message, f"write restartPolicy: {_ENDING[0]}")


RULES = rules_with_source(
    (
        first_containers_end,
        containers_restart_as_they_may,
        pods_that_serve_have_no_deadline,
        pods_of_jobs_end,
    ),
    SOURCE,
)
