"""Labels and annotations by which Kuscia knows the objects that it made."""

from renderer.backends.kuscia.preview.planes import Kit, Plane
from renderer.values.tree import Plain

PREFIX = "kuscia.secretflow/"
DEPLOYMENT = f"{PREFIX}deployment-name"
#: The UID of the KusciaDeployment; as a label's value it must look like one.
UID = "drawn-at-run-time"


def labels(plane: Plane, kit: Kit) -> dict[str, Plain]:
    """The five that everything derived from a KusciaDeployment carries."""
    return {
        f"{PREFIX}controller": "KusciaDeployment",
        f"{PREFIX}kd-name": plane.serving.name,
        f"{PREFIX}kd-uid": UID,
        f"{PREFIX}owner_namespace": "cross-domain",
        DEPLOYMENT: kit.deployment,
    }


def annotations(plane: Plane) -> dict[str, Plain]:
    return {f"{PREFIX}initiator": plane.initiator}


def metadata(
    name: str, kit: Kit, labels: dict[str, Plain], annotations: dict[str, Plain]
) -> dict[str, Plain]:
    return {
        "name": name,
        "namespace": kit.domain,
        "labels": labels,
        "annotations": annotations,
    }
