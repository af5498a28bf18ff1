"""Ray's autoscaler: a container in the head that adds and takes away workers."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text, whole_number
from renderer.backends.kuberay.dialect import parse_version, version_text
from renderer.backends.kuberay.rules import PODS, VALIDATION
from renderer.backends.kuberay.workloads import Cluster, PlacelessWorkload
from renderer.kubernetes.forms.container import PULL_POLICY
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

_OPTIONS = "autoscalerOptions"
_SWITCH = "RAY_enable_autoscaler_v2"
_START = "KUBERAY_GEN_AUTOSCALER_START_CMD"
_TRUE = ("1", "true")
#: Volumes of the head that the operator makes itself.
_OPERATOR_VOLUMES = ("shared-mem", "ray-logs")
#: The oldest Ray with which the operator takes priorities.
_HAS_PRIORITIES = (2, 56, 0)
#: Since when the switch alone is refused, and the start command is.
_REFUSES_SWITCH, _REFUSES_START = (1, 5, 0), (1, 7, 0)


def _uses_v2(cluster: Cluster) -> bool:
    """Whether the second version of the autoscaler is asked for, in either way."""
    switch = cluster.head.variables.get(_SWITCH)
    by_switch = switch is not None and text(switch.node, "value") in _TRUE
    return text(cluster.node, _OPTIONS, "version") == "v2" or by_switch


@rule("RAY270", Severity.WARNING, "RayCluster")
def options_need_the_switch(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Options of the autoscaler go with `enableInTreeAutoscaling: true`.

    Without it there is no autoscaler, and no error either (observed).

    Fails: autoscalerOptions: {idleTimeoutSeconds: 60}
    Passes with: enableInTreeAutoscaling: true
    """
    cluster = workload.cluster
    if not cluster.is_scaled and _OPTIONS in cluster.node.items:
        message = "without enableInTreeAutoscaling there is no autoscaler"
        fix = "add enableInTreeAutoscaling: true, or delete them"
        yield workload.wrong((*cluster.path, _OPTIONS), message, fix, at_key=True)


