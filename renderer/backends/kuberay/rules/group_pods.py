"""Pods of groups: what they ask of Ray and of each other."""

from collections.abc import Iterator

from renderer.backends.kuberay.rules.sources import PODS
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.backends.kuberay.workloads import Group, Workload
from renderer.kubernetes.pods import Field
from renderer.text.wording import did_you_mean, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_DASHBOARD = 8265
_OWN_HOSTS = ("localhost", "127.0.0.1")
_GROUP, _CLUSTER = "ray.io/group", "ray.io/cluster"
#: The name that the operator gives to the group of the head.
_HEAD_GROUP = "headgroup"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


@rule("RAY298", Severity.ERROR, "RayCluster", since="0.2.0")
def workers_are_not_asked_for_the_dashboard(workload: Workload) -> Iterator[Finding]:
    """No probe of a worker asks for the dashboard, which runs on the head only.

    It never succeeds (inferred): workers start again and again, or are never ready.

    Fails:
        workerGroupSpecs:
          - groupName: small
            template:
              spec: {containers: [{name: ray-worker, livenessProbe: {tcpSocket: {port: 8265}}}]}
    Passes:
        workerGroupSpecs:
          - groupName: small
            template:
              spec:
                containers: [{name: ray-worker, livenessProbe: {tcpSocket: {port: 52365}}}]
    """
    given = workload.cluster.head.start_params.get("dashboard-port", "") if workload.cluster else ""
    dashboard = int(given) if given.isdecimal() else _DASHBOARD
    for group in workload.workers:
        for probe in group.container.present(_PROBES) if group.container else ():
            if asked := _asked(group, probe, dashboard):
                message = f"{group.title} has no dashboard, and its {probe.name} never succeeds"
                fix = "delete it: the operator adds probes of its own, or ask at 52365"
                yield workload.wrong(asked.path, message, fix)


def _asked(group: Group, probe: Field, dashboard: int) -> Field | None:
    """Where a probe asks for the dashboard, if it does."""
    for kind in ("httpGet", "tcpSocket"):
        port = probe.get(kind, "port")
        if port and probe.get(kind, "host") is None and _number(group, port) == dashboard:
            return port
    hosts = tuple(f"{host}:{dashboard}" for host in _OWN_HOSTS)
    words = (word for word in probe.each("exec", "command"))
    return next((word for word in words if any(host in word.text for host in hosts)), None)


def _number(group: Group, port: Field) -> object:
    """The number of a port, which may be that of a port with a name."""
    listed = group.container.each("ports") if group.container else ()
    named = {name.text: item.get("containerPort") for item in listed if (name := item.get("name"))}
    found = named.get(port.text) if port.text else port
    return found.node.value if found else None


@rule("RAY299", Severity.WARNING, "RayCluster", since="0.2.0")
def pods_are_spread_by_names_that_exist(workload: Workload) -> Iterator[Finding]:
    """Affinities and spread constraints select pods by groups that the cluster has.

    The operator labels pods with `ray.io/group` and `ray.io/cluster`. A selector with a name that
    is nearly that of a group, or of the cluster, selects no pod, and nothing is spread.

    Fails:
        workerGroupSpecs:
          - groupName: small
            template:
              spec:
                topologySpreadConstraints:
                  - maxSkew: 1
                    topologyKey: kubernetes.io/hostname
                    whenUnsatisfiable: ScheduleAnyway
                    labelSelector: {matchLabels: {ray.io/group: smal}}
    Passes with:
        workerGroupSpecs:
          - groupName: small
            template:
              spec:
                topologySpreadConstraints:
                  - topologyKey: kubernetes.io/hostname
                    whenUnsatisfiable: ScheduleAnyway
                    labelSelector: {matchLabels: {ray.io/group: small}}
    """
    names = {_GROUP: [_HEAD_GROUP, *(group.name for group in workload.workers)]}
    if workload.spec.kind.name == CLUSTER:
        names[_CLUSTER] = [workload.name]
    for group in workload.groups:
        for selector in _selectors(group.pod):
            for key, label in selector.members("matchLabels").items():
                known = names.get(key, ())
                hint = nearest(label.text, known) if label.text not in known else ""
                if hint:
                    message = f"no pod of this cluster has {key}: {visible(label.text)}"
                    yield workload.wrong(label.path, message, did_you_mean(hint))


def _selectors(pod: Field) -> Iterator[Field]:
    """The selectors by which a pod is placed near others, or away from them."""
    terms = [*pod.each("topologySpreadConstraints")]
    for kind in ("podAffinity", "podAntiAffinity"):
        terms += pod.each("affinity", kind, _REQUIRED)
        weighted = pod.each("affinity", kind, _PREFERRED)
        terms += (term for item in weighted if (term := item.get("podAffinityTerm")))
    yield from (selector for term in terms if (selector := term.get("labelSelector")))


RULES = rules_with_source(
    (workers_are_not_asked_for_the_dashboard, pods_are_spread_by_names_that_exist), PODS
)
