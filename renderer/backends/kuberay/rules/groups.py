"""The groups of a cluster: their names, containers, probes and placement."""

from collections.abc import Iterator

from renderer.backends.fields import is_true
from renderer.backends.kuberay.rules import PODS, VALIDATION
from renderer.backends.kuberay.vocabulary import CLUSTER
from renderer.backends.kuberay.workloads import Group, PlacelessWorkload
from renderer.kubernetes.names import is_dns_name, is_label_value
from renderer.kubernetes.pods import Field
from renderer.text.wording import did_you_mean, nearest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_RAY_CONTAINERS = ("ray-head", "ray-worker")
#: What the operator calls the group of the head.
_HEAD_GROUP = "headgroup"
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_DASHBOARD = 8265
_OWN_HOSTS = ("localhost", "127.0.0.1")
_GROUP, _CLUSTER = "ray.io/group", "ray.io/cluster"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


@rule(
    "RAY200",
    Severity.ERROR,
    "RayCluster",
    reads=("headGroupSpec.template", "workerGroupSpecs.template"),
)
def groups_have_a_container(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The head and each group of workers have at least one container.

    The operator refuses the cluster after the object was accepted (observed), and only an event
    says so. A computeTemplate sizes containers; it brings none.

    Fails: workerGroupSpecs: [{groupName: large}]
    Passes:
        workerGroupSpecs:
          - groupName: large
            template: {spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.52.0'}]}}
    """
    whole = [group.name for group in workload.workers if group.container]
    for group in workload.groups:
        if group.container is None and workload.fields.get(*group.path):
            path = (*group.path, "template", "spec", "containers")
            fix = "add template.spec.containers, the first of which runs Ray"
            meant = "" if group.is_head else did_you_mean(nearest(group.name, whole))
            yield workload.wrong(path, f"{group.title} has no container", meant or fix)


@rule("RAY201", Severity.WARNING, "RayCluster")
def first_container_runs_ray(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The first container is the one that runs Ray; others follow.

    The operator takes the first, whatever it is called: it starts Ray there, and reads the
    resources of Ray off it.

    Fails:
        workerGroupSpecs:
          - groupName: large
            template:
              spec:
                containers:
                  - {name: logs, image: 'example/logs:v1'}
                  - {name: ray-worker, image: 'rayproject/ray:2.52.0'}
    Passes:
        workerGroupSpecs:
          - groupName: large
            template:
              spec:
                containers:
                  - {name: ray-worker, image: 'rayproject/ray:2.52.0'}
                  - {name: logs, image: 'example/logs:v1'}
    """
    for group in workload.groups:
        names = [item.get("name") for item in group.pod.each("containers")]
        if names and names[0] and names[0].text in _RAY_CONTAINERS:
            continue
        later = next((name for name in names[1:] if name and name.text in _RAY_CONTAINERS), None)
        if later:
            message = (
                f"the first container runs Ray, and {later.text} of {group.title} is not the first"
            )
            yield workload.wrong(later.path, message, "put it first")


@rule("RAY202", Severity.ERROR, "RayCluster")
def group_names_are_unique(workload: PlacelessWorkload) -> Iterator[Finding]:
    """Each group of workers has a name of its own.

    The operator's webhook refuses the cluster (observed). Where there is no webhook, pods of one
    group count for the other as well (inferred): of two groups of the same size the second gets
    none (observed), and with different sizes pods are made and deleted without end (inferred).

    Fails:
        workerGroupSpecs:
          - groupName: small
          - groupName: small
            template: {spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.52.0'}]}}
    Passes:
        workerGroupSpecs:
          - groupName: small
          - groupName: large
            template: {spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.52.0'}]}}
    """
    seen: set[str] = set()
    for group in workload.workers:
        if group.name in seen:
            message = f"a second group is called {visible(group.name)!r}"
            yield workload.wrong((*group.path, "groupName"), message, "rename one of the two")
        seen.add(group.name)


@rule("RAY203", Severity.ERROR, "RayCluster")
def group_names_fit_pods(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The name of a group can be part of a pod's name, and the value of a label.

    Kubernetes refuses the pods otherwise, after the cluster was accepted (observed). Capitals
    will do: the operator writes pods small. A group that is called headgroup, as the operator calls
    the head's, loses its workers as soon as they are there (inferred).

    Fails:
        workerGroupSpecs:
          - groupName: small_group
            template: {spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.52.0'}]}}
    Passes:
        workerGroupSpecs:
          - groupName: small-group
            template: {spec: {containers: [{name: ray-worker, image: 'rayproject/ray:2.52.0'}]}}
    """
    for group in workload.workers:
        if group.name == _HEAD_GROUP:
            fix = "choose another name"
            message = f"{_HEAD_GROUP!r} is what the operator calls the group of the head"
        elif not _is_valid_name(group):
            message = f"{visible(group.name)!r} does not do for the names and labels of pods"
            fix = "write at most 63 small letters, digits and '-', a letter or digit at both ends"
        else:
            continue
        yield workload.wrong((*group.path, "groupName"), message, fix)


def _is_valid_name(group: Group) -> bool:
    return not group.name or (is_dns_name(group.name.lower()) and is_label_value(group.name))


@rule("RAY286", Severity.WARNING, "RayCluster", since="0.2.0")
def clusters_of_jobs_and_services_run(workload: PlacelessWorkload) -> Iterator[Finding]:
    """The cluster of a job or service is not suspended by itself.

    With `suspend: true` it gets no pods, and KubeRay never resumes it (inferred): the job or
    service waits. They have a `suspend` of their own, which the operator takes back.

    Fails: rayClusterConfig: {suspend: true}
    Passes: rayClusterConfig: {suspend: false}
    """
    cluster = workload.cluster
    if cluster.path and is_true(cluster.node, "suspend"):
        message = f"the cluster is suspended, and the {workload.kind} waits for it"
        has_own = workload.has_field(("suspend",))
        fix = "write false, or suspend at the top" if has_own else "write false"
        yield workload.wrong((*cluster.path, "suspend"), message, fix, at_key=True)


@rule("RAY298", Severity.ERROR, "RayCluster", since="0.2.0")
def workers_are_not_asked_for_the_dashboard(workload: PlacelessWorkload) -> Iterator[Finding]:
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
    given = workload.cluster.head.start_params.get("dashboard-port", "")
    dashboard = int(given) if given.isdecimal() else _DASHBOARD
    for group in workload.workers:
        for probe in group.container.present(_PROBES) if group.container else ():
            if asked := _dashboard_field(group, probe, dashboard):
                message = f"{group.title} has no dashboard, and its {probe.name} never succeeds"
                fix = "delete it: the operator adds probes of its own, or ask at 52365"
                yield workload.wrong(asked.path, message, fix)


def _dashboard_field(group: Group, probe: Field, dashboard: int) -> Field | None:
    """Where a probe asks for the dashboard, if it does."""
    for kind in ("httpGet", "tcpSocket"):
        port = probe.get(kind, "port")
        if port and probe.get(kind, "host") is None and _port_number(group, port) == dashboard:
            return port
    hosts = tuple(f"{host}:{dashboard}" for host in _OWN_HOSTS)
    words = (word for word in probe.each("exec", "command"))
    return next((word for word in words if any(host in word.text for host in hosts)), None)


def _port_number(group: Group, port: Field) -> object:
    """The number of a port, which may be that of a port with a name."""
    listed = group.container.each("ports") if group.container else ()
    named = {name.text: item.get("containerPort") for item in listed if (name := item.get("name"))}
    found = named.get(port.text) if port.text else port
    return found.node.value if found else None


@rule("RAY299", Severity.WARNING, "RayCluster", since="0.2.0")
def pods_are_spread_by_names_that_exist(workload: PlacelessWorkload) -> Iterator[Finding]:
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
    if workload.kind == CLUSTER:
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


RULES = (
    *rules_with_source((groups_have_a_container, group_names_are_unique), VALIDATION),
    *rules_with_source(
        (
            first_container_runs_ray,
            group_names_fit_pods,
            clusters_of_jobs_and_services_run,
            workers_are_not_asked_for_the_dashboard,
            pods_are_spread_by_names_that_exist,
        ),
        PODS,
    ),
)
