"""What Kubernetes wants of claims, volumes and their classes: a table."""

from collections.abc import Iterator

from renderer.backends.companions.forms.parts import (
    items_at,
    kind,
    node_at,
    object_name,
    spec,
    value_at,
)
from renderer.backends.companions.table import VOLUME_SOURCES
from renderer.kubernetes import names
from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.claim import ACCESS_MODES, CLAIM, one_pod_alone
from renderer.kubernetes.forms.form import NAME, Form, words
from renderer.kubernetes.forms.shape import Each, Members, NamedValues, Shape
from renderer.kubernetes.forms.volume import SOURCES
from renderer.values.diagnostics import Finding, Path

_STORAGE = "storage"
_MOST_PARAMETERS = 512
_DRIVER_NAME = "an optional DNS name and '/', then letters, digits, '-', '_' and '.'"
#: These say no more of a PersistentVolume than of a volume of a pod.
_SAME_AS_IN_PODS = ("hostPath", "nfs", "fc", "iscsi")


def _capacity(volume: Members, path: Path) -> Iterator[Finding]:
    capacity = volume.get("capacity")
    if capacity is None or [*capacity.items] != [_STORAGE]:
        message = "the capacity of a volume is its storage, and nothing else"
        yield Finding((*path, "capacity"), message, "write capacity: {storage: 10Gi}")


def _local(volume: Members, path: Path) -> Iterator[Finding]:
    if "local" in volume and "nodeAffinity" not in volume:
        message = "a local volume says on which nodes it is"
        yield Finding((*path, "local"), message, "add nodeAffinity", at_key=True)


def _recycled_root(volume: Members, path: Path) -> Iterator[Finding]:
    policy = value_at(volume, "persistentVolumeReclaimPolicy")
    if policy == "Recycle" and value_at(volume, "hostPath", "path") == "/":
        message = "Recycle would delete all files of the node"
        yield Finding((*path, "persistentVolumeReclaimPolicy"), message, "write Retain")


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
_CSI = Shape("csi", {"driver": form.DRIVER}, needed=("driver", "volumeHandle"))
_LOCAL = Shape("local", {"path": form.NO_BACKSTEPS}, needed=("path",))
_CAPACITY = NamedValues(None, (form.AMOUNT_FORM, form.SOME_AMOUNT))
#: A source of a kind that holds no data is dropped, as long as it stands in dataSource.
_CLAIM = CLAIM._replace(
    fields={**CLAIM.fields, "dataSource": Shape("a source", {}, needed=("kind", "name"))}
)
SHAPES = {
    "PersistentVolumeClaim": kind("a claim", {"spec": _CLAIM}, needed=("spec",)),
    "PersistentVolume": spec(
        "a volume",
        {
            **{key: SOURCES[key] for key in _SAME_AS_IN_PODS},
            "accessModes": ACCESS_MODES,
            "capacity": _CAPACITY,
            "csi": _CSI,
            "local": _LOCAL,
            "persistentVolumeReclaimPolicy": words("Delete", "Recycle", "Retain"),
            "storageClassName": form.DNS_NAME,
            "volumeMode": words("Block", "Filesystem").strict(),
        },
        needed=("accessModes",),
        one_of=(VOLUME_SOURCES,),
        relations=(one_pod_alone, _capacity, _local, _recycled_root),
    ),
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
