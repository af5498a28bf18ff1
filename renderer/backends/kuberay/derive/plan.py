"""What KubeRay's operator sees: an object as it is applied, and the Ray cluster that it means."""

from renderer.backends.kuberay.dialect import Dialect, Version, parse_version
from renderer.backends.kuberay.serve_config.document import ServeConfig, read_serve_config
from renderer.backends.kuberay.serve_config.view import FIELD, SERVE
from renderer.backends.kuberay.settings import KubeRaySettings
from renderer.backends.kuberay.start_params import gcs_port
from renderer.backends.kuberay.vocabulary import CLUSTER, CLUSTER_FIELD, JOB, SERVICE
from renderer.backends.kuberay.workloads import ENABLES_SERVE, Cluster, Group, Workload
from renderer.derive.located import located
from renderer.kubernetes.data import Data, items, mapping, number, texts
from renderer.values.derivations import Applied
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, constant

#: What stands for the five characters that KubeRay draws for the name of a cluster.
RANDOM_SUFFIX = "xxxxx"
HASH = "<hash>"
DOMAIN = "svc.cluster.local"
CLUSTER_LABEL = "ray.io/cluster"
K8S_JOB, SIDECAR = "K8sJobMode", "SidecarMode"
INTERACTIVE = "InteractiveMode"
DASHBOARD = "dashboard"
KUBERAY = "ray.io/kuberay-operator"
_INCREMENTAL = "NewClusterWithIncrementalUpgrade"
#: The ports of a head that lists none.
_PORTS = {"client": 10001, DASHBOARD: 8265, "gcs-server": 6379, "metrics": 8080, "serve": 8000}
#: Since when clusters are NAME-xxxxx, ports may be serve-SOMETHING, and services can be suspended.
_SHORT_NAMES, _MORE_SERVE_PORTS, _STOPS_SERVICES = (1, 4, 0), (1, 6, 0), (1, 7, 0)
#: The operator cuts names of pods, accounts and Secrets to this length.
_LONGEST = 50
_NOTHING = constant({}, "not given")


