"""What single fields of a pod have to be: a rule for each kind of form, all by one table."""

from collections.abc import Iterator

from renderer.kubernetes.forms import form
from renderer.kubernetes.pods import POD, SOURCE, Pod
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity

_FIRST_VERSION = "0.2.0"


@cached_by_identity
def _shape_findings(pod: Pod) -> dict[str, list[Finding]]:
    """What a walk through the pod finds, by the code of the rule that says it."""
    from renderer.kubernetes.forms.pod import look_at_partial_container, look_at_pod
    from renderer.kubernetes.forms.shape import Walk

    walk = Walk(pod.versions)
    look_at_pod(pod.spec.node, pod.spec.path, walk)
    for container in pod.others:
        look_at_partial_container(container.node, container.path, walk)
    found: dict[str, list[Finding]] = {}
    for code, finding in walk.found:
        found.setdefault(code, []).append(finding)
    return found


@rule(form.WORD, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_known_words(pod: Pod) -> Iterator[Finding]:
    """A field that takes one of a few words has one of them.

    Words are compared with their case. Kubernetes refuses the pod otherwise.

    Fails: volumes: [{name: b, hostPath: {path: /b, type: directory}}]
    Passes: volumes: [{name: b, hostPath: {path: /b, type: Directory}}]
    """
    yield from _shape_findings(pod).get(form.WORD, ())


@rule(form.NAME, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_names_of_their_form(pod: Pod) -> Iterator[Finding]:
    """Names in a pod have the form that names of such things have.

    Containers, volumes and hosts have labels of DNS, objects names of DNS, conditions and gates
    the form of keys of labels. Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: Side_Car, image: 'example/b:v1'}]
    Passes: containers: [{name: side-car, image: 'example/b:v1'}]
    """
    yield from _shape_findings(pod).get(form.NAME, ())


@rule(form.NUMBER, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_numbers_within_their_range(pod: Pod) -> Iterator[Finding]:
    """Numbers in a pod are within the range that they may have.

    Kubernetes refuses the pod otherwise.

    Fails: volumes: [{name: b, secret: {secretName: c, defaultMode: 644}}]
    Passes with: volumes: [{name: b, secret: {defaultMode: 420}}]
    """
    yield from _shape_findings(pod).get(form.NUMBER, ())


@rule(form.MISSING, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_say_what_is_needed(pod: Pod) -> Iterator[Finding]:
    """Fields that Kubernetes requires are there.

    Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, livenessProbe: {httpGet: {path: /health}}}]
    Passes with: containers: [{name: a, livenessProbe: {httpGet: {port: 8080}}}]
    """
    yield from _shape_findings(pod).get(form.MISSING, ())


@rule(form.CHOICE, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_choose_one_of_several(pod: Pod) -> Iterator[Finding]:
    """Of fields that exclude each other, only one is set.

    Kubernetes refuses the pod otherwise.

    Fails:
        containers:
          - {name: a, lifecycle: {preStop: {exec: {command: [stop]}, sleep: {seconds: 5}}}}
    Passes: containers: [{name: a, lifecycle: {preStop: {exec: {command: [stop]}}}}]
    """
    yield from _shape_findings(pod).get(form.CHOICE, ())


@rule(form.TWICE, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_items_once(pod: Pod) -> Iterator[Finding]:
    """No two items of a list have the same key.

    Kubernetes refuses the pod otherwise.

    Fails: schedulingGates: [{name: example.com/a}, {name: example.com/a}]
    Passes: schedulingGates: [{name: example.com/a}, {name: example.com/b}]
    """
    yield from _shape_findings(pod).get(form.TWICE, ())


@rule(form.AMOUNT, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_amounts_that_can_be_read(pod: Pod) -> Iterator[Finding]:
    """Amounts in a pod are such that Kubernetes can read them.

    An amount has at most 1000 digits, and an exponent at most three. What is longer is an accident,
    and takes an API server very long to read.

    Fails: volumes: [{name: b, emptyDir: {sizeLimit: "1e999999999"}}]
    Passes: volumes: [{name: b, emptyDir: {sizeLimit: 1Gi}}]
    """
    yield from _shape_findings(pod).get(form.AMOUNT, ())


@rule(form.PATH, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_paths_of_their_form(pod: Pod) -> Iterator[Finding]:
    """Paths in a pod lead where they may lead.

    What is below a volume is a relative path, and no path goes upwards by `..`. Kubernetes refuses
    the pod otherwise.

    Fails:
        containers: [{name: a, volumeMounts: [{name: b, mountPath: /b, subPath: ../y}]}]
        volumes: [{name: b, emptyDir: {}}]
    Passes with: containers: [{name: a, volumeMounts: [{mountPath: /b, subPath: x/y}]}]
    """
    yield from _shape_findings(pod).get(form.PATH, ())


@rule(form.ADDRESS, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_addresses(pod: Pod) -> Iterator[Finding]:
    """Hosts and servers of names are given by IP addresses.

    Kubernetes refuses the pod otherwise; since 1.36 also numbers with leading zeros and IPv4
    addresses in the form of IPv6, which programs read differently.

    Fails: hostAliases: [{ip: 10.0.0.256, hostnames: [db]}]
    Passes: hostAliases: [{ip: 10.0.0.25, hostnames: [db]}]
    """
    yield from _shape_findings(pod).get(form.ADDRESS, ())


@rule(form.PORT, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_ask_ports(pod: Pod) -> Iterator[Finding]:
    """What is asked is a port: a number from 1 to 65535, or what a port can be called.

    Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, lifecycle: {preStop: {httpGet: {port: "8080"}}}}]
    Passes: containers: [{name: a, lifecycle: {preStop: {httpGet: {port: 8080}}}}]
    """
    yield from _shape_findings(pod).get(form.PORT, ())


@rule(form.COUNT, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_as_many_items_as_they_may(pod: Pod) -> Iterator[Finding]:
    """Lists have as many items as they may have.

    A pod asks at most three servers for names, and looks in at most 32 places. Kubernetes refuses
    the pod otherwise.

    Fails: dnsConfig: {nameservers: [192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4]}
    Passes: dnsConfig: {nameservers: [192.0.2.1, 192.0.2.2, 192.0.2.3]}
    """
    yield from _shape_findings(pod).get(form.COUNT, ())


@rule(form.TOGETHER, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_fields_that_go_together(pod: Pod) -> Iterator[Finding]:
    """Fields that depend on each other agree.

    Kubernetes refuses the pod otherwise.

    Fails:
        containers:
          - {name: a, volumeMounts: [{name: b, mountPath: /b, recursiveReadOnly: Enabled}]}
        volumes: [{name: b, emptyDir: {}}]
    Passes with: containers: [{name: a, volumeMounts: [{mountPath: /b, readOnly: true}]}]
    """
    yield from _shape_findings(pod).get(form.TOGETHER, ())


@rule(form.NEWER, Severity.ERROR, POD, since=_FIRST_VERSION)
def pods_have_fields_of_their_cluster(pod: Pod) -> Iterator[Finding]:
    """What a pod says is known to the Kubernetes of its cluster.

    `kubernetes.version` of the environment, or of a destination, says which one that is; without
    it, the newest whose answers are recorded. Another one refuses the field, or loses it.

    Fails:
        # with kubernetes.version "1.33"
        hostnameOverride: own-name
    Passes: hostname: own-name
    """
    yield from _shape_findings(pod).get(form.NEWER, ())


RULES = rules_with_source(
    (
        pods_have_known_words,
        pods_have_names_of_their_form,
        pods_have_numbers_within_their_range,
        pods_say_what_is_needed,
        pods_choose_one_of_several,
        pods_have_items_once,
        pods_have_amounts_that_can_be_read,
        pods_have_paths_of_their_form,
        pods_have_addresses,
        pods_ask_ports,
        pods_have_as_many_items_as_they_may,
        pods_have_fields_that_go_together,
        pods_have_fields_of_their_cluster,
    ),
    SOURCE,
)
