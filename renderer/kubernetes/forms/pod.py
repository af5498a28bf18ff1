"""What Kubernetes wants of a pod as a whole: a table."""

from collections.abc import Iterator

from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.container import CONTAINER, POD_CONTEXT, RESOURCES
from renderer.kubernetes.forms.form import number, words
from renderer.kubernetes.forms.shape import Each, Members, NamedValues, NewerField, Shape, ready
from renderer.kubernetes.forms.volume import VOLUME
from renderer.kubernetes.versions import (
    HOSTNAME_OVERRIDES,
    NEW_FIELDS,
    POD_RESOURCES,
    RESOURCE_CLAIMS,
)
from renderer.values.diagnostics import Finding, Path

_LONGEST_SEARCHES = 2048
_LABEL_KEYS = ("matchLabelKeys", "mismatchLabelKeys")


def _searches(config: Members, path: Path) -> Iterator[Finding]:
    searches = config.get("searches")
    texts = [str(item.value) for item in searches.elements] if searches else []
    if len(" ".join(texts)) > _LONGEST_SEARCHES:
        message = f"searches have more than {_LONGEST_SEARCHES} characters together"
        yield Finding((*path, "searches"), message, "shorten them", at_key=True)


def _places(spread: Members, path: Path) -> Iterator[Finding]:
    least, otherwise = spread.get("minDomains"), spread.get("whenUnsatisfiable")
    if least and otherwise and otherwise.value != "DoNotSchedule":
        message = "minDomains needs whenUnsatisfiable: DoNotSchedule"
        yield Finding((*path, "minDomains"), message, "delete one of the two", at_key=True)


def _selected(term: Members, path: Path) -> Iterator[Finding]:
    """Keys of labels are added to a selector, and are there once."""
    given = {key: term[key].elements for key in _LABEL_KEYS if key in term}
    for key in (key for key, items in given.items() if items and "labelSelector" not in term):
        message = f"{key} adds to a labelSelector, and there is none"
        yield Finding((*path, key), message, "add labelSelector", at_key=True)
    unlike = {item.value for item in given.get("mismatchLabelKeys", ())}
    for index, item in enumerate(given.get("matchLabelKeys", ())):
        if item.value in unlike:
            message = f"{item.value!r} is in matchLabelKeys and in mismatchLabelKeys"
            yield Finding((*path, "matchLabelKeys", index), message, "delete one of the two")


TERM = Shape(
    "a term",
    {key: Each(form.LABEL_KEY.strict()) for key in _LABEL_KEYS},
    needed=("topologyKey",),
    relations=(_selected,),
)
_WEIGHT = number(1, 100)
_TERMS = Shape(
    "an affinity",
    {
        "requiredDuringSchedulingIgnoredDuringExecution": Each(TERM),
        "preferredDuringSchedulingIgnoredDuringExecution": Each(
            Shape("a preference", {"weight": _WEIGHT, "podAffinityTerm": TERM})
        ),
    },
)
AFFINITY = Shape(
    "affinity",
    {
        "nodeAffinity": Shape(
            "nodeAffinity",
            {
                "preferredDuringSchedulingIgnoredDuringExecution": Each(
                    Shape("a preference", {"weight": _WEIGHT})
                )
            },
        ),
        "podAffinity": _TERMS,
        "podAntiAffinity": _TERMS,
    },
)
SPREAD = Shape(
    "a constraint",
    {
        "maxSkew": number(1, 2**31 - 1),
        "minDomains": number(1, 2**31 - 1),
        "whenUnsatisfiable": words("DoNotSchedule", "ScheduleAnyway").strict(),
        "nodeAffinityPolicy": words("Honor", "Ignore").strict(),
        "nodeTaintsPolicy": words("Honor", "Ignore").strict(),
        "matchLabelKeys": Each(form.LABEL_KEY.strict()),
    },
    needed=("topologyKey",),
    relations=(_places, _selected),
)
DNS = Shape(
    "dnsConfig",
    {
        "nameservers": Each((form.IP, form.PLAIN_IP), most=3),
        "searches": Each(form.SEARCH.strict(), most=32),
        "options": Each(Shape("an option", {}, needed=("name",))),
    },
    relations=(_searches,),
)
RESOURCE_CLAIM = Shape(
    "a resource claim",
    {
        "name": form.DNS_LABEL,
        "resourceClaimName": form.DNS_NAME.strict(),
        "resourceClaimTemplateName": form.DNS_NAME.strict(),
    },
    needed=("name",),
    one_of=(("resourceClaimName", "resourceClaimTemplateName"),),
)
ALIAS = Shape(
    "a host alias",
    {"ip": (form.IP, form.PLAIN_IP), "hostnames": Each(form.DNS_NAME.strict())},
    needed=("ip",),
)
POD = Shape(
    "a pod",
    {
        "volumes": Each(VOLUME),
        "containers": Each(CONTAINER),
        "initContainers": Each(CONTAINER),
        "securityContext": POD_CONTEXT,
        "affinity": AFFINITY,
        "topologySpreadConstraints": Each(SPREAD, unique=("topologyKey", "whenUnsatisfiable")),
        "tolerations": Each(
            Shape(
                "a toleration",
                {
                    "operator": words("Equal", "Exists"),
                    "effect": words("NoSchedule", "PreferNoSchedule", "NoExecute"),
                },
            )
        ),
        "restartPolicy": words("Always", "OnFailure", "Never"),
        "dnsPolicy": words("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"),
        "dnsConfig": DNS,
        "hostAliases": Each(ALIAS),
        "hostname": form.DNS_LABEL,
        "subdomain": form.DNS_LABEL,
        "hostnameOverride": NewerField(
            HOSTNAME_OVERRIDES, form.HOST_NAME.strict(), exists=NEW_FIELDS
        ),
        "nodeName": form.DNS_NAME,
        "serviceAccount": form.DNS_NAME,
        "priorityClassName": form.DNS_NAME,
        "runtimeClassName": form.DNS_NAME.strict(),
        "preemptionPolicy": words("PreemptLowerPriority", "Never").strict(),
        "priority": form.INT32,
        "activeDeadlineSeconds": number(1, 2**31 - 1),
        "terminationGracePeriodSeconds": form.INT64,
        "overhead": NamedValues(None, form.AMOUNT_FORM),
        "os": Shape("os", {"name": words("linux", "windows")}, needed=("name",)),
        "readinessGates": Each(
            Shape("a readiness gate", {"conditionType": form.LABEL_KEY.strict()})
        ),
        "schedulingGates": Each(
            Shape("a scheduling gate", {"name": form.LABEL_KEY.strict()}), unique=("name",)
        ),
        "resourceClaims": NewerField(RESOURCE_CLAIMS, Each(RESOURCE_CLAIM, unique=("name",))),
        "resources": NewerField(POD_RESOURCES, RESOURCES),
    },
)
#: A container that another object completes: an empty name means that it has none of its own.
PARTIAL_CONTAINER = CONTAINER._replace(fields={**CONTAINER.fields, "name": form.DNS_LABEL})
look_at_pod, look_at_partial_container = ready(POD), ready(PARTIAL_CONTAINER)
