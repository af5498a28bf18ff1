"""What Kubernetes wants of LimitRanges and ResourceQuotas: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.parts import items_at, spec, value_at
from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.form import Form, words
from renderer.kubernetes.forms.shape import Each, Members, NamedValues, Shape
from renderer.kubernetes.quantities import BILLION, whole_billionths
from renderer.text.wording import listed
from renderer.values.diagnostics import Finding, Path
from renderer.values.tree import Node

_TYPES = ("Container", "Pod", "PersistentVolumeClaim")
_MIN, _DEFAULT_REQUEST, _DEFAULT, _MAX = "min", "defaultRequest", "default", "max"
#: The first of a pair is at most the second.
_ORDER = (
    (_MIN, _MAX), (_MIN, _DEFAULT_REQUEST), (_DEFAULT_REQUEST, _MAX),
    (_DEFAULT_REQUEST, _DEFAULT), (_MIN, _DEFAULT), (_DEFAULT, _MAX),
)  # fmt: skip
_HARD, _SCOPES = "hard", "scopes"
_COMPUTE = frozenset(
    f"{prefix}{name}" for prefix in ("", "requests.", "limits.") for name in ("cpu", "memory")
)
_COUNTED = frozenset(
    (
        "pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps",
        "persistentvolumeclaims", "services.nodeports", "services.loadbalancers",
    )
)  # fmt: skip
_KNOWN = frozenset(
    (
        *_COMPUTE, *_COUNTED, "requests.storage", "ephemeral-storage",
        "requests.ephemeral-storage", "limits.ephemeral-storage",
    )
)  # fmt: skip
_PODS = frozenset({"pods"})
_OF_PODS = _PODS | _COMPUTE
#: What a scope may bound; the words are all scopes that there are.
_SCOPE_AMOUNTS = {
    "BestEffort": _PODS,
    "NotBestEffort": _OF_PODS,
    "Terminating": _OF_PODS,
    "NotTerminating": _OF_PODS,
    "PriorityClass": _OF_PODS,
    "CrossNamespacePodAffinity": _OF_PODS,
    "VolumeAttributesClass": frozenset({"persistentvolumeclaims", "requests.storage"}),
}
_OPPOSITES = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))
_CHOOSING = ("PriorityClass", "VolumeAttributesClass")


def _is_quota(text: str) -> bool:
    plain = text.removeprefix("requests.")
    is_known = text in _KNOWN or plain.startswith(names.HUGE_PAGES) or "/" in text
    return is_known and names.is_label_key(text)


def _is_limit_type(text: str) -> bool:
    return text in _TYPES or ("/" in text and names.is_label_key(text))


def _amount(limit: Members, place: str, resource: str) -> int | None:
    node = limit[place].items.get(resource) if place in limit else None
    return whole_billionths(str(node.value)) if node else None


def _order(limit: Members, path: Path) -> Iterator[Finding]:
    """Least, usual and most come in their order."""
    if value_at(limit, "type") == "Pod":
        for key in (_DEFAULT, _DEFAULT_REQUEST):
            if key in limit and limit[key].items:
                message = f"{key} is of containers and claims, and this is of pods"
                fix = "delete it, or write type: Container"
                yield Finding((*path, key), message, fix, at_key=True)
        return
    for low, high in _ORDER:
        for resource in limit[low].items if low in limit else ():
            least, most = (_amount(limit, place, str(resource)) for place in (low, high))
            if least is not None and most is not None and least > most:
                message = f"{low} of {resource} is more than {high}"
                yield Finding((*path, low, resource), message, f"lower {low}, or raise {high}")


def _room(limit: Members, path: Path) -> Iterator[Finding]:
    given = {str(key) for place in (_MIN, _MAX) if place in limit for key in limit[place].items}
    if value_at(limit, "type") == "PersistentVolumeClaim" and "storage" not in given:
        message = "of claims the least or the most storage is said"
        yield Finding((*path, _MAX), message, "add min or max with storage")


def _whole_numbers(quota: Members, path: Path) -> Iterator[Finding]:
    for key, node in (quota[_HARD].items if _HARD in quota else {}).items():
        amount = whole_billionths(str(node.value))
        if key in _COUNTED and amount is not None and amount % BILLION:
            message = f"{key} are counted, and {node.value} is no whole number"
            yield Finding((*path, _HARD, key), message, "write a whole number")


def _named_scopes(quota: Members, path: Path) -> Iterator[tuple[str, Path, Node]]:
    for index, node in enumerate(items_at(quota, _SCOPES)):
        yield str(node.value), (*path, _SCOPES, index), node
    place = ("scopeSelector", "matchExpressions")
    for index, item in enumerate(items_at(quota, *place)):
        if found := item.get("scopeName"):
            yield str(found.value), (*path, *place, index, "scopeName"), found


def _scopes(quota: Members, path: Path) -> Iterator[Finding]:
    """Scopes go with what is bounded, and with each other."""
    bounded = [str(key) for key in quota[_HARD].items] if _HARD in quota else []
    seen: set[str] = set()
    for scope, place, _ in _named_scopes(quota, path):
        allowed = _SCOPE_AMOUNTS.get(scope)
        others = [k for k in bounded if k in _KNOWN and allowed is not None and k not in allowed]
        if others and allowed:
            message = f"{scope} bounds {listed(sorted(allowed))}, and not {listed(others)}"
            yield Finding(place, message, "move the rest to a ResourceQuota of its own")
        for pair in _OPPOSITES:
            if scope in pair and {*pair} <= {*seen, scope}:
                message = f"{listed(pair)} exclude each other"
                yield Finding(place, message, "keep one of them")
        seen.add(scope)


def _chosen(expression: Members, path: Path) -> Iterator[Finding]:
    scope, operator = (str(value_at(expression, key)) for key in ("scopeName", "operator"))
    count = len(items_at(expression, "values"))
    if scope in _SCOPE_AMOUNTS and scope not in _CHOOSING and operator != "Exists":
        message = f"the scope {scope} goes with the operator Exists"
        yield Finding((*path, "operator"), message, "write Exists, without values")
    elif operator in ("In", "NotIn") and not count:
        message = f"{operator} compares with values, and there are none"
        yield Finding((*path, "operator"), message, "add values")
    elif operator in ("Exists", "DoesNotExist") and count:
        message = f"{operator} takes no values"
        yield Finding((*path, "values"), message, "delete them, or write In", at_key=True)


_SCOPE = words(*_SCOPE_AMOUNTS).strict()
_AMOUNTS = NamedValues(None, (form.ANY_AMOUNT, form.AMOUNT_FORM))
_TYPE = Form(form.WORD, _is_limit_type, f"one of {listed(_TYPES)}", _TYPES).strict()
_QUOTA_KEY = form.name(_is_quota, "an amount that quotas know, such as requests.cpu or pods")
SHAPES = {
    "LimitRange": spec(
        "a LimitRange",
        {
            "limits": Each(
                Shape(
                    "a limit",
                    {
                        "type": _TYPE,
                        **dict.fromkeys((_MIN, _DEFAULT_REQUEST, _DEFAULT, _MAX), _AMOUNTS),
                    },
                    needed=("type",),
                    relations=(_order, _room),
                ),
                unique=("type",),
            )
        },
        needed=("limits",),
    ),
    "ResourceQuota": spec(
        "a ResourceQuota",
        {
            _HARD: NamedValues(_QUOTA_KEY, (form.ANY_AMOUNT, form.AMOUNT_FORM)),
            _SCOPES: Each(_SCOPE),
            "scopeSelector": Shape(
                "a selector",
                {
                    "matchExpressions": Each(
                        Shape(
                            "a condition",
                            {
                                "scopeName": _SCOPE,
                                "operator": words("In", "NotIn", "Exists", "DoesNotExist").strict(),
                            },
                            needed=("scopeName", "operator"),
                            relations=(_chosen,),
                        )
                    )
                },
            ),
        },
        relations=(_whole_numbers, _scopes),
    ),
}
