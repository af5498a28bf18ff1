"""The objects that Kuscia derives for a party, named exactly as its controller names them."""

from collections.abc import Iterable

from renderer.backends.object_places import MANAGED_BY
from renderer.text.digests import sha256
from renderer.values.named_tuple import NamedTuple

PREFIX = "kuscia.secretflow/"
APP_TYPE = f"{PREFIX}app-type"
AFFINITY_MODE = f"{PREFIX}affinity-mode"
DEPLOYMENT_NAME = f"{PREFIX}deployment-name"
SERVING_NAME = f"{PREFIX}kd-name"
DIGEST = "serving.gitops/appimage-digest"
GITOPS = ("argocd.argoproj.io/", "kustomize.toolkit.fluxcd.io/", MANAGED_BY)
#: What Kuscia keeps as its own state, and reads back.
STATE = frozenset(
    PREFIX + name
    for name in (
        "allocated-ports",
        "initiator",
        "initiator-master-domain",
        "interconn-kuscia-parties",
        "interconn-self-parties",
        "party-master-domain",
        "self-cluster-as-initiator",
    )
)
#: The longest name of a Service, or value of a label.
LONGEST = 63
#: Of a name that is too long Kuscia keeps so many characters, port included, and a digest.
_ROOM = 41
_HASH = 16


class DerivedName(NamedTuple):
    """An object that Kuscia makes for a party, in the namespace of its domain."""

    kind: str
    name: str
    port: str = ""


class DerivedNames(NamedTuple):
    """The names of what Kuscia makes for one party of a serving."""

    deployment: str
    prefix: str = ""

    @classmethod
    def of(cls, serving: str, role: str, prefix: str) -> "DerivedNames":
        return cls(deployment_name(serving, role), prefix)

    @property
    def config_map(self) -> str:
        return config_map_name(self.deployment)

    def service(self, port: str) -> str:
        return service_name(self.deployment, port, self.prefix)

    def objects(self, ports: Iterable[str]) -> list[DerivedName]:
        """Everything that is made for a party; `ports` are those that get a Service."""
        services = [DerivedName("Service", self.service(port), port) for port in ports]
        return [
            DerivedName("Deployment", self.deployment),
            *services,
            DerivedName("ConfigMap", self.config_map),
        ]


def deployment_name(serving: str, role: str) -> str:
    return f"{serving}-{role}" if role else serving


def config_map_name(deployment: str) -> str:
    return f"{deployment}-configtemplate"


def service_name(deployment: str, port: str, prefix: str = "") -> str:
    """The Service of a port; hashed where it would be too long, unless a prefix is given."""
    port = port.strip("-").replace("_", "-").replace(".", "-")
    if prefix:
        return f"{prefix}-{port}"
    base = deployment.strip("-")
    name = f"{base}-{port}"
    if name[0].isdigit():
        name = f"svc-{name}"
    return hashed_service_name(base, port) if len(name) > LONGEST else name


def hashed_service_name(base: str, port: str) -> str:
    digest = sha256(base.encode()).hexdigest()[:_HASH]
    return f"svc-{base[: _ROOM - len(port)]}-{digest}-{port}"
