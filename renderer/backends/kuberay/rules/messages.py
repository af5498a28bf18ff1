"""Numbers, switches and variables of messages, which the API server reads in its own way."""

from collections.abc import Iterator

from renderer.backends.fields import is_true, whole_number
from renderer.backends.kuberay.messages.values import (
    name_of,
    parse_number,
    written_groups,
    written_workers,
)
from renderer.backends.kuberay.rules import MESSAGES
from renderer.backends.kuberay.vocabulary import CLUSTER, MESSAGE
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_OBJECTS = ("CONFIGMAP", "SECRET")
#: What `key` is; a ConfigMap that is not named is found in the pod.
_KEYS = {
    "CONFIGMAP": "a key of the ConfigMap",
    "SECRET": "a key of the Secret",
    "RESOURCEFIELD": "a request or limit, such as limits.cpu",
    "FIELD": "a field of the pod, such as status.podIP",
}
_VALUES_FROM = "valuesFrom"
_PLACES = (
    f"envs.{_VALUES_FROM}",
    f"{MESSAGE}.headGroupSpec.environment.{_VALUES_FROM}",
    f"{MESSAGE}.workerGroupSpec.environment.{_VALUES_FROM}",
    f"{MESSAGE}.autoscalerOptions.envs.{_VALUES_FROM}",
)


