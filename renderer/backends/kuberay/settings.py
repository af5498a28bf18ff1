"""The settings of environments that are KubeRay's, each read in one place."""

from collections.abc import Mapping
from typing import NamedTuple

from renderer.backends.fields import members, text
from renderer.backends.kuberay.dialect import Dialect, Version, version_of
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment

PLATFORM = "kubernetes"
#: Features that are switched on unless somebody switches them off, and since when.
_ON: Mapping[str, Version] = {
    "RayJobDeletionPolicy": (1, 6, 0),
    "RayMultiHostIndexing": (1, 6, 0),
    "RayServiceIncrementalUpgrade": (1, 7, 0),
}


class KubeRaySettings(NamedTuple):
    """What an environment says of KubeRay, with the defaults for what it does not say.

    `ray_version` is the one to assume where a spec does not tell; `gates` are the features that the
    operator's command line switches on or off.
    """

    dialect: Dialect = Dialect()
    ray_version: Version | None = None
    gates: Mapping[str, bool] = {}

    @classmethod
    @cached_by_identity
    def of(cls, environment: Environment) -> "KubeRaySettings":
        given = environment.tree.get("kuberay")
        if given is None:
            return cls()
        switched = members(given, "feature_gates").items()
        return cls(
            Dialect.of(text(given, "version")),
            version_of(text(given, "ray_version")),
            {name: node.value is True for name, node in switched},
        )

    def has(self, gate: str) -> bool:
        """Whether a feature is switched on, by the environment or by default."""
        since = _ON.get(gate)
        return self.gates.get(gate, since is not None and self.dialect.knows(since))
