"""Labels and annotations: those that KServe reads of a service, and those that it sets on pods."""

from collections.abc import Callable, Iterator

from renderer.backends.fields import text
from renderer.backends.kserve.llm.rules.layers import root
from renderer.backends.kserve.llm.rules.sources import VALIDATION, WORKLOAD
from renderer.backends.kserve.llm.rules.workloads import workloads
from renderer.backends.kserve.llm.service import SCHEDULER, LlmView
from renderer.backends.kserve.llm.webhook import LOCAL_MODEL, ROUTING_GROUP
from renderer.backends.kserve.settings import PLATFORM
from renderer.kubernetes.names import is_dns_label, is_dns_name
from renderer.kubernetes.versions import RESOURCE_CLAIMS, shown, versions_of
from renderer.text.expressions import expression
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_SINCE = "0.3.0"
_SERVICE = "LLMInferenceService"
_ANNOTATIONS = ("metadata", "annotations")
_DEVICE = "serving.kserve.io/exp-dra-"
_CLASS, _COUNT, _SELECTOR, _CONTAINER = (
    f"{_DEVICE}{word}"
    for word in ("device-class", "device-count", "cel-selector", "container-name")
)
_WHOLE = expression(r"\s*\+?0*[1-9][0-9]{0,9}\s*")
Judge = Callable[[str], bool]
#: What the values of annotations must be, and what that is called.
_DEVICE_VALUES: dict[str, tuple[Judge, str]] = {
    _CLASS: (lambda given: is_dns_name(given.strip()), "the name of a DeviceClass"),
    _COUNT: (
        lambda given: not given.strip() or bool(_WHOLE.fullmatch(given)),
        "a number of 1 or more",
    ),
    _SELECTOR: (lambda given: bool(given.strip()), "an expression in CEL"),
    _CONTAINER: (lambda given: is_dns_label(given.strip()), "the name of a container"),
}
#: What the controller sets on pods and selects them by; values that are the same for all services.
_TAKEN = {
    "app.kubernetes.io/name": "",
    "app.kubernetes.io/part-of": "llminferenceservice",
    "app.kubernetes.io/component": "",
    "kserve.io/component": "workload",
    "llm-d.ai/role": "",
}


@rule("KSV556", Severity.ERROR, _SERVICE, since=_SINCE)
def devices_have_a_class(view: LlmView) -> Iterator[Finding]:
    """Annotations that ask for devices say their class.

    `exp-dra-device-count`, `exp-dra-cel-selector` and `exp-dra-container-name` need
    `exp-dra-device-class`. KServe's webhook refuses the object.

    Fails: metadata: {annotations: {serving.kserve.io/exp-dra-device-count: '2'}}
    Passes with: metadata: {annotations: {serving.kserve.io/exp-dra-device-class: gpu.nvidia.com}}
    """
    given = root(view).members(*_ANNOTATIONS)
    others = [given[key] for key in (_COUNT, _SELECTOR, _CONTAINER) if key in given]
    if others and _CLASS not in given:
        yield others[0].wrong_key("no class of devices is asked for", f"add {_CLASS}, or delete it")


@rule("KSV557", Severity.ERROR, _SERVICE, since=_SINCE)
def devices_are_legible(view: LlmView) -> Iterator[Finding]:
    """Annotations that ask for devices have values that KServe can read.

    The class is the name of a DeviceClass, the count a whole number of 1 or more, the selector an
    expression, the container the name of one. KServe's webhook refuses the object.

    Fails:
        metadata:
          annotations:
            serving.kserve.io/exp-dra-device-class: gpu.nvidia.com
            serving.kserve.io/exp-dra-device-count: all
    Passes: metadata: {annotations: {serving.kserve.io/exp-dra-device-class: gpu.nvidia.com}}
    """
    given = root(view).members(*_ANNOTATIONS)
    for key, (is_right, wanted) in _DEVICE_VALUES.items():
        if (field := given.get(key)) and not is_right(str(field.node.value)):
            yield field.wrong(f"{field.node.value!r} is not {wanted}", f"write {wanted}")


