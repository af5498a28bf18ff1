"""KubeRay as its module has it: its manifests on an API server, its parts in processes of ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from conformance.kuberay.places import GATED, GATES, HERE, HOOKED, PLAIN
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import (
    Announced,
    add_namespace,
    apply,
    build,
    install_kinds,
    module,
    reached,
    read,
    running,
)

SOURCE = HERE / "operator"
_NAME = "github.com/ray-project/kuberay/ray-operator"
_GATEWAYS = ("gateways", "httproutes")


class Release(NamedTuple):
    """A version of KubeRay, and the list of modules that it is built from."""

    version: str
    modules: str

    def build(self, go: str) -> Path:
        program = HERE / f"build/operator-{self.version}"
        return build(go, SOURCE, program, self.modules)

    def module(self, go: str, name: str) -> Path:
        return module(go, SOURCE, name, self.modules)

    def crds(self, go: str) -> list[Object]:
        """The kinds of the release."""
        paths = sorted((self.module(go, _NAME) / "config/crd/bases").glob("*.yaml"))
        return [item for path in paths for item in read(path)]


#: The one that all is asked of, and a newer one, of which generated manifests and edits are asked.
RELEASES = (Release("1.6.1", "go.mod"), Release("1.6.2", "newer.mod"))


class KubeRay(NamedTuple):
    """A server where KubeRay is at work, and where its dashboards tell what was written."""

    release: Release
    client: Client
    crds: list[Object]
    dashboards: tuple[str, ...]


@contextmanager
def installed(client: Client, go: str, release: Release, logs: Path) -> Iterator[KubeRay]:
    """KubeRay on a server, for as long as somebody asks; twice, as gates are of a process."""
    program = release.build(go)
    kinds = release.crds(go)
    install_kinds(client, [*kinds, *_gateways(go, release)])
    for name in (PLAIN, HOOKED, GATED):
        add_namespace(client, name)
    gated = (f"--feature-gates={GATES}", GATED)
    with (
        running(client, program, logs / "plain", (PLAIN, HOOKED)) as first,
        running(client, program, logs / "gated", gated) as second,
    ):
        for thing in read(release.module(go, _NAME) / "config/webhook/manifests.yaml"):
            apply(client, _pointed(thing, first))
        yield KubeRay(release, client, kinds, (first["dashboards"], second["dashboards"]))


def _gateways(go: str, release: Release) -> list[Object]:
    """Kinds of the Gateway API, which gradual upgrades write; nobody acts on them."""
    folder = release.module(go, "sigs.k8s.io/gateway-api") / "config/crd/standard"
    names = [f"gateway.networking.k8s.io_{name}.yaml" for name in _GATEWAYS]
    return [item for name in names for item in read(folder / name)]


def _pointed(hooks: Object, announced: Announced) -> Object:
    """The configuration as shipped, pointed at this process, and for one namespace only."""
    place = {"matchLabels": {"kubernetes.io/metadata.name": HOOKED}}
    for hook in hooks["webhooks"]:
        hook["clientConfig"] = reached(announced, hook["clientConfig"]["service"]["path"])
        hook["namespaceSelector"] = place
    return hooks
