"""A server with the kinds of all platforms, and what it stores of what Argo CD applies to it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from conformance.argocd.differences import Pair
from conformance.argocd.program import SOURCE
from conformance.kserve import installation as kserve
from conformance.kuberay import installation as kuberay
from conformance.kubernetes import server
from conformance.kubernetes.client import Client, Object, Reply
from conformance.operators.installation import add_namespace, install_kinds, module, read
from conformance.operators.quiet import versions_in, wait_until_quiet

_NAME = "github.com/argoproj/argo-cd/v3"
_RAY = "github.com/ray-project/kuberay/ray-operator"
_AS_ARGO_CD = urlencode(
    {"fieldManager": "argocd-controller", "force": "true", "fieldValidation": "Strict"}
)
_AS_AUTOSCALER = urlencode({"fieldManager": "ray-autoscaler"})
_KUSCIA = "kuscia.*.yaml"
_QUIET = 4.0


@contextmanager
def running(go: str, logs: Path, crds: Path | None) -> Iterator[Client]:
    """The webhooks and the controller of KServe are at work; of the others there are the kinds."""
    with (
        server.running(server.build(go), logs / "server") as client,
        kserve.installed(client, go, logs / "controller"),
    ):
        places = [
            *(module(go, kuberay.SOURCE, _RAY) / "config/crd/bases").glob("*.yaml"),
            *(shipped(go) / "manifests/crds").glob("*-crd.yaml"),
            *(crds.rglob(_KUSCIA) if crds else ()),
        ]
        install_kinds(client, [item for path in sorted(places) for item in read(path)])
        yield client


def shipped(go: str) -> Path:
    """Where the manifests of Argo CD are."""
    return module(go, SOURCE, _NAME)


def kubeconfig_of(client: Client) -> Object:
    where = {"server": client.where["server"], "certificate-authority": client.where["ca"]}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "own", "cluster": where}],
        "users": [{"name": "own", "user": {"token": client.where["token"]}}],
        "contexts": [{"name": "own", "context": {"cluster": "own", "user": "own"}}],
        "current-context": "own",
    }


def apply(client: Client, thing: Object) -> Reply:
    """Server-side, as Argo CD's controller."""
    return client.request(
        "PATCH", f"{client.path_of(thing)}?{_AS_ARGO_CD}", thing, "apply-patch+yaml"
    )


class Stored(NamedTuple):
    """What a server has of what was applied, and what it did not take."""

    pairs: list[Pair]
    refused: dict[str, str]


@contextmanager
def stored(client: Client, pairs: Iterable[Pair]) -> Iterator[Stored]:
    """Rendered objects on the server, each as it is there, for as long as they are compared."""
    done = Stored([], {})
    try:
        for one in pairs:
            if space := one.rendered["metadata"].get("namespace"):
                add_namespace(client, space)
            reply = apply(client, one.rendered)
            if reply.is_refusal:
                done.refused[one.name] = reply.body["message"]
            else:
                done.pairs.append(one._replace(live=reply.body))
        yield done._replace(pairs=_settled(client, done.pairs))
    finally:
        for one in done.pairs:
            client.delete(one.rendered)


def _settled(client: Client, pairs: list[Pair]) -> list[Pair]:
    """The same once KServe, whose controller is at work, has nothing more to add."""
    found = [one for one in pairs if one.rendered["kind"] == "InferenceService"]
    paths = {client.path_of(one.rendered, named=False) for one in found}
    if paths:
        wait_until_quiet(_QUIET, lambda: versions_in(client, paths), lambda: ())
    return [one._replace(live=_live(client, one)) for one in pairs]


def _live(client: Client, one: Pair) -> Object:
    found: Object = client.request("GET", client.path_of(one.rendered)).body
    return found


def patched(client: Client, one: Pair, patch: list[Object]) -> Pair:
    """The same with a patch of somebody else."""
    place = f"{client.path_of(one.rendered)}?{_AS_AUTOSCALER}"
    reply = client.request("PATCH", place, patch, "json-patch+json")
    assert not reply.is_refusal, reply
    return one._replace(live=reply.body)


def batches(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """Lists in which no object is there twice; recorded cases share names."""
    rest = list(pairs)
    while rest:
        taken: dict[tuple[str, ...], Pair] = {}
        later = []
        for one in rest:
            about = one.rendered["metadata"]
            key = (one.rendered["kind"], about.get("namespace", ""), about["name"])
            if key in taken:
                later.append(one)
            else:
                taken[key] = one
        yield list(taken.values())
        rest = later