@rule("KSV564", Severity.ERROR, _SERVICE, since=_SINCE, stops_platform=True)
def devices_need_a_newer_cluster(view: LlmView) -> Iterator[Finding]:
    """Devices are asked for where Kubernetes is 1.34 or newer.

    KServe makes a ResourceClaimTemplate of `resource.k8s.io/v1`. An older API server does not have
    it, and nothing at all is made of the service.

    Fails: metadata: {annotations: {serving.kserve.io/exp-dra-device-class: gpu.nvidia.com}}
    Passes: metadata: {annotations: {}}
    """
    asked = root(view).members(*_ANNOTATIONS).get(_CLASS)
    places = view.environment.routed_destinations(PLATFORM, view.spec)
    oldest = versions_of(view.environment, places)[0]
    if asked and oldest < RESOURCE_CLAIMS:
        wanted = shown(RESOURCE_CLAIMS)
        message = f"Kubernetes {shown(oldest)} has no ResourceClaimTemplates of v1"
        yield asked.wrong_key(message, f"delete it, or use a cluster with Kubernetes {wanted}")


@rule("KSV558", Severity.WARNING, _SERVICE, since=_SINCE)
def group_is_said_in_the_route(view: LlmView) -> Iterator[Finding]:
    """The group of a service stands in `router.route.group`, not in a label.

    KServe's webhook writes the label `serving.kserve.io/routing-group` from it, and takes any other
    away. It is not rendered.

    Fails: metadata: {labels: {serving.kserve.io/routing-group: chat}}
    Passes: router: {route: {group: chat, weight: 90}}
    """
    label = root(view).members("metadata", "labels").get(ROUTING_GROUP)
    if label and text(label.node) != text(view.tree, "router", "route", "group"):
        yield label.wrong_key(
            "KServe's webhook takes this label away, or writes another value",
            "delete it, and write router: {route: {group: …, weight: …}}",
        )


@rule("KSV563", Severity.WARNING, _SERVICE, since=_SINCE)
def caches_are_found_by_kserve(view: LlmView) -> Iterator[Finding]:
    """Which cache a model is in is found out by KServe.

    Its webhook writes the labels and annotations `internal.serving.kserve.io/localmodel…` of a
    cache whose `sourceModelUri` fits, and takes away others, so that they are not rendered.
    `serving.kserve.io/disable-localmodel` switches that off.

    Fails: metadata: {labels: {internal.serving.kserve.io/localmodel: qwen}}
    Passes: metadata: {annotations: {serving.kserve.io/disable-localmodel: 'true'}}
    """
    for kind in ("labels", "annotations"):
        for key, field in root(view).members("metadata", kind).items():
            if key.startswith(LOCAL_MODEL):
                why = "KServe's webhook takes this away, or writes another value"
                yield field.wrong_key(why, "delete it; the address of the model decides")


@rule("KSV559", Severity.WARNING, _SERVICE, since=_SINCE)
def labels_of_pods_are_free(view: LlmView) -> Iterator[Finding]:
    """Labels of pods are none of those that KServe finds the pods by.

    They take the place of `app.kubernetes.io/name`, `app.kubernetes.io/part-of`,
    `app.kubernetes.io/component`, `kserve.io/component` and `llm-d.ai/role`: the Service and the
    pool of this service find no pods (inferred). Where pods should be found by the pool of another
    service, this is how: ignore it there.

    Fails: labels: {app.kubernetes.io/name: assistant}
    Passes: labels: {team: chat}
    """
    for holder in filter(None, (*workloads(view), root(view).get(*SCHEDULER))):
        taken = _TAKEN | ({"kserve.io/component": ""} if holder.path == SCHEDULER else {})
        labels = holder.members("labels")
        for label in (labels[key] for key in taken if key in labels):
            if label.text != (taken[label.name] or str(view.spec.name)):
                yield label.wrong_key(
                    f"KServe finds the pods of a service by {label.name}, and so not these",
                    f"delete it; {listed(_TAKEN)} are KServe's",
                )


CONFIG_RULES = rules_with_source((labels_of_pods_are_free,), WORKLOAD)
RULES = (
    *rules_with_source(
        (
            devices_have_a_class,
            devices_are_legible,
            group_is_said_in_the_route,
            caches_are_found_by_kserve,
        ),
        VALIDATION,
    ),
    *rules_with_source((devices_need_a_newer_cluster,), WORKLOAD),
    *CONFIG_RULES,
)
