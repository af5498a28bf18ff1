"""Values that API servers refuse although their types are right: closed sets, amounts, ranges."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from renderer.backends.base import OBJECT
from renderer.backends.companions.objects import CompanionView
from renderer.kubernetes.names import is_dns_label, is_dns_name, is_port_name
from renderer.kubernetes.quantities import value
from renderer.text.wording import listed, suggest, visible
from renderer.values.diagnostics import Finding, Path, Severity, rule
from renderer.values.tree import Node, Scalar

#: What is wrong with a value, and what to write instead; nothing if all is well.
Check = Callable[[Scalar], tuple[str, str] | None]
_LARGEST = 2**31 - 1


class _Place(NamedTuple):
    """A field of a kind, `*` for every item or member, and what is asked of it."""

    path: str
    check: Check


def _one_of(*known: str) -> Check:
    def check(given: Scalar) -> tuple[str, str] | None:
        if not isinstance(given, str) or given in known:
            return None
        return f"is none of {listed(known)}", suggest(given, known)

    return check


def _between(least: int, most: int = _LARGEST) -> Check:
    def check(given: Scalar) -> tuple[str, str] | None:
        if isinstance(given, bool) or not isinstance(given, int) or least <= given <= most:
            return None
        wish = f"at least {least}" if given < least else f"at most {most}"
        return f"is not {wish}", f"write a number that is {wish}"

    return check


def _amount(least: int) -> Check:
    """A quantity; with `least` 1 one that is more than nothing."""

    def check(given: Scalar) -> tuple[str, str] | None:
        if isinstance(given, bool | float) or given is None:
            return None
        amount = value(str(given))
        if amount is None:
            return "is no amount", "write a number with a unit of Kubernetes, such as 10Gi or 500m"
        is_enough = amount > 0 if least else amount >= 0
        return None if is_enough else ("is too little", "write an amount above zero")

    return check


def _name(form: Callable[[str], bool], what: str) -> Check:
    def check(given: Scalar) -> tuple[str, str] | None:
        if not isinstance(given, str) or not given or form(given):
            return None
        return f"is no {what}", "use small letters, digits and dashes"

    return check


_LABEL = _name(is_dns_label, "name of one part")
_NAME = _name(is_dns_name, "name of an object")
_PORT = _between(1, 65535)
_PORT_OR_NAME = (_PORT, _name(is_port_name, "name of a port, which has 15 characters at most"))
_SUBJECT = _Place("subjects.*.kind", _one_of("Group", "ServiceAccount", "User"))
_REPLICAS = _Place("spec.replicas", _between(0))
_OPERATIONS = _Place(
    "webhooks.*.rules.*.operations.*", _one_of("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
)
_UPDATES = _Place("spec.updateStrategy.type", _one_of("OnDelete", "RollingUpdate"))

#: As API servers of 1.33 and 1.36 answered (`tests/observed/kubernetes/companions/cases`).
_PLACES: Mapping[str, tuple[_Place, ...]] = {
    "ClusterRoleBinding": (_Place("roleRef.kind", _one_of("ClusterRole")), _SUBJECT),
    "CronJob": (_Place("spec.concurrencyPolicy", _one_of("Allow", "Forbid", "Replace")),),
    "CSIDriver": (
        _Place("spec.fsGroupPolicy", _one_of("File", "None", "ReadWriteOnceWithFSType")),
    ),
    "CustomResourceDefinition": (_Place("spec.scope", _one_of("Cluster", "Namespaced")),),
    "DaemonSet": (_UPDATES,),
    "Deployment": (_REPLICAS, _Place("spec.strategy.type", _one_of("Recreate", "RollingUpdate"))),
    "HorizontalPodAutoscaler": (
        _Place("spec.maxReplicas", _between(1)),
        _Place(
            "spec.metrics.*.type",
            _one_of("ContainerResource", "External", "Object", "Pods", "Resource"),
        ),
        _Place("spec.metrics.*.resource.target.averageUtilization", _between(1)),
        _Place("spec.behavior.*.stabilizationWindowSeconds", _between(0, 3600)),
    ),
    "Ingress": (
        _Place(
            "spec.rules.*.http.paths.*.pathType",
            _one_of("Exact", "ImplementationSpecific", "Prefix"),
        ),
        _Place("spec.tls.*.secretName", _NAME),
    ),
    "Job": (_Place("spec.parallelism", _between(0)), _Place("spec.completions", _between(0))),
    "Lease": (_Place("spec.leaseDurationSeconds", _between(1)),),
    "LimitRange": tuple(
        _Place(f"spec.limits.*.{field}.*", _amount(0))
        for field in ("default", "defaultRequest", "max", "min")
    ),
    "MutatingWebhookConfiguration": (
        _OPERATIONS,
        _Place("webhooks.*.reinvocationPolicy", _one_of("IfNeeded", "Never")),
    ),
    "NetworkPolicy": (
        _Place("spec.policyTypes.*", _one_of("Egress", "Ingress")),
        *(
            _Place(f"spec.{way}.*.ports.*.port", check)
            for way in ("egress", "ingress")
            for check in _PORT_OR_NAME
        ),
    ),
    "PersistentVolume": (
        _Place("spec.capacity.*", _amount(1)),
        _Place("spec.persistentVolumeReclaimPolicy", _one_of("Delete", "Recycle", "Retain")),
    ),
    "PersistentVolumeClaim": (
        _Place(
            "spec.accessModes.*",
            _one_of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"),
        ),
        _Place("spec.resources.requests.storage", _amount(1)),
        _Place("spec.storageClassName", _NAME),
        _Place("spec.volumeMode", _one_of("Block", "Filesystem")),
    ),
    "PodDisruptionBudget": (
        _Place("spec.maxUnavailable", _between(0)),
        _Place("spec.minAvailable", _between(0)),
        _Place("spec.unhealthyPodEvictionPolicy", _one_of("AlwaysAllow", "IfHealthyBudget")),
    ),
    "PriorityClass": (
        _Place("preemptionPolicy", _one_of("Never", "PreemptLowerPriority")),
        _Place("value", _between(-_LARGEST, 1_000_000_000)),
    ),
    "PriorityLevelConfiguration": (_Place("spec.type", _one_of("Exempt", "Limited")),),
    "ReplicaSet": (_REPLICAS,),
    "ResourceQuota": (_Place("spec.hard.*", _amount(0)),),
    "RoleBinding": (_Place("roleRef.kind", _one_of("ClusterRole", "Role")), _SUBJECT),
    "RuntimeClass": (_Place("handler", _LABEL),),
    "Service": (
        _Place("spec.type", _one_of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")),
        _Place("spec.externalTrafficPolicy", _one_of("Cluster", "Local")),
        _Place("spec.ports.*.name", _LABEL),
        _Place("spec.ports.*.port", _PORT),
        _Place("spec.ports.*.protocol", _one_of("SCTP", "TCP", "UDP")),
        *(_Place("spec.ports.*.targetPort", check) for check in _PORT_OR_NAME),
        _Place("spec.sessionAffinity", _one_of("ClientIP", "None")),
    ),
    "StatefulSet": (
        _REPLICAS,
        _UPDATES,
        _Place("spec.podManagementPolicy", _one_of("OrderedReady", "Parallel")),
        _Place("spec.serviceName", _LABEL),
    ),
    "StorageClass": (
        _Place("reclaimPolicy", _one_of("Delete", "Retain")),
        _Place("volumeBindingMode", _one_of("Immediate", "WaitForFirstConsumer")),
    ),
    "ValidatingAdmissionPolicyBinding": (
        _Place("spec.validationActions.*", _one_of("Audit", "Deny", "Warn")),
    ),
    "ValidatingWebhookConfiguration": (_OPERATIONS,),
}


@rule("MAN240", Severity.ERROR, OBJECT, since="0.2.0")
def value_is_taken(view: CompanionView) -> Iterator[Finding]:
    """A value of a built-in kind is one that Kubernetes takes.

    The API server refuses the object otherwise: words that are none of a closed set, amounts and
    numbers out of range, and names of another form. A schema knows their types only.

    Fails:

        apiVersion: v1
        kind: PersistentVolumeClaim
        spec: {accessModes: [ReadWriteAlways], resources: {requests: {storage: 10Gi}}}

    Passes:

        apiVersion: v1
        kind: PersistentVolumeClaim
        spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 10Gi}}}
    """
    for place in _PLACES.get(view.spec.kind.name, ()):
        for path, node in _found(view.spec.tree, tuple(place.path.split("."))):
            given = node.value
            if isinstance(given, str | int) and (problem := place.check(given)):
                what, fix = problem
                yield Finding(path, f"{visible(str(given))!r} {what}", fix)


def _found(tree: Node, steps: tuple[str, ...], path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """The nodes at a path in which `*` stands for every item or member."""
    if not steps:
        yield path, tree
        return
    first, *rest = steps
    if first != "*":
        if node := tree.items.get(first):
            yield from _found(node, tuple(rest), (*path, first))
        return
    for key, node in tree.items.items():
        yield from _found(node, tuple(rest), (*path, key))
    for index, node in enumerate(tree.elements):
        yield from _found(node, tuple(rest), (*path, index))
