"""What Kubernetes wants of claims, volumes and their classes: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.parts import (
    items_at,
    kind,
    node_at,
    object_name,
    spec,
)
from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.claim import CLAIM
from renderer.kubernetes.forms.form import NAME, Form, words
from renderer.kubernetes.forms.persistent_volume import PERSISTENT_VOLUME
from renderer.kubernetes.forms.shape import Each, Members, Shape
from renderer.values.diagnostics import Finding, Path

_STORAGE = "storage"
_MOST_PARAMETERS = 512
_DRIVER_NAME = "an optional DNS name and '/', then letters, digits, '-', '_' and '.'"


def _some_parameters(attributes: Members, path: Path) -> Iterator[Finding]:
    given = attributes.get("parameters")
    if given is None or not given.items:
        message = "a VolumeAttributesClass has parameters"
        yield Finding((*path, "parameters"), message, "add one at least")


def _few_parameters(storage: Members, path: Path) -> Iterator[Finding]:
    count = len(storage["parameters"].items) if "parameters" in storage else 0
    if count > _MOST_PARAMETERS:
        message = f"there are {count} parameters, and may be {_MOST_PARAMETERS}"
        yield Finding((*path, "parameters"), message, "delete some", at_key=True)


def _topologies(storage: Members, path: Path) -> Iterator[Finding]:
    place = "allowedTopologies"
    for index, item in enumerate(items_at(storage, place)):
        for number, term in enumerate(items_at(item.items, "matchLabelExpressions")):
            if not node_at(term.items, "values") or not items_at(term.items, "values"):
                where = (*path, place, index, "matchLabelExpressions", number)
                yield Finding(where, "a topology has no values", "add values")


_PROVISIONER = Form(NAME, lambda text: names.is_label_key(text.lower()), _DRIVER_NAME)
#: A source of a kind that holds no data is dropped, as long as it stands in dataSource.
_CLAIM = CLAIM._replace(
    fields={**CLAIM.fields, "dataSource": Shape("a source", {}, needed=("kind", "name"))}
)
SHAPES = {
    "PersistentVolumeClaim": kind("a claim", {"spec": _CLAIM}, needed=("spec",)),
    "PersistentVolume": kind("a volume", {"spec": PERSISTENT_VOLUME}, needed=("spec",)),
    "StorageClass": kind(
        "a StorageClass",
        {
            "provisioner": _PROVISIONER,
            "reclaimPolicy": words("Delete", "Retain"),
            "volumeBindingMode": words("Immediate", "WaitForFirstConsumer"),
        },
        needed=("provisioner",),
        relations=(_few_parameters, _topologies),
    ),
    "VolumeAttributesClass": kind(
        "a VolumeAttributesClass",
        {"driverName": _PROVISIONER},
        needed=("driverName",),
        relations=(_some_parameters, _few_parameters),
    ),
    "CSIDriver": spec(
        "a CSIDriver",
        {
            "fsGroupPolicy": words("File", "None", "ReadWriteOnceWithFSType"),
            "volumeLifecycleModes": Each(words("Ephemeral", "Persistent").strict()),
        },
        named=object_name(lambda text: bool(form.DRIVER.fits(text)), form.DRIVER.expects),
    ),
}
