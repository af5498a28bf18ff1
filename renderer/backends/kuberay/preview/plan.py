"""What KubeRay's operator sees: an object as it is applied, and the Ray cluster that it means."""

from typing import NamedTuple

from renderer.backends.kuberay.dialect import Dialect, Version, version_of
from renderer.backends.kuberay.plans import names_by_content
from renderer.backends.kuberay.services import SERVE
from renderer.backends.kuberay.settings import KubeRaySettings
from renderer.backends.kuberay.start_params import gcs_port
from renderer.backends.kuberay.vocabulary import CLUSTER, CLUSTER_FIELD, JOB
from renderer.backends.kuberay.workloads import ENABLES_SERVE, Cluster, Group, Workload
from renderer.kubernetes.data import Data, items, mapping, number, texts
from renderer.values.derivations import Applied
from renderer.values.model import Environment
from renderer.values.tree import Node, constant

#: What stands for the five characters that KubeRay draws for the name of a cluster.
DRAWN = "xxxxx"
HASH = "<hash>"
DOMAIN = "svc.cluster.local"
CLUSTER_LABEL = "ray.io/cluster"
K8S_JOB, SIDECAR = "K8sJobMode", "SidecarMode"
INTERACTIVE = "InteractiveMode"
DASHBOARD = "dashboard"
_INCREMENTAL = "NewClusterWithIncrementalUpgrade"
#: The ports of a head that lists none.
_PORTS = {"client": 10001, DASHBOARD: 8265, "gcs-server": 6379, "metrics": 8080, "serve": 8000}
_SHORT_NAMES, _MORE_SERVE_PORTS = (1, 4, 0), (1, 6, 0)
_LONGEST = 50


class RayPlan(NamedTuple):
    """A cluster, job or service. A job may use a cluster that is there, which then is no own one.

    Of a cluster that is not of this repository nothing is known but its name.
    """

    kind: str
    name: str
    namespace: str
    labels: dict[str, str]
    annotations: dict[str, str]
    spec: Data
    cluster: Cluster
    is_own: bool
    settings: KubeRaySettings

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
        return f"{self.name}-{middle}{DRAWN}"

    @property
    def head_service(self) -> str:
        own = mapping(data(self.cluster.head.node), "headService", "metadata").get("name")
        return str(own) if own else f"{self.cluster_name}-head-svc"

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
    def is_asked_to_serve(self) -> bool:
        """Whether a cluster is to have a Service for requests, whatever it is for."""
        return self.annotations.get(ENABLES_SERVE) == "true"

    @property
    def has_pods(self) -> bool:
        """Not if it is suspended, or if the operator fails at a Service that comes before them."""
        return not self.is_suspended and not (self.is_asked_to_serve and not self.serve_ports)

    @property
    def is_suspended(self) -> bool:
        """Whether the cluster is there without its pods."""
        return data(self.cluster.node).get("suspend") is True

    @property
    def is_reached(self) -> bool:
        """Whether the operator comes to speak to the dashboard, and to make what follows then."""
        waits = self.mode == INTERACTIVE and not self.spec.get("jobId")
        return DASHBOARD in self.ports and self.has_pods and not waits

    @property
    def ray_version(self) -> Version | None:
        """The version that the cluster states, which is all that the operator asks."""
        return version_of(str(data(self.cluster.node).get("rayVersion") or ""))

    @property
    def is_incremental(self) -> bool:
        """Whether a service moves to a new cluster step by step, through a gateway."""
        is_wanted = mapping(self.spec, "upgradeStrategy").get("type") == _INCREMENTAL
        return is_wanted and self.settings.has("RayServiceIncrementalUpgrade")

    @property
    def auth(self) -> Data:
        """How nodes and callers prove who they are; empty if they need not."""
        options = mapping(data(self.cluster.node), "authOptions")
        return options if options.get("mode") == "token" else {}


def plan_of(applied: Applied) -> RayPlan:
    """From the object as it is applied."""
    workload = Workload.of(applied.spec, applied.environment)
    content = data(applied.tree)
    about = mapping(content, "metadata")
    plan = sketch(workload, applied.tree.get("spec"))
    return plan._replace(
        name=str(about.get("name") or plan.name),
        namespace=str(about.get("namespace") or plan.namespace),
        labels=texts(about, "labels"),
        annotations=texts(about, "annotations"),
    )


def sketch(workload: Workload, stored: Node | None = None) -> RayPlan:
    """From a spec alone, or from what is stored of it: what would be applied, but for its name."""
    fields = stored or workload.fields
    spec, kind = data(fields), workload.spec.kind.name
    own = fields.get(*CLUSTER_FIELD[kind])
    used = str(mapping(spec, "clusterSelector").get(CLUSTER_LABEL) or "")
    is_hashed = kind == JOB and names_by_content(workload.spec, workload.environment)
    return RayPlan(
        kind,
        f"{workload.name}-{HASH}" if is_hashed else workload.name,
        workload.namespace or "<namespace>",
        {},
        texts(data(workload.spec.tree), "annotations"),
        spec,
        Cluster((), own) if own and not used else _known(used, workload.environment),
        own is not None and not used,
        workload.settings,
    )


def _known(name: str, environment: Environment) -> Cluster:
    """A cluster of the same environment by its name."""
    spec = environment.spec_named(CLUSTER, name)
    found = Workload.of(spec, environment).cluster if spec else None
    return found or Cluster((), constant({}, "of another repository"))


def data(node: Node) -> Data:
    found = node.plain()
    return found if isinstance(found, dict) else {}


def ray_container(group: Group) -> Data:
    """The container that runs Ray, as it is written."""
    return data(group.container.node) if group.container else {}


def pod_count(group: Group) -> int:
    """How many pods there are to begin with: as many as are wanted, within the bounds."""
    if group.is_head:
        return 1
    suspended = group.node.get("suspend")
    if suspended and suspended.value is True:
        return 0
    least, most = group.number("minReplicas") or 0, group.number("maxReplicas")
    wanted = max(least, group.number("replicas") or 0)
    hosts = group.number("numOfHosts")
    return min(wanted, wanted if most is None else most) * (1 if hosts is None else hosts)


def clipped(name: str) -> str:
    """A name of at most 50 characters, the last ones, with a letter first."""
    kept = name[-_LONGEST:]
    return kept if kept[:1].isalpha() else f"r{kept[1:]}"


def pod_name(prefix: str, node_type: str) -> str:
    """What names of pods begin with: the first 50 characters, and what they are."""
    return f"{prefix[:_LONGEST]}-{node_type}-".lower()
