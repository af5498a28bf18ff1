"""What Kubernetes wants of volumes: a table, with a row for each kind of them."""

from collections.abc import Iterator

from renderer.kubernetes.forms import form
from renderer.kubernetes.forms.claim import CLAIM_TEMPLATE
from renderer.kubernetes.forms.container import PULL_POLICY
from renderer.kubernetes.forms.form import number, words
from renderer.kubernetes.forms.shape import Each, Members, NewerField, Shape
from renderer.kubernetes.versions import IMAGE_VOLUMES, NEW_FIELDS
from renderer.values.diagnostics import Finding, Path

#: Kubernetes drops such a field as long as a feature gate is closed, which it is everywhere.
_GATED_VERSION = (999, 0)
_PARTITION = number(0, 255)


def _secret_of_session(iscsi: Members, path: Path) -> Iterator[Finding]:
    for key in ("chapAuthDiscovery", "chapAuthSession"):
        if key in iscsi and iscsi[key].value is True and "secretRef" not in iscsi:
            message = f"{key} takes a user and a password"
            yield Finding((*path, key), message, "add secretRef, or delete it", at_key=True)


def _targets(fc: Members, path: Path) -> Iterator[Finding]:
    names, ids = (fc[key].elements if key in fc else () for key in ("targetWWNs", "wwids"))
    if bool(names) is bool(ids):
        message = "a volume of Fibre Channel has either targetWWNs or wwids"
        yield Finding((*path, "targetWWNs"), message, "write one of the two", at_key=True)
    elif names and "lun" not in fc:
        yield Finding((*path, "lun"), "targetWWNs go with a lun", "add lun")


def _managed_disk(disk: Members, path: Path) -> Iterator[Finding]:
    """A disk of which no kind is said is a shared one."""
    address, kind = disk.get("diskURI"), str(disk["kind"].value if "kind" in disk else "Shared")
    if address is None or not address.value:
        return
    start = "/subscriptions/" if kind == "Managed" else "https://"
    if not str(address.value).startswith(start):
        message = f"the diskURI of a disk of the kind {kind} begins with {start}"
        yield Finding((*path, "diskURI"), message, f"write {start}…, or another kind")


def _dataset(flocker: Members, path: Path) -> Iterator[Finding]:
    given = [key for key in ("datasetName", "datasetUUID") if key in flocker and flocker[key].value]
    if len(given) != 1:
        message = "a volume of Flocker has either datasetName or datasetUUID"
        yield Finding(path, message, "write one of the two", at_key=True)


def _registry(quobyte: Members, path: Path) -> Iterator[Finding]:
    registry = quobyte.get("registry")
    for pair in str(registry.value).split(",") if registry and registry.value else ():
        host, colon, _ = pair.rpartition(":")
        if not colon or (":" in host and not host.startswith("[")):
            message = f"{pair!r} is no host:port"
            yield Finding((*path, "registry"), message, "write host:port, several with commas")


def _reserved_options(volume: Members, path: Path) -> Iterator[Finding]:
    options = volume.get("options")
    for key in options.items if options else ():
        place = "." + key.partition("/")[0].lower()
        if place.endswith((".kubernetes.io", ".k8s.io")):
            message = f"the option {key!r} is one of Kubernetes itself"
            yield Finding((*path, "options", key), message, "delete it", at_key=True)


def _source(title: str, *needed: str, **fields: object) -> Shape:
    return Shape(title, fields, needed=needed)  # type: ignore[arg-type]


