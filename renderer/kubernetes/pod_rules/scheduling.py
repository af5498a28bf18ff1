"""What pods say of themselves as a whole: nodes, account, restarts and the lookup of names."""

from collections.abc import Iterator

from renderer.kubernetes.names import (
    DNS_NAME,
    LABEL_KEY,
    LABEL_VALUE,
    is_dns_name,
    is_label_key,
    is_label_value,
)
from renderer.kubernetes.pods import OPERATOR, POD, SERVING_MAKERS, SOURCE, Field, Pod
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_MOST_ANNOTATIONS = 256 * 1024


@rule("MAN156", Severity.ERROR, POD)
def tolerations_fit(pod: Pod) -> Iterator[Finding]:
    """A toleration has a key, and a value only if it compares with one.

    Without a key it tolerates all taints, by `operator: Exists`. Seconds are for the effect
    NoExecute. Kubernetes refuses the pod otherwise.

    Fails: tolerations: [{key: gpu, operator: Exists, value: big}]
    Passes: tolerations: [{key: gpu, operator: Equal, value: big}, {key: spot, operator: Exists}]
    """
    for toleration in pod.spec.each("tolerations"):
        yield from _tolerated(toleration)
        seconds, effect = toleration.get("tolerationSeconds"), toleration.get("effect")
        if seconds and (effect is None or effect.text != "NoExecute"):
            message = "only taints of the effect NoExecute are tolerated for a time"
            yield seconds.wrong_key(message, "delete it, or write effect: NoExecute")


def _tolerated(toleration: Field) -> Iterator[Finding]:
    """What is wrong with the key, the operator and the value."""
    key, value = toleration.get("key"), toleration.get("value")
    operator = toleration.get("operator")
    word = operator.text if operator else ""
    if key and key.text and not is_label_key(key.text):
        yield key.wrong(f"no taint can be called {visible(key.text)!r}", f"write {LABEL_KEY}")
    if not (key and key.text) and word != "Exists":
        yield (operator or toleration).wrong("there is no key", "add key, or operator: Exists")
    if value and value.text and word == "Exists":
        yield value.wrong_key("Exists takes no value", "delete it, or write operator: Equal")
    elif value and word in ("", "Equal") and not is_label_value(value.text):
        message = f"no taint can have the value {visible(value.text)!r}"
        yield value.wrong(message, f"write {LABEL_VALUE}")


@rule("MAN157", Severity.ERROR, POD)
def nodes_are_chosen_by_labels(pod: Pod) -> Iterator[Finding]:
    """A nodeSelector has keys and values that labels can have.

    Kubernetes refuses the pod otherwise.

    Fails: nodeSelector: {gpu type: a100}
    Passes: nodeSelector: {example.com/gpu-type: a100}
    """
    for key, value in pod.spec.members("nodeSelector").items():
        if not is_label_key(key):
            yield value.wrong_key(f"{visible(key)!r} is not a key of a label", f"write {LABEL_KEY}")
        elif not is_label_value(value.text):
            message = f"no label can have the value {visible(value.text)!r}"
            yield value.wrong(message, f"write {LABEL_VALUE}")


@rule("MAN158", Severity.ERROR, POD)
def accounts_have_names(pod: Pod) -> Iterator[Finding]:
    """The account of a pod has a name that a ServiceAccount can have.

    Kubernetes refuses the pod otherwise.

    Fails: serviceAccountName: My_Account
    Passes: serviceAccountName: my-account
    """
    name = pod.spec.get("serviceAccountName")
    if name and name.text and not is_dns_name(name.text):
        message = f"no ServiceAccount can be called {visible(name.text)!r}"
        yield name.wrong(message, f"write {DNS_NAME}")


@rule("MAN159", Severity.ERROR, POD)
def pods_are_always_restarted(pod: Pod) -> Iterator[Finding]:
    """The containers of a pod that serves are always restarted.

    Kubernetes refuses a Deployment, or another workload that serves, whose `restartPolicy` is
    another one.

    Fails: restartPolicy: Never
    Passes: restartPolicy: Always
    """
    policy = pod.spec.get("restartPolicy")
    if policy and pod.maker in SERVING_MAKERS and policy.text not in ("", "Always"):
        message = f"the restartPolicy of a {pod.maker} cannot be {visible(policy.text)!r}"
        yield policy.wrong(message, "write Always, or delete it")


