"""The settings of environments that are KubeRay's, each read in one place."""

from collections.abc import Mapping

from renderer.backends.fields import members, text
from renderer.backends.kuberay.dialect import Dialect, Version, parse_version
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

PLATFORM = "kubernetes"


class Gate(NamedTuple):
    """A feature that can be switched: when it came, went, and since when it is on by default."""

    since: Version
    on: Version | None = None
    until: Version | None = None

    def is_known(self, dialect: Dialect) -> bool:
        gone = self.until is not None and dialect.knows(self.until)
        return dialect.knows(self.since) and not gone


GATES: Mapping[str, Gate] = {
    "RayClusterStatusConditions": Gate((1, 2, 0), on=(1, 3, 0)),
    "RayJobDeletionPolicy": Gate((1, 3, 0), on=(1, 6, 0)),
    "RayMultiHostIndexing": Gate((1, 5, 0), on=(1, 6, 0)),
    "RayServiceIncrementalUpgrade": Gate((1, 5, 0), on=(1, 7, 0)),
    "RayCronJob": Gate((1, 6, 0)),
    "AsyncJobInfoQuery": Gate((1, 6, 0), until=(1, 7, 0)),
    "SidecarSubmitterRestart": Gate((1, 7, 0)),
    "RayClusterNetworkPolicy": Gate((1, 7, 0)),
    "GCSFaultToleranceEmbeddedStorage": Gate((1, 7, 0)),
    "RayClusterMTLS": Gate((1, 7, 0)),
    "RayClusterHistoryServer": Gate((1, 7, 0)),
    "KubernetesWAS": Gate((1, 7, 0)),
}


class KubeRaySettings(NamedTuple):
    """The KubeRay of an environment, with defaults for what is not set.

    `ray_version` is the one to assume where a spec has none; `gates` are the features that the
    operator's command line switches on or off.
    """

    dialect: Dialect = Dialect()
    ray_version: Version | None = None
    gates: Mapping[str, bool] = {}

    @classmethod
    @cached_by_identity
    def of(cls, environment: Environment) -> "KubeRaySettings":
        given = environment.tree.get("kuberay")
        return cls._read(given) if given else cls._unset()

    @classmethod
    @cached_by_identity
    def _unset(cls) -> "KubeRaySettings":
        return cls()

    @classmethod
    @cached_by_identity
    def _read(cls, given: Node) -> "KubeRaySettings":
        """What environments say that inherit the same."""
        switched = members(given, "feature_gates").items()
        return cls(
            Dialect.of(text(given, "version")),
            parse_version(text(given, "ray_version")),
            {name: node.value is True for name, node in switched},
        )

    def has(self, gate: str) -> bool:
        """Whether a feature is switched on, by the environment or by default."""
        since = GATES[gate].on if gate in GATES else None
        return self.gates.get(gate, since is not None and self.dialect.knows(since))
