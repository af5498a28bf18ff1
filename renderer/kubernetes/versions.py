"""Versions of Kubernetes: those whose answers are recorded, and those of an environment."""

from collections.abc import Iterable

from renderer.text.expressions import expression
from renderer.values.model import Destination, Environment
from renderer.values.tree import Node

Version = tuple[int, int]
#: Whose API server was asked about pods (`tests/observed/kubernetes/pods`).
RECORDED: tuple[Version, ...] = ((1, 33), (1, 36))
OLDEST, NEWEST = RECORDED[0], RECORDED[-1]
#: Since when Kubernetes reads what an older one leaves out of a pod, each by its field.
RESOURCE_CLAIMS = POD_RESOURCES = VOLUME_ATTRIBUTES = (1, 34)
#: Observed with 1.33 alone: newer ones are taken to read them.
STOP_SIGNALS = TRUST_BUNDLES = (1, 34)
FILE_KEYS = RESTART_RULES = IMAGE_VOLUMES = HOSTNAME_OVERRIDES = (1, 35)
#: The first that has hostnameOverride, podCertificate, fileKeyRef and restartPolicyRules; an older
#: one refuses them.
NEW_FIELDS = (1, 34)
#: The platform whose destinations are clusters of Kubernetes.
CLUSTERS = "kubernetes"
#: The objects that say the version of each machine, and where they do.
NODE, NODE_VERSION = "Node", ("status", "nodeInfo", "kubeletVersion")
VERSION_PATH = ("kubernetes", "version")
_FORM = expression(r"v?([0-9]{1,3})\.([0-9]{1,3})(?:\.[0-9]+)?(?:[-+].*)?")


def version_of(text: str) -> Version | None:
    """`1.33`, `v1.33.2` and `1.33.2+k3s1` are 1.33; nothing if it is no version."""
    found = _FORM.fullmatch(text)
    return (int(found[1]), int(found[2])) if found else None


def shown(version: Version) -> str:
    return f"{version[0]}.{version[1]}"


def tells_versions(environment: Environment) -> bool:
    """Whether something is said of versions at all; mostly nothing is."""
    places = environment.platform_destinations(CLUSTERS)
    return any(
        tree.get(*VERSION_PATH) for tree in (environment.tree, *(item.tree for item in places))
    )


def declared_version(environment: Environment, destination: Destination) -> Version | None:
    """What is said of a destination's version; nothing if nothing is."""
    return _version(destination.tree) or _version(environment.tree)


def versions_of(
    environment: Environment, destinations: Iterable[Destination]
) -> tuple[Version, ...]:
    """The versions of some destinations: their own, else the environment's, else the newest."""
    usual = _version(environment.tree) or NEWEST
    found = {_version(item.tree) or usual for item in destinations}
    return tuple(sorted(found)) or (usual,)


def _version(tree: Node) -> Version | None:
    node = tree.get(*VERSION_PATH)
    return version_of(str(node.value)) if node else None
