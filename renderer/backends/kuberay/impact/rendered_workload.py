"""A rendered cluster, job or service in its state, and the groups of pods that it makes run."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kuberay.dialect import Dialect
from renderer.backends.kuberay.settings import KubeRaySettings
from renderer.backends.kuberay.vocabulary import CLUSTER_FIELD, JOB, SERVICE
from renderer.backends.kuberay.workloads import Cluster, Group
from renderer.values.changes import State
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.objects import Manifest
from renderer.values.tree import Node

SUBMITTER = "submitter"
_UNBOUNDED = 2**31 - 1
_BY_POD = "K8sJobMode"


class RenderedWorkload(NamedTuple):
    """An object of KubeRay; where nothing is known of its environment, the newest one runs it."""

    manifest: Manifest
    settings: KubeRaySettings

    @classmethod
    @cached_by_identity
    def of(cls, manifest: Manifest, state: State, other: State) -> "RenderedWorkload":
        name = manifest.environment
        environment = state.environments.get(name) or other.environments.get(name)
        return cls(manifest, KubeRaySettings.of(environment) if environment else KubeRaySettings())

    @property
    def dialect(self) -> Dialect:
        return self.settings.dialect

    @property
    def kind(self) -> str:
        return self.manifest.spec.kind.name

    @property
    def name(self) -> str:
        return text(self.manifest.tree, "metadata", "name")

    @property
    def namespace(self) -> str:
        return text(self.manifest.tree, "metadata", "namespace")

    @property
    def spec(self) -> Node:
        return self.manifest.tree.get("spec") or Node({}, self.manifest.tree.origin)

    @property
    def cluster_path(self) -> Path:
        """Where in the object its cluster is."""
        return ("spec", *CLUSTER_FIELD[self.kind])

    @property
    def cluster(self) -> Cluster | None:
        """Its cluster; a job may use another one."""
        path = CLUSTER_FIELD[self.kind]
        node = self.spec.get(*path)
        return Cluster(path, node) if node and not self.selects else None

    @property
    def selects(self) -> str:
        """The cluster that a job runs on, if it has none of its own."""
        return text(self.spec, "clusterSelector", "ray.io/cluster")

    @property
    def groups(self) -> Mapping[str, Group]:
        """The groups of pods by their units."""
        return {item.name: item for item in self.cluster.groups} if self.cluster else {}

    @property
    def units(self) -> tuple[str, ...]:
        return tuple(self._units())

    def _units(self) -> Iterator[str]:
        yield from self.groups
        if self.kind == JOB and (self.has_submitter or not self.groups):
            yield SUBMITTER

    @property
    def has_submitter(self) -> bool:
        """Whether a pod of its own submits the job."""
        return self.kind == JOB and text(self.spec, "submissionMode") in ("", _BY_POD)

    @property
    def is_suspended(self) -> bool:
        """Whether nothing of it runs for now."""
        if self.kind == SERVICE and self.dialect.knows((1, 7, 0)) and is_on(self.spec, "suspend"):
            return True
        path = () if self.kind != SERVICE else CLUSTER_FIELD[SERVICE]
        return is_on(self.spec, *path, "suspend")

    @property
    def deletion_delay(self) -> int:
        given = self.spec.get("rayClusterDeletionDelaySeconds")
        return given.value if given and isinstance(given.value, int) else 60


def is_on(node: Node, *path: str) -> bool:
    found = node.get(*path)
    return found is not None and found.value is True


def pod_bounds(group: Group, *, is_scaled: bool) -> tuple[int, int]:
    """How many pods a group has at least and at most; what has no bound counts as the least."""
    if group.is_head:
        return 1, 1
    if is_on(group.node, "suspend"):
        return 0, 0
    least, most = group.number("minReplicas") or 0, group.number("maxReplicas")
    most = _UNBOUNDED if most is None else most
    wanted = min(max(group.number("replicas") or 0, least), most)
    hosts = max(group.number("numOfHosts") or 1, 1)
    return wanted * hosts, (most if is_scaled and most < _UNBOUNDED else wanted) * hosts
