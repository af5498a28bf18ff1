"""Where pods may run: conditions on the labels of nodes, pods and namespaces."""

from collections.abc import Iterator

from renderer.kubernetes.names import (
    DNS_LABEL,
    DNS_NAME,
    LABEL_KEY,
    LABEL_VALUE,
    is_dns_label,
    is_dns_name,
    is_label_key,
    is_label_value,
)
from renderer.kubernetes.pods import OPERATOR, POD, SOURCE, Field, Pod
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_NODES = ("affinity", "nodeAffinity")
_PODS = (("affinity", "podAffinity"), ("affinity", "podAntiAffinity"))
_MERGED_KEYS = (1, 34)
_SET_OPERATORS, _EXISTENCE_OPERATORS, _NUMBER_OPERATORS = (
    ("In", "NotIn"),
    ("Exists", "DoesNotExist"),
    ("Gt", "Lt"),
)


@rule("MAN141", Severity.ERROR, POD, reads=("affinity",))
def conditions_have_values(pod: Pod) -> Iterator[Finding]:
    """A condition on labels has as many values as its operator compares with.

    In and NotIn take some, Exists and DoesNotExist none, Gt and Lt one. A condition on fields of a
    node takes In or NotIn and one value. Kubernetes refuses the pod otherwise.

    Fails:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: In}]}]
    Passes:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: Exists}]}]
    """
    labelled = [term for term, _ in _node_terms(pod)]
    for term in (*labelled, *_selectors(pod)):
        for condition in term.each("matchExpressions"):
            yield from _values(condition)
    for term in labelled:
        for condition in term.each("matchFields"):
            yield from _field_values(condition)


def _values(condition: Field) -> Iterator[Finding]:
    operator = condition.get("operator")
    word, count = (operator.text if operator else ""), len(list(condition.each("values")))
    values = condition.get("values") or condition
    if operator and word in _SET_OPERATORS and not count:
        yield operator.wrong(f"{word} compares with values, and there are none", "add values")
    if word in _EXISTENCE_OPERATORS and count:
        yield values.wrong_key(f"{word} takes no values", "delete them, or write In or NotIn")
    if operator and word in _NUMBER_OPERATORS and count != 1:
        yield values.wrong_key(f"{word} compares with one value, not with {count}", "write one")


def _field_values(condition: Field) -> Iterator[Finding]:
    operator, key = condition.get("operator"), condition.get("key")
    if operator and operator.text not in _SET_OPERATORS:
        message = f"{operator.text} does not compare fields of a node"
        yield operator.wrong(message, "write In or NotIn")
    elif operator and (count := len(list(condition.each("values")))) != 1:
        values = condition.get("values") or operator
        message = f"a field of a node is compared with one value, not with {count}"
        yield values.wrong_key(message, "write one")
    if key and key.text != "metadata.name":
        message = f"a node is not chosen by its field {visible(key.text)!r}"
        yield key.wrong(message, "write metadata.name, or use matchExpressions")


@rule("MAN142", Severity.ERROR, POD)
def conditions_name_labels(pod: Pod) -> Iterator[Finding]:
    """What a condition compares are keys and values that labels, and names that nodes can have.

    Only where a node is preferred, not required, values may have any form. Kubernetes refuses the
    pod otherwise.

    Fails:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: a b, operator: Exists}]}]
    Passes:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: a-b, operator: Exists}]}]
    """
    for term, is_required in _node_terms(pod):
        yield from _labels(term, check_values=is_required)
        for condition in term.each("matchFields"):
            for value in condition.each("values"):
                if not is_dns_name(value.text):
                    message = f"no node can be called {visible(value.text)!r}"
                    yield value.wrong(message, f"write {DNS_NAME}")
    for selector in _selectors(pod):
        yield from _labels(selector, check_values=True)
        for name, label in selector.members("matchLabels").items():
            if not is_label_key(name):
                yield label.wrong_key(
                    f"{visible(name)!r} is not a key of a label", f"write {LABEL_KEY}"
                )
            yield from _label_value(label)


def _labels(term: Field, *, check_values: bool) -> Iterator[Finding]:
    for condition in term.each("matchExpressions"):
        key = condition.get("key")
        if key and not is_label_key(key.text):
            yield key.wrong(f"{visible(key.text)!r} is not a key of a label", f"write {LABEL_KEY}")
        for value in condition.each("values") if check_values else ():
            yield from _label_value(value)


def _label_value(value: Field) -> Iterator[Finding]:
    if not is_label_value(value.text):
        message = f"no label can have the value {visible(value.text)!r}"
        yield value.wrong(message, f"write {LABEL_VALUE}")