@rule("RAY271", Severity.ERROR, "RayCluster")
def version_is_said_once(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The version of the autoscaler is set by autoscalerOptions.version, or by a variable.

    The operator refuses a cluster with both, and one that is not scaled with the variable
    RAY_enable_autoscaler_v2 set: 1.6.1 was observed; by the sources it is so since 1.4 and 1.5.

    Fails:
        enableInTreeAutoscaling: true
        autoscalerOptions: {version: v2}
        headGroupSpec:
          template:
            spec:
              containers:
                - {name: ray-head, env: [{name: RAY_enable_autoscaler_v2, value: "1"}]}
    Passes:
        enableInTreeAutoscaling: true
        autoscalerOptions: {version: v2}
    """
    cluster, dialect = workload.cluster, workload.settings.dialect
    switch = cluster.head.variables.get(_SWITCH)
    if switch is None:
        return
    path, named = (*switch.path, "name"), (*cluster.path, _OPTIONS, "version")
    if not cluster.is_scaled:
        if text(switch.node, "value") in _TRUE and dialect.knows(_REFUSES_SWITCH):
            message = f"{_SWITCH} goes with enableInTreeAutoscaling"
            yield workload.wrong(path, message, "delete it, or add enableInTreeAutoscaling: true")
    elif cluster.node.get(_OPTIONS, "version") and workload.has_field(named):
        message = f"autoscalerOptions.version says it, and {_SWITCH} too"
        yield workload.wrong(path, message, "delete it")


@rule("RAY272", Severity.ERROR, "RayCluster")
def second_version_restarts_nothing(workload: PlacelessWorkload) -> Iterator[Finding]:
    """With version v2 of the autoscaler, pods are not restarted.

    The autoscaler replaces nodes itself. The operator refuses a restartPolicy other than Never.

    Fails:
        enableInTreeAutoscaling: true
        autoscalerOptions: {version: v2}
        headGroupSpec: {template: {spec: {restartPolicy: Always}}}
    Passes with: headGroupSpec: {template: {spec: {restartPolicy: Never}}}
    """
    cluster = workload.cluster
    is_v2 = cluster.is_scaled and text(cluster.node, _OPTIONS, "version") == "v2"
    for group in workload.groups if is_v2 else ():
        policy = group.pod.get("restartPolicy")
        if policy and policy.text in ("Always", "OnFailure"):
            message = f"with version v2 of the autoscaler, {group.title} is not restarted"
            yield workload.wrong(policy.path, message, "write Never, or delete it")


@rule("RAY273", Severity.ERROR, "RayCluster", reads=("autoscalerOptions", "headGroupSpec.template"))
def idle_timeouts_fit(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A time without work is 0 seconds or more, and groups have their own only with version v2.

    The operator refuses the cluster otherwise since 1.6 (1.6.1 was observed), whether it is scaled
    or not; the autoscaler of version v1 ignores the timeout of a group.

    Fails:
        enableInTreeAutoscaling: true
        autoscalerOptions: {idleTimeoutSeconds: -1}
    Passes with:
        autoscalerOptions: {version: v2, idleTimeoutSeconds: 60}
        workerGroupSpecs: [{groupName: small, idleTimeoutSeconds: 10}]
    """
    cluster, key = workload.cluster, "idleTimeoutSeconds"
    if (whole_number(cluster.node, _OPTIONS, key) or 0) < 0:
        path: Path = (*cluster.path, _OPTIONS, key)
        yield workload.wrong(path, f"{key} cannot be negative", "write 0 or more")
    for group in cluster.workers:
        seconds, path = group.number(key), (*group.path, key)
        if seconds is not None and seconds < 0:
            yield workload.wrong(path, f"{key} cannot be negative", "write 0 or more")
        elif seconds is not None and not _uses_v2(cluster):
            message = "a group has a time of its own only with version v2 of the autoscaler"
            fix = "add autoscalerOptions: {version: v2}, or delete it"
            yield workload.wrong(path, message, fix, at_key=True)


@rule("RAY274", Severity.ERROR, "RayCluster", reads=("autoscalerOptions", "rayVersion"))
def priorities_are_possible(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A group has a priority only with version v2 of the autoscaler, and Ray 2.56 or later.

    The operator refuses the cluster otherwise. It reads the version from rayVersion.

    Fails:
        enableInTreeAutoscaling: true
        autoscalerOptions: {version: v2}
        workerGroupSpecs: [{groupName: small, priority: 5}]
    Passes with:
        rayVersion: 2.56.0
        headGroupSpec:
          template: {spec: {containers: [{name: ray-head, image: 'rayproject/ray:2.56.0'}]}}
        workerGroupSpecs:
          - groupName: small
            template: {spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.56.0'}]}}
    """
    cluster = workload.cluster
    for group in cluster.workers:
        path = (*group.path, "priority")
        if not group.number("priority") or not workload.has_field(path):
            continue
        stated = parse_version(text(cluster.node, "rayVersion"))
        if stated is None or stated < _HAS_PRIORITIES:
            fix = f"write rayVersion, {version_text(_HAS_PRIORITIES)} or later, or delete it"
            message = f"groups have priorities since Ray {version_text(_HAS_PRIORITIES)}"
        elif not _uses_v2(cluster):
            message = "groups have priorities only with version v2 of the autoscaler"
            fix = "add autoscalerOptions: {version: v2}, or delete it"
        else:
            continue
        yield workload.wrong(path, message, fix, at_key=True)


@rule("RAY275", Severity.ERROR, "RayCluster")
def start_command_is_the_operators(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The autoscaler has no variable KUBERAY_GEN_AUTOSCALER_START_CMD of its own.

    The operator sets it, and since 1.7 it refuses a cluster that does.

    Fails:
        enableInTreeAutoscaling: true
        autoscalerOptions: {env: [{name: KUBERAY_GEN_AUTOSCALER_START_CMD, value: ray}]}
    Passes:
        enableInTreeAutoscaling: true
        autoscalerOptions: {args: ["ulimit -n 65536; $KUBERAY_GEN_AUTOSCALER_START_CMD"]}
    """
    options = workload.cluster.get(_OPTIONS)
    if options is None or not workload.settings.dialect.knows(_REFUSES_START):
        return
    for variable in options.each("env"):
        if text(variable.node, "name") == _START:
            message = f"the operator sets {_START} itself"
            yield workload.wrong((*variable.path, "name"), message, "delete it")


@rule("RAY276", Severity.ERROR, "RayCluster", reads=("headGroupSpec.template.spec.volumes",))
def mounts_are_volumes_of_the_head(workload: PlacelessWorkload) -> Iterator[Finding]:
    """What the autoscaler mounts is a volume of the head, in whose pod it runs.

    Kubernetes refuses the head's pod otherwise, after the cluster was accepted. A request to
    KubeRay's API server has only the mounts of an autoscaler: the head needs a volume of that name.

    Fails:
        enableInTreeAutoscaling: true
        autoscalerOptions: {volumeMounts: [{name: cache, mountPath: /cache}]}
    Passes with: headGroupSpec: {template: {spec: {volumes: [{name: cache, emptyDir: {}}]}}}
    """
    cluster = workload.cluster
    options = cluster.get(_OPTIONS)
    if options is None or not cluster.is_scaled:
        return
    volumes = elements(cluster.head.pod.node, "volumes")
    known = {*_OPERATOR_VOLUMES, *(text(volume, "name") for volume in volumes)}
    for mount in options.each("volumeMounts"):
        name = text(mount.node, "name")
        if name and name not in known:
            message = f"the autoscaler mounts {visible(name)!r}, and the head has no such volume"
            fix = "add a volume of this name to the head's pod"
            yield workload.wrong((*mount.path, "name"), message, fix)


@rule("RAY278", Severity.ERROR, "RayCluster", since="0.2.0")
def autoscaler_can_be_pulled(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The image of the autoscaler, if one is given, is not empty, nor is its pull policy unknown.

    The operator takes both as they are, and Kubernetes refuses the head's pod. Without `image`,
    the autoscaler has that of the head. Where there is no autoscaler, nobody reads them (RAY270).

    Fails: {enableInTreeAutoscaling: true, autoscalerOptions: {image: ""}}
    Passes with: {autoscalerOptions: {image: null}}
    """
    options = workload.cluster.get(_OPTIONS)
    if options is None or not workload.cluster.is_scaled:
        return
    image = options.get("image")
    if image and image.node.value == "":
        yield workload.wrong(image.path, "the autoscaler has no image", "write one, or delete it")
    policy = text(options.node, "imagePullPolicy")
    if policy and not PULL_POLICY.fits(policy):
        message = f"imagePullPolicy is {visible(policy)!r}, not {PULL_POLICY.expects}"
        path = (*options.path, "imagePullPolicy")
        yield workload.wrong(path, message, f"write {PULL_POLICY.expects}")


RULES = (
    *rules_with_source(
        (options_need_the_switch, mounts_are_volumes_of_the_head, autoscaler_can_be_pulled), PODS
    ),
    *rules_with_source(
        (
            version_is_said_once,
            second_version_restarts_nothing,
            idle_timeouts_fit,
            priorities_are_possible,
            start_command_is_the_operators,
        ),
        VALIDATION,
    ),
)
