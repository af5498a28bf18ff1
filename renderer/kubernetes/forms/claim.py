"""What Kubernetes wants of a claim to storage that is made with a pod: a table."""

from collections.abc import Iterator

from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.form import words
from renderer.kubernetes.forms.shape import Each, Members, NamedValues, NewerField, Shape
from renderer.kubernetes.versions import VOLUME_ATTRIBUTES
from renderer.values.diagnostics import Finding, Path

_ALONE = "ReadWriteOncePod"
_CORE_KIND = "PersistentVolumeClaim"


def _values_of_operator(condition: Members, path: Path) -> Iterator[Finding]:
    operator, values = condition.get("operator"), condition.get("values")
    count = len(values.elements) if values else 0
    if operator and operator.value in ("In", "NotIn") and not count:
        message = f"{operator.value} compares with values, and there are none"
        yield Finding((*path, "operator"), message, "add values")
    if operator and operator.value in ("Exists", "DoesNotExist") and count:
        message = f"{operator.value} takes no values"
        yield Finding((*path, "values"), message, "delete them, or write In", at_key=True)


LABEL_SELECTOR = Shape(
    "a selector",
    {
        "matchLabels": NamedValues(form.LABEL_KEY, form.LABEL_VALUE),
        "matchExpressions": Each(
            Shape(
                "a condition",
                {
                    "key": form.LABEL_KEY.strict(),
                    "operator": words("In", "NotIn", "Exists", "DoesNotExist").strict(),
                    "values": Each(form.LABEL_VALUE),
                },
                needed=("key", "operator"),
                relations=(_values_of_operator,),
            )
        ),
    },
)


def one_pod_alone(claim: Members, path: Path) -> Iterator[Finding]:
    """The mode for one pod excludes all others."""
    modes = claim.get("accessModes")
    given = {str(item.value) for item in modes.elements} if modes else set()
    if _ALONE in given and len(given) > 1:
        message = f"{_ALONE} goes with no other access mode"
        yield Finding((*path, "accessModes"), message, "keep one of them")


def _room(claim: Members, path: Path) -> Iterator[Finding]:
    resources = claim.get("resources")
    if resources is None or resources.get("requests", "storage") is None:
        message = "the claim does not say how much storage it asks for"
        yield Finding((*path, "resources", "requests"), message, "add resources.requests.storage")


def _sources(claim: Members, path: Path) -> Iterator[Finding]:
    one, other = claim.get("dataSource"), claim.get("dataSourceRef")
    if one is None or other is None:
        return
    keys = ("apiGroup", "kind", "name")
    if other.get("namespace") or any(_value(one, key) != _value(other, key) for key in keys):
        message = "dataSource and dataSourceRef say different things"
        yield Finding((*path, "dataSource"), message, "delete dataSource", at_key=True)


def _value(source: object, key: str) -> object:
    node = source.get(key)  # type: ignore[attr-defined]
    return node.value if node else None


def _kind(source: Members, path: Path) -> Iterator[Finding]:
    group, kind = source.get("apiGroup"), source.get("kind")
    if kind and kind.value != _CORE_KIND and not (group and group.value):
        message = (
            f"without apiGroup, a claim is filled from a {_CORE_KIND}, not from {kind.value!r}"
        )
        yield Finding((*path, "kind"), message, f"add apiGroup, or write {_CORE_KIND}")


ACCESS_MODES = Each(words("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", _ALONE).strict())
_SOURCE = Shape(
    "a source",
    {"apiGroup": form.DNS_NAME, "namespace": form.DNS_LABEL},
    needed=("kind", "name"),
    relations=(_kind,),
)
CLAIM = Shape(
    "a claim",
    {
        "accessModes": ACCESS_MODES,
        "resources": Shape(
            "resources",
            {
                "requests": Shape("requests", {"storage": (form.AMOUNT_FORM, form.SOME_AMOUNT)}),
                "limits": NamedValues(None, form.ANY_AMOUNT),
            },
        ),
        "storageClassName": form.DNS_NAME,
        "volumeAttributesClassName": NewerField(VOLUME_ATTRIBUTES, form.DNS_NAME),
        "volumeMode": words("Filesystem", "Block").strict(),
        "selector": LABEL_SELECTOR,
        "dataSource": _SOURCE,
        "dataSourceRef": _SOURCE,
    },
    needed=("accessModes",),
    relations=(one_pod_alone, _room, _sources),
)
CLAIM_TEMPLATE = Shape(
    "volumeClaimTemplate",
    {
        "metadata": Shape(
            "metadata",
            {
                "labels": NamedValues(form.LABEL_KEY, form.LABEL_VALUE),
                "annotations": NamedValues(form.ANNOTATION_KEY),
            },
        ),
        "spec": CLAIM,
    },
    needed=("spec",),
)