class RayPlan(NamedTuple):
    """A cluster, job or service. A job may use a cluster that is there, which then is no own one.

    `content` is what the cluster says, with origins. Of a cluster that is not of this repository
    nothing is known but its name. One that was suspended is `held` so until it says otherwise.
    """

    kind: str
    name: str
    namespace: str
    labels: dict[str, str]
    annotations: dict[str, str]
    spec: Data
    cluster: Cluster
    content: Data
    is_own: bool
    settings: KubeRaySettings
    held: bool = False

    @property
    def head(self) -> Data:
        return mapping(self.content, "headGroupSpec")

    @property
    def dialect(self) -> Dialect:
        return self.settings.dialect

    @property
    def mode(self) -> str:
        """How a job is submitted."""
        return str(self.spec.get("submissionMode") or K8S_JOB)

    @property
    def cluster_name(self) -> str:
        if self.kind == CLUSTER:
            return self.name
        if used := texts(self.spec, "clusterSelector").get(CLUSTER_LABEL):
            return used
        middle = "" if self.dialect.knows(_SHORT_NAMES) else "raycluster-"
        return f"{self.name}-{middle}{RANDOM_SUFFIX}"

    @property
    def head_service(self) -> str:
        own = mapping(self.head, "headService", "metadata").get("name")
        return str(own) if own else f"{self.cluster_name}-head-svc"

    @property
    def serve_service(self) -> str:
        """The Service for requests of a service; upgrades step by step have one of the cluster."""
        own = mapping(self.spec, "serveService", "metadata").get("name")
        if self.is_incremental:
            return f"{self.cluster_name}-serve-svc"
        return str(own) if own else f"{self.name}-serve-svc"

    @property
    def head_host(self) -> str:
        return f"{self.head_service}.{self.namespace}.{DOMAIN}"

    @property
    def gcs_port(self) -> str:
        return gcs_port(self.cluster.head)

    @property
    def ports(self) -> dict[str, int]:
        """The ports of the head by name, as its Service has them."""
        found: dict[str, int] = {}
        for item in items(ray_container(self.cluster.head), "ports"):
            port = number(item, "containerPort") or 0
            found[str(item.get("name") or f"{port}-port")] = port
        return dict(sorted({"metrics": _PORTS["metrics"], **(found or _PORTS)}.items()))

    @property
    def serve_ports(self) -> dict[str, int]:
        """Those of them that requests come to."""
        more = f"{SERVE}-" if self.dialect.knows(_MORE_SERVE_PORTS) else SERVE
        return {n: port for n, port in self.ports.items() if n == SERVE or n.startswith(more)}

    @property
    def wants_serve_service(self) -> bool:
        """Whether a cluster is to have a Service for requests, whatever it is for."""
        return self.annotations.get(ENABLES_SERVE) == "true"

    @property
    def has_pods(self) -> bool:
        """Not if it is suspended, or if the operator fails at a Service that comes before them."""
        return not self.is_suspended and not (self.wants_serve_service and not self.serve_ports)

    @property
    def is_stopped(self) -> bool:
        """Whether a job or service is suspended, and has no cluster; services can be since 1.7."""
        knows = self.kind == JOB or (self.kind == SERVICE and self.dialect.knows(_STOPS_SERVICES))
        return knows and self.spec.get("suspend") is True

    @property
    def is_suspended(self) -> bool:
        """Whether nothing runs for now: it is stopped, or its cluster is there without pods."""
        is_off = self.held or self.content.get("suspend") is True
        return self.is_stopped or (self.is_own and is_off)

    @property
    def manager(self) -> str:
        """The controller that it is left to; empty if it is KubeRay's."""
        given = str(self.spec.get("managedBy") or "")
        return "" if given == KUBERAY else given

    @property
    def reaches_dashboard(self) -> bool:
        """Whether the operator comes to speak to the dashboard, and to make what follows then."""
        waits = self.mode == INTERACTIVE and not self.spec.get("jobId")
        return DASHBOARD in self.ports and self.has_pods and not waits

    @property
    def ray_version(self) -> Version | None:
        """The version that the cluster states, which is all that the operator asks."""
        return parse_version(str(self.content.get("rayVersion") or ""))

    @property
    def is_incremental(self) -> bool:
        """Whether a service moves to a new cluster step by step, through a gateway."""
        is_wanted = mapping(self.spec, "upgradeStrategy").get("type") == _INCREMENTAL
        return is_wanted and self.settings.has("RayServiceIncrementalUpgrade")

    @property
    def auth(self) -> Data:
        """How nodes and callers prove who they are; empty if they need not."""
        options = mapping(self.content, "authOptions")
        return options if options.get("mode") == "token" else {}


@cached_by_identity
def plan_of(applied: Applied) -> RayPlan:
    """From the object as it is applied."""
    kind, fields = applied.spec.kind.name, applied.tree.get("spec") or _NOTHING
    about, path = mapping(located(applied.tree), "metadata"), CLUSTER_FIELD[kind]
    spec = located(fields)
    used = str(mapping(spec, "clusterSelector").get(CLUSTER_LABEL) or "")
    own = fields.get(*path)
    is_own = not used and (own is not None or kind != JOB)
    described = own or _NOTHING if is_own else _known_cluster(used, applied.environment)
    return RayPlan(
        kind,
        applied.name,
        applied.namespace,
        texts(about, "labels"),
        texts(about, "annotations"),
        spec,
        Cluster.of(("spec", *path), described),
        located(described),
        is_own,
        KubeRaySettings.of(applied.environment),
    )


def applied_config(applied: Applied) -> ServeConfig | None:
    """The serve config of a service as it is applied; nothing if it has none."""
    given = applied.tree.get("spec", FIELD)
    return read_serve_config(given, ("spec", FIELD)) if given else None


def _known_cluster(name: str, environment: Environment) -> Node:
    """A cluster of the same environment by its name."""
    spec = environment.spec_named(CLUSTER, name)
    return Workload.of(spec, environment).cluster.node if spec else _NOTHING


def ray_container(group: Group) -> Data:
    """The container that runs Ray, as it is written."""
    return located(group.container.node) if group.container else {}


def clip_name(name: str) -> str:
    """A name of at most 50 characters, the last ones, with a letter first."""
    kept = name[-_LONGEST:]
    return kept if kept[:1].isalpha() else f"r{kept[1:]}"


def pod_name(prefix: str, node_type: str) -> str:
    """What names of pods begin with: the first 50 characters, and what they are."""
    return f"{prefix[:_LONGEST]}-{node_type}-".lower()
