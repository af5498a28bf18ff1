"""What Kubernetes wants of autoscalers and budgets: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.parts import PART, node_at, spec, value_at
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.claim import LABEL_SELECTOR
from renderer.kubernetes.forms.form import number, words
from renderer.kubernetes.forms.shape import Each, Members, Shape
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Path

_LARGEST = 2**31 - 1
#: The field in which a type of metric stands, and which values a target of it may have.
_RAW = ("averageUtilization", "averageValue")
_METRICS = {
    "ContainerResource": ("containerResource", _RAW),
    "External": ("external", ("value", "averageValue")),
    "Object": ("object", ("value", "averageValue")),
    "Pods": ("pods", ("averageValue",)),
    "Resource": ("resource", _RAW),
}
_SOURCES = tuple(key for key, _ in _METRICS.values())
#: Of these one value is given, no two.
_ONE_VALUE = ("ContainerResource", "External", "Resource")


def _bounds(scaler: Members, path: Path) -> Iterator[Finding]:
    least, most = (value_at(scaler, key) for key in ("minReplicas", "maxReplicas"))
    if isinstance(least, int) and isinstance(most, int) and least > most >= 1:
        message = f"maxReplicas is {most}, less than the {least} of minReplicas"
        yield Finding((*path, "maxReplicas"), message, f"write {least} or more")


def _metric(metric: Members, path: Path) -> Iterator[Finding]:
    """A metric of a type stands in the field of that type, and has a target."""
    given = str(value_at(metric, "type"))
    if given not in _METRICS:
        return
    key, values = _METRICS[given]
    for other in _SOURCES:
        if other != key and other in metric:
            message = f"{other} is of metrics of another type than {given}"
            yield Finding((*path, other), message, f"write {key}", at_key=True)
    if key not in metric:
        yield Finding((*path, key), f"a metric of the type {given} has {key}", f"add {key}")
        return
    target = [name for name in values if node_at(metric, key, "target", name)]
    place = (*path, key, "target")
    if not target:
        message = f"the target of a metric of the type {given} has {listed(values, 'or')}"
        yield Finding(place, message, f"add {listed(values, 'or')}")
    elif len(target) > 1 and given in _ONE_VALUE:
        message = f"the target has {listed(target)}, and may have only one of them"
        yield Finding((*place, target[1]), message, "keep one", at_key=True)


def _amounts(budget: Members, path: Path) -> Iterator[Finding]:
    if "minAvailable" in budget and "maxUnavailable" in budget:
        message = "minAvailable and maxUnavailable exclude each other"
        yield Finding((*path, "maxUnavailable"), message, "keep one of them", at_key=True)


def _source(title: str, *needed: str) -> Shape:
    target = Shape(
        "a target",
        {
            "type": words("AverageValue", "Utilization", "Value").strict(),
            "averageUtilization": number(1, _LARGEST),
            "averageValue": (form.ANY_AMOUNT, form.SOME_AMOUNT),
            "value": (form.ANY_AMOUNT, form.SOME_AMOUNT),
        },
        needed=("type",),
    )
    return Shape(title, {"target": target}, needed=(*needed, "target"))


_POLICY = Shape(
    "a policy",
    {
        "type": words("Percent", "Pods").strict(),
        "value": number(1, _LARGEST),
        "periodSeconds": number(1, 1800),
    },
    needed=("type", "value", "periodSeconds"),
)
_SCALING = Shape(
    "scaling",
    {
        "policies": Each(_POLICY, least=1),
        "selectPolicy": words("Disabled", "Max", "Min").strict(),
        "stabilizationWindowSeconds": number(0, 3600),
    },
)
SHAPES = {
    "HorizontalPodAutoscaler": spec(
        "an autoscaler",
        {
            "maxReplicas": number(1, _LARGEST),
            "minReplicas": number(1, _LARGEST),
            "scaleTargetRef": Shape("a target", {}, needed=("kind", "name")),
            "targetCPUUtilizationPercentage": number(1, _LARGEST),
            "behavior": Shape("behavior", {"scaleDown": _SCALING, "scaleUp": _SCALING}),
            "metrics": Each(
                Shape(
                    "a metric",
                    {
                        "type": words(*_METRICS).strict(),
                        "containerResource": _source("containerResource", "name", "container"),
                        "external": _source("external", "metric"),
                        "object": _source("object", "metric", "describedObject"),
                        "pods": _source("pods", "metric"),
                        "resource": _source("resource", "name"),
                    },
                    needed=("type",),
                    relations=(_metric,),
                )
            ),
        },
        needed=("maxReplicas", "scaleTargetRef"),
        relations=(_bounds,),
    ),
    "PodDisruptionBudget": spec(
        "a budget",
        {
            "maxUnavailable": PART,
            "minAvailable": PART,
            "selector": LABEL_SELECTOR,
            "unhealthyPodEvictionPolicy": words("AlwaysAllow", "IfHealthyBudget"),
        },
        relations=(_amounts,),
    ),
}
