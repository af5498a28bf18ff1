"""What rules about a serve config are given besides it: versions, ports, and the size of nodes."""

from collections.abc import Mapping
from math import inf
from typing import NamedTuple

from renderer.backends.kuberay.serve_config.applications import (
    CPU,
    GPU,
    MEMORY,
    Amounts,
    Application,
    Deployment,
    applications_of,
)
from renderer.backends.kuberay.serve_config.document import ServeConfig
from renderer.backends.kuberay.serve_config.shape import Version
from renderer.values.diagnostics import Finding, Path


class NodeSize(NamedTuple):
    """What a Ray node of a group offers, and how many of them there are at `most`.

    A group that nothing scales has a `fixed` number of them. `places` are the files and lines that
    give CPU, GPU and memory. Nothing is known of an amount that is none. `memory` is in bytes,
    `resources` are by the names that Ray has for them.
    """

    group: str
    most: int
    cpus: float | None = None
    gpus: float | None = None
    memory: float | None = None
    resources: Mapping[str, float] = {}
    fixed: int | None = None
    places: Mapping[str, str] = {}

    @property
    def number(self) -> int:
        """How many there can be."""
        return self.most if self.fixed is None else self.fixed

    @property
    def offers(self) -> Amounts:
        """What is known of it, by Ray's names."""
        own = {CPU: self.cpus, GPU: self.gpus, MEMORY: self.memory}
        return {**{name: n for name, n in own.items() if n is not None}, **self.resources}

    def lacks(self, amounts: Amounts) -> list[str]:
        """What a node has less of than is asked for; only other resources must be named."""
        offers = {CPU: inf, GPU: inf, MEMORY: inf, **self.offers}
        return [name for name, amount in amounts.items() if amount > offers.get(name, 0)]


class ServeView(NamedTuple):
    """The config of a service, and where it will run.

    Without a version, it is not known. `serve_port` is the head's, if there is one. `nodes` are
    the head and the groups of workers. Workers that `probe_proxies` are ready when their proxy is.
    A head that is excluded gets no requests.
    """

    config: ServeConfig | None
    ray_version: Version | None = None
    kuberay_version: Version | None = None
    serve_port: int | None = None
    nodes: tuple[NodeSize, ...] = ()
    probe_proxies: bool = True
    is_head_excluded: bool = False

    @property
    def applications(self) -> tuple[Application, ...]:
        return applications_of(self.config) if self.config else ()

    @property
    def deployments(self) -> tuple[Deployment, ...]:
        return tuple(item for owner in self.applications for item in owner.deployments)

    def at(self, path: Path, message: str, fix: str = "", *, at_key: bool = False) -> Finding:
        """A finding about a path in the config."""
        if self.config is None:
            return Finding((), message, fix)
        return self.config.at(path, message, fix, at_key=at_key)
