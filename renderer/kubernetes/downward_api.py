"""The fields of a pod, and the amounts of a container, that variables and files are taken from."""

from collections.abc import Collection

from renderer.kubernetes.names import HUGE_PAGES, STANDARD, is_label_key
from renderer.kubernetes.quantities import billionths, canonical
from renderer.text.expressions import expression

_MEMBERS = ("metadata.labels['KEY']", "metadata.annotations['KEY']")
FIELDS_OF_VARIABLES = (
    *_MEMBERS,
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "spec.nodeName",
    "spec.serviceAccountName",
    "status.hostIP",
    "status.hostIPs",
    "status.podIP",
    "status.podIPs",
)
FIELDS_OF_FILES = (
    *_MEMBERS,
    "metadata.name",
    "metadata.namespace",
    "metadata.uid",
    "metadata.labels",
    "metadata.annotations",
)
_FORMER_FIELD = "spec.host"
_MEMBER = expression(r"metadata\.(annotations|labels)\['(.*)'\]")
_KINDS = ("limits", "requests")
AMOUNTS = tuple(f"{kind}.{what}" for kind in _KINDS for what in STANDARD)
_HUGE_PAGES = tuple(f"{kind}.{HUGE_PAGES}" for kind in _KINDS)
UNITS_OF_CPU = ("1", "1m")
_UNITS = ("1", *(f"1{unit}" for unit in "kMGTPE"), *(f"1{unit}i" for unit in "KMGTPE"))


def is_field(path: str, known: Collection[str] = FIELDS_OF_VARIABLES) -> bool:
    """Whether it is one of the known fields, or a label or annotation by its key."""
    found = _MEMBER.fullmatch(path)
    if found:
        return is_label_key(found[2].lower() if found[1] == "annotations" else found[2])
    if path == _FORMER_FIELD:
        return "spec.nodeName" in known
    return path in known and path not in _MEMBERS


def is_amount(path: str) -> bool:
    return path in AMOUNTS or path.startswith(_HUGE_PAGES)


def divides(unit: str, amount: str) -> bool:
    """Whether an amount can be given in a unit; a unit of nothing is none."""
    units = UNITS_OF_CPU if amount.endswith(".cpu") else _UNITS
    return not billionths(unit) or canonical(unit) in units
