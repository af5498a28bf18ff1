"""Who may talk to a cluster: tokens, network policies, certificates, and what collects its logs."""

from collections.abc import Iterator

from renderer.backends.fields import elements, is_true, text
from renderer.backends.kuberay.dialect import parse_version, version_text
from renderer.backends.kuberay.rules import VALIDATION
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.backends.kuberay.workloads import PlacelessWorkload
from renderer.kubernetes.names import DNS_LABEL, is_dns_label
from renderer.kubernetes.pods import Field
from renderer.text.wording import suggest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

#: The first Ray with tokens, and with those of Kubernetes.
_TOKENS, _KUBERNETES_TOKENS = (2, 52, 0), (2, 55, 0)
_TLS_VARIABLES = ("RAY_USE_TLS", "RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT")
_TLS_VOLUME, _TLS_PATH = "ray-tls", "/etc/ray/tls"
_COLLECTOR = "ray-history-collector"
#: What a policy that denies only one direction has no rules for.
_UNRESTRICTED = {"DenyAllEgress": "ingressRules", "DenyAllIngress": "egressRules"}


@rule("RAY320", Severity.ERROR, "RayCluster", reads=("rayVersion",))
def tokens_are_possible(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Tokens need a rayVersion of 2.52 or later, those of Kubernetes one of 2.55.

    The operator refuses the cluster otherwise (observed), whatever its image is.

    Fails:
        rayVersion: 2.49.0
        authOptions: {mode: token}
    Passes with: rayVersion: 2.52.0
    """
    auth = workload.cluster.get("authOptions")
    if auth is None or text(auth.node, "mode") != "token":
        return
    by_kubernetes = _takes_kubernetes_tokens(auth) and workload.kind == CLUSTER
    least = _KUBERNETES_TOKENS if by_kubernetes else _TOKENS
    stated = parse_version(text(workload.cluster.node, "rayVersion"))
    if stated is None or stated < least:
        key = "enableK8sTokenAuth" if by_kubernetes else "mode"
        message = f"this needs rayVersion {version_text(least)} or later"
        has = f", and it is {version_text(stated)}" if stated else ", and it says none"
        fix = f"write rayVersion: {version_text(least)} or later, with an image of that version"
        yield workload.wrong((*auth.path, key), f"{message}{has}", fix, at_key=True)


@rule("RAY321", Severity.ERROR, "RayCluster", reads=("authOptions",))
def tokens_of_kubernetes_stand_alone(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Tokens of Kubernetes go with `mode: token`, without a Secret, in a cluster by itself.

    The operator refuses them otherwise (observed), and in jobs and services altogether.

    Fails:
        rayVersion: 2.55.0
        authOptions: {enableK8sTokenAuth: true}
    Passes with: authOptions: {mode: token}
    """
    auth = workload.cluster.get("authOptions")
    if auth is None or not _takes_kubernetes_tokens(auth):
        return
    path, kind = (*auth.path, "enableK8sTokenAuth"), workload.kind
    if kind != CLUSTER:
        message = f"a {kind} does not take tokens of Kubernetes"
        yield workload.wrong(path, message, "delete it", at_key=True)
    elif text(auth.node, "mode") != "token":
        message = "tokens of Kubernetes go with mode: token"
        yield workload.wrong(path, message, "add mode: token", at_key=True)
    elif text(auth.node, "secretName"):
        message = "a Secret has no use beside tokens of Kubernetes"
        yield workload.wrong((*auth.path, "secretName"), message, "delete it", at_key=True)


def _takes_kubernetes_tokens(auth: Field) -> bool:
    return is_true(auth.node, "enableK8sTokenAuth")


@rule("RAY330", Severity.ERROR, "RayCluster", reads=("workerGroupSpecs",))
def policies_fit_the_groups(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A network policy names groups that exist, whose names can be part of its own.

    The operator refuses the cluster otherwise. It also refuses rules for a direction that the mode
    does not deny.

    Fails: networkPolicy: {workerGroups: [{groupName: large}]}
    Passes: networkPolicy: {workerGroups: [{groupName: small}]}
    """
    policy = workload.cluster.get("networkPolicy")
    if policy is None:
        return
    names = [group.name for group in workload.workers]
    for group in workload.workers:
        if not is_dns_label(group.name) and is_dns_label(group.name.lower().replace(".", "-")):
            message = f"a network policy cannot be named after {visible(group.name)!r}"
            yield workload.wrong((*group.path, "groupName"), message, f"write {DNS_LABEL}")
    for rules in policy.each("workerGroups"):
        name = text(rules.node, "groupName")
        if name and name not in names:
            message = f"there is no group {visible(name)!r}"
            yield workload.wrong((*rules.path, "groupName"), message, suggest(name, names))
    yield from _useless_rules(workload, policy)


def _useless_rules(workload: PlacelessWorkload, policy: Field) -> Iterator[Finding]:
    mode = text(policy.node, "mode")
    some = (*policy.present(("head", "worker")), *policy.each("workerGroups"))
    for rules in some if mode in _UNRESTRICTED else ():
        key = _UNRESTRICTED[mode]
        if elements(rules.node, key):
            message = f"with mode {mode} everything is allowed that {key} could allow"
            path = (*rules.path, key)
            yield workload.wrong(path, message, "delete it, or change the mode", at_key=True)


@rule("RAY331", Severity.ERROR, "RayCluster")
def certificates_are_the_operators(workload: PlacelessWorkload) -> Iterator[Finding]:
    """With tlsOptions, variables and mounts of certificates are left to the operator.

    It refuses RAY_USE_TLS and the like, and mounts called ray-tls or at /etc/ray/tls, in the
    containers of Ray and of the autoscaler.

    Fails:
        tlsOptions: {enabled: true}
        headGroupSpec:
          template:
            spec: {containers: [{name: ray-head, env: [{name: RAY_USE_TLS, value: "1"}]}]}
    Passes: tlsOptions: {enabled: true}
    """
    if not is_true(workload.cluster.node, "tlsOptions", "enabled"):
        return
    containers = [group.container for group in workload.groups]
    for container in (*containers, workload.cluster.get("autoscalerOptions")):
        for field in _certificate_fields(container) if container else ():
            message = "with tlsOptions the operator sets this itself"
            yield workload.wrong(field.path, message, "delete it, or choose another name")


def _certificate_fields(container: Field) -> Iterator[Field]:
    for variable in container.each("env"):
        if text(variable.node, "name") in _TLS_VARIABLES:
            yield variable
    for mount in container.each("volumeMounts"):
        is_same = text(mount.node, "name") == _TLS_VOLUME
        if is_same or text(mount.node, "mountPath") == _TLS_PATH:
            yield mount


@rule("RAY332", Severity.ERROR, "RayCluster", reads=("historyServerOptions",))
def history_has_a_collector(workload: PlacelessWorkload) -> Iterator[Finding]:
    """A history server has a collector with an image, and no other container of its name.

    The operator refuses the cluster otherwise.

    Fails: historyServerOptions: {}
    Passes with: historyServerOptions: {collectorOptions: {image: 'example/collector:v1'}}
    """
    options = workload.cluster.get("historyServerOptions")
    if options is None:
        return
    if not text(options.node, "collectorOptions", "image"):
        path = (*options.path, "collectorOptions", "image")
        message = "the collector has no image"
        yield workload.wrong(path, message, "add collectorOptions.image")
    for group in workload.groups:
        for container in group.pod.each("containers"):
            if text(container.node, "name") == _COLLECTOR:
                message = f"the operator adds a container {_COLLECTOR} itself"
                yield workload.wrong((*container.path, "name"), message, "choose another name")


RULES = rules_with_source(
    (
        tokens_are_possible,
        tokens_of_kubernetes_stand_alone,
        policies_fit_the_groups,
        certificates_are_the_operators,
        history_has_a_collector,
    ),
    VALIDATION,
)
