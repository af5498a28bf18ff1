"""What Kubernetes wants of a PersistentVolume: a table."""

from collections.abc import Iterator

from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.claim import ACCESS_MODES, one_pod_alone
from renderer.kubernetes.forms.form import words
from renderer.kubernetes.forms.shape import Members, NamedValues, Shape
from renderer.kubernetes.forms.volume import SOURCES
from renderer.values.diagnostics import Finding, Path

_STORAGE = "storage"
#: Where the data of a PersistentVolume are: one of these.
VOLUME_SOURCES = (
    "awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "csi", "fc", "flexVolume",
    "flocker", "gcePersistentDisk", "glusterfs", "hostPath", "iscsi", "local", "nfs",
    "photonPersistentDisk", "portworxVolume", "quobyte", "rbd", "scaleIO", "storageos",
    "vsphereVolume",
)  # fmt: skip
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
    policy, host = volume.get("persistentVolumeReclaimPolicy"), volume.get("hostPath")
    if policy and policy.value == "Recycle" and host and host.text_at("path") == "/":
        message = "Recycle would delete all files of the node"
        yield Finding((*path, "persistentVolumeReclaimPolicy"), message, "write Retain")


_CSI = Shape("csi", {"driver": form.DRIVER}, needed=("driver", "volumeHandle"))
_LOCAL = Shape("local", {"path": form.NO_BACKSTEPS}, needed=("path",))
PERSISTENT_VOLUME = Shape(
    "a volume",
    {
        **{key: SOURCES[key] for key in _SAME_AS_IN_PODS},
        "accessModes": ACCESS_MODES,
        "capacity": NamedValues(None, (form.AMOUNT_FORM, form.SOME_AMOUNT)),
        "csi": _CSI,
        "local": _LOCAL,
        "persistentVolumeReclaimPolicy": words("Delete", "Recycle", "Retain"),
        "storageClassName": form.DNS_NAME,
        "volumeMode": words("Block", "Filesystem").strict(),
    },
    needed=("accessModes",),
    one_of=(VOLUME_SOURCES,),
    relations=(one_pod_alone, _capacity, _local, _recycled_root),
)