_ITEM = Shape(
    "an item",
    {"path": form.FILE, "mode": form.MODE},
    needed=("key", "path"),
)
DOWNWARD_FILE = Shape(
    "a file",
    {
        "path": form.FILE,
        "mode": form.MODE,
        "fieldRef": Shape(
            "fieldRef",
            {"fieldPath": form.FIELD_OF_FILE, "apiVersion": words("v1")},
            needed=("fieldPath",),
        ),
        "resourceFieldRef": Shape("resourceFieldRef", {}, needed=("containerName", "resource")),
    },
    needed=("path",),
    one_of=(("fieldRef", "resourceFieldRef"),),
)
_ITEMS, _FILES = Each(_ITEM), Each(DOWNWARD_FILE)
TOKEN = Shape(
    "serviceAccountToken",
    {"path": form.FILE, "expirationSeconds": number(600, 2**32)},
    needed=("path",),
)
PROJECTION = Shape(
    "a source",
    {
        "secret": _source("secret", "name", items=_ITEMS),
        "configMap": _source("configMap", "name", items=_ITEMS),
        "downwardAPI": _source("downwardAPI", items=_FILES),
        "serviceAccountToken": TOKEN,
        "podCertificate": NewerField(
            _GATED_VERSION, Shape("podCertificate", {}), exists=NEW_FIELDS
        ),
    },
    at_most_one=(("secret", "configMap", "downwardAPI", "serviceAccountToken"),),
)
SOURCES = {
    "emptyDir": _source("emptyDir", sizeLimit=form.AMOUNT_FORM),
    "hostPath": _source(
        "hostPath",
        "path",
        path=form.NO_BACKSTEPS,
        type=words(
            "DirectoryOrCreate",
            "Directory",
            "FileOrCreate",
            "File",
            "Socket",
            "CharDevice",
            "BlockDevice",
        ),
    ),
    "secret": _source("secret", "secretName", defaultMode=form.MODE, items=_ITEMS),
    "configMap": _source("configMap", "name", defaultMode=form.MODE, items=_ITEMS),
    "downwardAPI": _source("downwardAPI", defaultMode=form.MODE, items=_FILES),
    "projected": _source("projected", defaultMode=form.MODE, sources=Each(PROJECTION)),
    "persistentVolumeClaim": _source("persistentVolumeClaim", "claimName"),
    "ephemeral": _source("ephemeral", "volumeClaimTemplate", volumeClaimTemplate=CLAIM_TEMPLATE),
    "csi": _source(
        "csi",
        "driver",
        driver=form.DRIVER,
        nodePublishSecretRef=_source("nodePublishSecretRef", "name", name=form.DNS_NAME),
    ),
    "nfs": _source("nfs", "server", "path", path=form.ABSOLUTE),
    "image": NewerField(IMAGE_VOLUMES, _source("image", pullPolicy=PULL_POLICY)),
    "gitRepo": _source("gitRepo", "repository", directory=form.DESCENDING),
    "gcePersistentDisk": _source("gcePersistentDisk", "pdName", partition=_PARTITION),
    "awsElasticBlockStore": _source("awsElasticBlockStore", "volumeID", partition=_PARTITION),
    "azureFile": _source("azureFile", "secretName", "shareName"),
    "azureDisk": Shape(
        "azureDisk",
        {
            "cachingMode": words("None", "ReadOnly", "ReadWrite").strict(),
            "kind": words("Shared", "Dedicated", "Managed").strict(),
        },
        needed=("diskName", "diskURI"),
        relations=(_managed_disk,),
    ),
    "iscsi": Shape(
        "iscsi",
        {
            "iqn": form.ISCSI_NAME,
            "initiatorName": form.ISCSI_NAME.strict(),
            "lun": _PARTITION,
        },
        needed=("targetPortal", "iqn"),
        relations=(_secret_of_session,),
    ),
    "fc": Shape("fc", {"lun": _PARTITION}, relations=(_targets,)),
    "glusterfs": _source("glusterfs", "endpoints", "path"),
    "rbd": _source("rbd", "monitors", "image"),
    "cephfs": _source("cephfs", "monitors"),
    "cinder": _source("cinder", "volumeID", secretRef=_source("secretRef", "name")),
    "flexVolume": Shape("flexVolume", {}, needed=("driver",), relations=(_reserved_options,)),
    "flocker": Shape(
        "flocker",
        {"datasetName": form.name(lambda text: "/" not in text, "a name without '/'")},
        relations=(_dataset,),
    ),
    "quobyte": Shape(
        "quobyte",
        {"tenant": form.name(lambda text: len(text) <= 64, "at most 64 characters")},  # noqa: PLR2004
        needed=("registry", "volume"),
        relations=(_registry,),
    ),
    "vsphereVolume": _source("vsphereVolume", "volumePath"),
    "photonPersistentDisk": _source("photonPersistentDisk", "pdID"),
    "portworxVolume": _source("portworxVolume", "volumeID"),
    "scaleIO": _source("scaleIO", "gateway", "system", "volumeName"),
    "storageos": _source(
        "storageos",
        "volumeName",
        volumeName=form.DNS_LABEL,
        volumeNamespace=form.DNS_LABEL,
        secretRef=_source("secretRef", "name"),
    ),
}
VOLUME = Shape("a volume", {"name": form.DNS_LABEL, **SOURCES}, needed=("name",))
