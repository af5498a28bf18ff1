"""By which fields server-side apply tells the items of lists apart, in built-in kinds."""

from collections.abc import Iterable

from renderer.backends.companions.table import ObjectKind, Path
from renderer.values.kinds import ListKeys

_NAME = ("name",)
_CONTAINER: ListKeys = (
    (("env",), _NAME),
    (("ports",), ("containerPort", "protocol")),
    (("volumeMounts",), ("mountPath",)),
    (("volumeDevices",), ("devicePath",)),
    (("resources", "claims"), _NAME),
)
_CONTAINER_LISTS = ("containers", "initContainers", "ephemeralContainers")
_POD: ListKeys = (
    *(((name,), _NAME) for name in _CONTAINER_LISTS),
    *(((name, "*", *path), keys) for name in _CONTAINER_LISTS for path, keys in _CONTAINER),
    (("volumes",), _NAME),
    (("imagePullSecrets",), _NAME),
    (("hostAliases",), ("ip",)),
    (("topologySpreadConstraints",), ("topologyKey", "whenUnsatisfiable")),
    (("resourceClaims",), _NAME),
    (("schedulingGates",), _NAME),
)
_OBJECT: ListKeys = ((("metadata", "ownerReferences"), ("uid",)),)
#: Beside those of pods, by kind and group.
_OWN: dict[tuple[str, str], ListKeys] = {
    ("Service", ""): ((("spec", "ports"), ("port", "protocol")),),
    ("ServiceAccount", ""): ((("secrets",), _NAME),),
    ("MutatingWebhookConfiguration", "admissionregistration.k8s.io"): ((("webhooks",), _NAME),),
    ("ValidatingWebhookConfiguration", "admissionregistration.k8s.io"): ((("webhooks",), _NAME),),
    ("ValidatingAdmissionPolicy", "admissionregistration.k8s.io"): (
        (("spec", "matchConditions"), _NAME),
        (("spec", "variables"), _NAME),
    ),
}


def list_keys(row: ObjectKind) -> ListKeys:
    """Those of the lists of a kind; all other lists are replaced as a whole."""
    in_pods = (_nest(place, _POD) for place in row.pods)
    return (
        *_OBJECT,
        *_OWN.get((row.kind, row.group), ()),
        *(one for some in in_pods for one in some),
    )


def _nest(place: Path, lists: ListKeys) -> Iterable[tuple[Path, tuple[str, ...]]]:
    return (((*place, *path), keys) for path, keys in lists)