@rule("MAN160", Severity.ERROR, POD, reads=("dnsConfig",))
def names_are_looked_up(pod: Pod) -> Iterator[Finding]:
    """A pod with `dnsPolicy: None` says which servers it asks for names.

    Kubernetes refuses the pod otherwise.

    Fails: dnsPolicy: None
    Passes with: dnsConfig: {nameservers: [192.0.2.1]}
    """
    policy = pod.spec.get("dnsPolicy")
    if policy and policy.text == "None" and not list(pod.spec.each("dnsConfig", "nameservers")):
        message = "the pod has no server that it could ask for names"
        yield policy.wrong(message, "add dnsConfig.nameservers, or delete dnsPolicy")


@rule("MAN197", Severity.ERROR, POD, since="0.2.0")
def finalizers_have_owners(pod: Pod) -> Iterator[Finding]:
    """A finalizer has a prefix that says whose it is, and a pod on a node waits for no gate.

    Kubernetes refuses the pod otherwise, if it is not that of a workload, which takes it first.

    Fails:
        # of a pod that an operator makes
        nodeName: node-1
        schedulingGates: [{name: example.com/gate}]
    Passes: schedulingGates: [{name: example.com/gate}]
    """
    if pod.maker != OPERATOR:
        return
    for name in pod.metadata.each("finalizers") if pod.metadata else ():
        if "/" not in name.text or not is_label_key(name.text):
            message = f"{visible(name.text)!r} does not say whose finalizer it is"
            yield name.wrong(message, "write a name with a prefix, such as example.com/name")
    node = pod.spec.get("nodeName")
    if node and node.text and list(pod.spec.each("schedulingGates")):
        message = "a pod that waits for gates is on no node yet"
        yield node.wrong_key(message, "delete it, or schedulingGates")


@rule("MAN202", Severity.ERROR, POD, since="0.2.0")
def classes_say_how_pods_are_scheduled(pod: Pod) -> Iterator[Finding]:
    """The priority and the overhead of a pod come from classes.

    `priority` and `preemptionPolicy` come from `priorityClassName`, `overhead` from
    `runtimeClassName`. Kubernetes refuses a pod that says them itself; a workload with such pods it
    takes, and then makes none.

    Fails:
        # of a pod that an operator makes
        priority: 10
    Passes: priorityClassName: high
    """
    if pod.maker != OPERATOR:
        return
    for field in pod.spec.present(("priority", "preemptionPolicy", "overhead")):
        is_default = field.node.value in (0, "PreemptLowerPriority")
        if not is_default and (field.name == "overhead" or not pod.spec.get("priorityClassName")):
            holder = "runtimeClassName" if field.name == "overhead" else "priorityClassName"
            yield field.wrong_key(f"{field.name} comes from a class", f"write {holder} instead")


@rule("MAN203", Severity.ERROR, POD, since="0.2.0")
def annotations_of_pods_are_small(pod: Pod) -> Iterator[Finding]:
    """The annotations of a pod have at most 256 KiB together.

    Kubernetes refuses the pod otherwise.
    """
    notes = pod.metadata.members("annotations") if pod.metadata else {}
    size = sum(len(key.encode()) + len(str(n.node.value).encode()) for key, n in notes.items())
    if pod.metadata and size > _MOST_ANNOTATIONS:
        field = pod.metadata.get("annotations") or pod.metadata
        message = f"the annotations have {size:,} bytes, and may have {_MOST_ANNOTATIONS:,}"
        yield field.wrong_key(message, "put large texts into a ConfigMap")


RULES = rules_with_source(
    (
        tolerations_fit,
        nodes_are_chosen_by_labels,
        accounts_have_names,
        pods_are_always_restarted,
        names_are_looked_up,
        finalizers_have_owners,
        classes_say_how_pods_are_scheduled,
        annotations_of_pods_are_small,
    ),
    SOURCE,
)
