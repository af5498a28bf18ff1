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
PROGRAM = HERE / "build/operator"
_NAME = "github.com/ray-project/kuberay/ray-operator"
_GATEWAYS = ("gateways", "httproutes")


class KubeRay(NamedTuple):
    """A server where KubeRay is at work, and where its dashboards tell what was written."""

    client: Client
    dashboards: tuple[str, ...]


@contextmanager
def installed(client: Client, go: str, logs: Path) -> Iterator[KubeRay]:
    """KubeRay on a server, for as long as somebody asks; twice, as gates are of a process."""
    program = build(go, SOURCE, PROGRAM)
    shipped = _shipped(go)
    install_kinds(client, [*crds(go), *_gateways(go)])
    for name in (PLAIN, HOOKED, GATED):
        add_namespace(client, name)
    gated = (f"--feature-gates={GATES}", GATED)
    with (
        running(client, program, logs / "plain", (PLAIN, HOOKED)) as first,
        running(client, program, logs / "gated", gated) as second,
    ):
        for thing in read(shipped / "webhook/manifests.yaml"):
            apply(client, _pointed(thing, first))
        yield KubeRay(client, (first["dashboards"], second["dashboards"]))


def crds(go: str) -> list[Object]:
    """Those of the release."""
    paths = sorted((_shipped(go) / "crd/bases").glob("*.yaml"))
    return [item for path in paths for item in read(path)]


def _shipped(go: str) -> Path:
    return module(go, SOURCE, _NAME) / "config"


def _gateways(go: str) -> list[Object]:
    """Kinds of the Gateway API, which gradual upgrades write; nobody acts on them."""
    folder = module(go, SOURCE, "sigs.k8s.io/gateway-api") / "config/crd/standard"
    names = [f"gateway.networking.k8s.io_{name}.yaml" for name in _GATEWAYS]
    return [item for name in names for item in read(folder / name)]


def _pointed(hooks: Object, announced: Announced) -> Object:
    """The configuration as shipped, pointed at this process, and for one namespace only."""
    place = {"matchLabels": {"kubernetes.io/metadata.name": HOOKED}}
    for hook in hooks["webhooks"]:
        hook["clientConfig"] = reached(announced, hook["clientConfig"]["service"]["path"])
        hook["namespaceSelector"] = place
    return hooks