@rule("RAY108", Severity.INFO, CLUSTER)
def zero_is_meant(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`minReplicas: 0` below `clusterSpec` is rendered as 0; KubeRay's API would take `replicas`.

    To KubeRay's API server a 0 is a value that was not given, so that the workers it starts with
    are never taken away again. Leave the field out to have it so.

    Fails:
        clusterSpec:
          workerGroupSpec: [{groupName: small, replicas: 2, minReplicas: 0, maxReplicas: 5}]
    Passes: clusterSpec: {workerGroupSpec: [{groupName: small, replicas: 2, maxReplicas: 5}]}
    """
    for group in written_workers(workload.spec.tree):
        least, given = group.get("minReplicas"), _number(group, "replicas")
        if least and _number(group, "minReplicas") == 0 and given:
            message = f"minReplicas 0 stays 0; KubeRay's API server would take {given}, as replicas"
            yield least.wrong(message, "delete it to have as many as replicas says")


@rule("RAY109", Severity.ERROR, CLUSTER, reads=(f"{MESSAGE}.workerGroupSpec",))
def groups_of_messages_have_a_bound(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A group of workers below `clusterSpec` says `maxReplicas`, which is 1 or more.

    KubeRay's API server refuses the request otherwise: "MaxReplicas can not be 0".

    Fails: clusterSpec: {workerGroupSpec: [{groupName: small, replicas: 0, maxReplicas: 0}]}
    Passes with: clusterSpec: {workerGroupSpec: [{groupName: small, maxReplicas: 1}]}
    """
    for group in written_workers(workload.spec.tree):
        most = group.get("maxReplicas")
        if most is None:
            message = "maxReplicas is missing; KubeRay's API server reads 0, and refuses it"
            yield group.wrong(message, "add maxReplicas, 1 or more")
        elif _number(group, "maxReplicas") == 0:
            message = "KubeRay's API server refuses 0: no worker could run"
            yield most.wrong(message, "write 1 or more")


@rule("RAY110", Severity.WARNING, CLUSTER)
def autoscaler_options_of_messages_count(workload: PlacelessWorkload) -> Iterator[Finding]:
    """`autoscalerOptions` below `clusterSpec` come with `enableInTreeAutoscaling: true`.

    Without the switch KubeRay's API server drops them, and they are not rendered.

    Fails: clusterSpec: {autoscalerOptions: {idleTimeoutSeconds: 60}}
    Passes with: clusterSpec: {enableInTreeAutoscaling: true}
    """
    options = Field((), workload.spec.tree).get(MESSAGE, "autoscalerOptions")
    is_on = is_true(workload.spec.tree, MESSAGE, "enableInTreeAutoscaling")
    if options and options.node.items and not is_on:
        message = "the options have no effect: nothing scales the cluster"
        yield options.wrong_key(message, "add enableInTreeAutoscaling: true, or delete them")


def _number(group: Field, key: str) -> int | None:
    return whole_number(parse_number(group.node.get(key)))


@rule("RAY120", Severity.ERROR, CLUSTER, reads=_PLACES)
def variables_of_messages_say_a_key(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A variable in `valuesFrom` says the key that it is taken from, once.

    For FIELD it is the path of the field. KubeRay's API server reads it in `key`, though its
    documentation has it in `name`: either will do, and both only if they are the same.

    Fails:
        clusterSpec:
          headGroupSpec:
            environment:
              valuesFrom: {IP: {source: FIELD, name: status.podIP, key: status.hostIP}}
    Passes:
        clusterSpec:
          headGroupSpec: {environment: {valuesFrom: {IP: {source: FIELD, key: status.podIP}}}}
    """
    for variable in _variables(workload):
        kind = name_of(variable.node.get("source"), "source")
        name, key = (_text(variable, field) for field in ("name", "key"))
        if kind == "FIELD" and name and key and name != key:
            message = f"the field is {name!r} by its name and {key!r} by its key"
            yield from (f.wrong(message, "keep only key") for f in variable.present(["name"]))
        elif kind and not key and not (kind == "FIELD" and name):
            message = f"the variable {variable.name!r} has no key to be taken from"
            yield variable.wrong_key(message, f"add key: {_KEYS[kind]}")


@rule("RAY121", Severity.WARNING, CLUSTER, reads=_PLACES)
def variables_of_messages_say_a_source(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A variable in `valuesFrom` says what it is taken from, in `source`.

    To KubeRay's API server a `source` that is missing is the first of its list, a ConfigMap.

    Fails:
        clusterSpec:
          headGroupSpec: {environment: {valuesFrom: {TOKEN: {name: hub, key: token}}}}
    Passes with:
        clusterSpec: {headGroupSpec: {environment: {valuesFrom: {TOKEN: {source: SECRET}}}}}
    """
    for variable in (*_variables(workload), *_autoscaler_variables(workload)):
        if variable.get("source") is None:
            message = (
                f"valuesFrom.{variable.name} has no source, and KubeRay's API server takes the "
                "value from a ConfigMap"
            )
            yield variable.wrong_key(message, "add source: CONFIGMAP, or SECRET if it is one")


@rule("RAY122", Severity.WARNING, CLUSTER, reads=_PLACES)
def autoscaler_takes_whole_objects(workload: PlacelessWorkload) -> Iterator[Finding]:
    """An autoscaler below `clusterSpec` gets all keys of a ConfigMap or Secret by their names.

    For the autoscaler, KubeRay's API server ignores the name of a variable and its `key`, and it
    drops what is taken from anything else.

    Fails:
        clusterSpec:
          enableInTreeAutoscaling: true
          autoscalerOptions:
            envs: {valuesFrom: {TOKEN: {source: SECRET, name: hub, key: token}}}
    Passes:
        clusterSpec:
          enableInTreeAutoscaling: true
          autoscalerOptions: {envs: {valuesFrom: {hub: {source: SECRET, name: hub}}}}
    """
    for variable in _autoscaler_variables(workload):
        kind = name_of(variable.node.get("source"), "source")
        if kind and kind not in _OBJECTS:
            message = f"the autoscaler takes no variable from a {kind}: it is left out"
            yield variable.wrong_key(message, "delete it")
        elif key := variable.get("key"):
            message = f"the autoscaler gets every key, under its own name, not {variable.name!r}"
            yield key.wrong_key(message, "delete it, and keep in the object what it may get")


def _variables(workload: PlacelessWorkload) -> Iterator[Field]:
    """The variables of the cluster and of its groups that take their value from elsewhere."""
    tree = workload.spec.tree
    yield from Field((), tree).members("envs", _VALUES_FROM).values()
    for group in written_groups(tree):
        yield from group.members("environment", _VALUES_FROM).values()


def _autoscaler_variables(workload: PlacelessWorkload) -> Iterator[Field]:
    options = Field((), workload.spec.tree).get(MESSAGE, "autoscalerOptions")
    yield from options.members("envs", _VALUES_FROM).values() if options else ()


def _text(variable: Field, name: str) -> str:
    found = variable.get(name)
    return found.text if found else ""


RULES = rules_with_source(
    (
        zero_is_meant,
        groups_of_messages_have_a_bound,
        autoscaler_options_of_messages_count,
        variables_of_messages_say_a_key,
        variables_of_messages_say_a_source,
        autoscaler_takes_whole_objects,
    ),
    MESSAGES,
)