@rule("MAN143", Severity.ERROR, POD)
def terms_are_of_places(pod: Pod) -> Iterator[Finding]:
    """A topologyKey is a label of nodes, and a namespace is a name that can exist.

    Kubernetes refuses the pod if `topologyKey` is no label, or a namespace is no name.

    Fails:
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: host name}]
    Passes:
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              - {topologyKey: kubernetes.io/hostname}
    """
    for term in _pod_terms(pod):
        key = term.get("topologyKey")
        if key and not is_label_key(key.text):
            yield key.wrong(f"{visible(key.text)!r} is not a label of nodes", f"write {LABEL_KEY}")
        for name in term.each("namespaces"):
            if not is_dns_label(name.text):
                message = f"no namespace can be called {visible(name.text)!r}"
                yield name.wrong(message, f"write at most 63 {DNS_LABEL}")


@rule("MAN144", Severity.ERROR, POD)
def required_nodes_have_terms(pod: Pod) -> Iterator[Finding]:
    """What is required of nodes has at least one term.

    Kubernetes refuses the pod otherwise.

    Fails:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}
    Passes:
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms: [{matchExpressions: [{key: gpu, operator: Exists}]}]
    """
    terms = pod.spec.get(*_NODES, _REQUIRED, "nodeSelectorTerms")
    if terms and not terms.node.elements:
        yield terms.wrong_key("the list of terms is empty", "add a term, or delete it all")


@rule("MAN189", Severity.ERROR, POD, since="0.2.0")
def label_keys_are_not_in_the_selector(pod: Pod) -> Iterator[Finding]:
    """A label whose value is taken from the pod is not in the selector as well.

    Kubernetes before 1.34 refuses that in `topologySpreadConstraints`. It refuses it in `affinity`
    of a pod that an operator makes; of a workload it takes it, and then refuses its pods.

    Fails:
        # with kubernetes.version "1.33"
        topologySpreadConstraints:
          - maxSkew: 1
            topologyKey: zone
            whenUnsatisfiable: DoNotSchedule
            labelSelector: {matchLabels: {app: a}}
            matchLabelKeys: [app]
    Passes with:
        topologySpreadConstraints:
          - topologyKey: zone
            whenUnsatisfiable: DoNotSchedule
            matchLabelKeys: [pod-template-hash]
    """
    is_merged = pod.maker == OPERATOR
    terms = list(_pod_terms(pod)) if is_merged else []
    if is_merged or pod.versions[0] < _MERGED_KEYS:
        terms += pod.spec.each("topologySpreadConstraints")
    for term in terms:
        conditions = term.each("labelSelector", "matchExpressions")
        keys = {key.text for item in conditions if (key := item.get("key"))}
        keys |= term.members("labelSelector", "matchLabels").keys()
        for key in term.each("matchLabelKeys"):
            if key.text in keys:
                message = f"{visible(key.text)!r} is in the labelSelector already"
                yield key.wrong(message, "delete one of the two")


def _node_terms(pod: Pod) -> Iterator[tuple[Field, bool]]:
    """The terms about nodes, and whether they are required."""
    yield from ((term, True) for term in required_node_terms(pod))
    for preferred in pod.spec.each(*_NODES, _PREFERRED):
        yield from ((term, False) for term in preferred.present(("preference",)))


def required_node_terms(pod: Pod) -> Iterator[Field]:
    """The terms about nodes of which one has to be fulfilled."""
    return pod.spec.each(*_NODES, _REQUIRED, "nodeSelectorTerms")


def _pod_terms(pod: Pod, places: tuple[tuple[str, str], ...] = _PODS) -> Iterator[Field]:
    for keys in places:
        yield from pod.spec.each(*keys, _REQUIRED)
        for preferred in pod.spec.each(*keys, _PREFERRED):
            yield from preferred.present(("podAffinityTerm",))


def keeping_apart(pod: Pod) -> Iterator[Field]:
    """What selects pods from which this one is kept apart."""
    yield from _pod_terms(pod, _PODS[1:])
    yield from pod.spec.each("topologySpreadConstraints")


def _selectors(pod: Pod) -> Iterator[Field]:
    for term in _pod_terms(pod):
        yield from term.present(("labelSelector", "namespaceSelector"))
    for spread in pod.spec.each("topologySpreadConstraints"):
        yield from spread.present(("labelSelector",))


RULES = rules_with_source(
    (
        conditions_have_values,
        conditions_name_labels,
        terms_are_of_places,
        required_nodes_have_terms,
        label_keys_are_not_in_the_selector,
    ),
    SOURCE,
)
