"""KServe's controllers of graphs, trained models and caches, and two nodes that keep models."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from conformance.kserve.copied import RELEASE
from conformance.kserve.copied import build as build_copied
from conformance.kserve.installation import HOOKED, Program, installed_as
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import (
    add_namespace,
    apply,
    install_kinds,
    of_kind,
    read,
)
from conformance.operators.quiet import wait_for

#: Where the settings that KServe ships have what fetches models of caches.
JOBS = "kserve-localmodel-jobs"
#: Nodes by their names, each with its pool; the agent of the first one runs.
NODES = {"node-a": "gpu", "node-b": "web"}
OWN_KINDS = (
    "ClusterStorageContainer",
    "InferenceGraph",
    "LocalModelCache",
    "LocalModelNodeGroup",
    "TrainedModel",
)
#: Those that only the controllers of caches need.
NODE_KINDS = ("LocalModelNamespaceCache", "LocalModelNode")
_MORE_HOOKED = ("inferencegraph", "trainedmodel", "localmodelcache")
#: As shipped, caches are off.
SETTINGS: Mapping[str, Any] = {"localModel": {"enabled": True}}
_TIME = "2000-01-01T00:00:00Z"


def build(go: str) -> Path:
    """The program, of a copy of KServe."""
    return build_copied(go, "plain")


@contextmanager
def installed(client: Client, go: str, log: Path, models: Path) -> Iterator[None]:
    """All of it, for as long as somebody asks; `models` is what the node keeps."""
    variables = {"NODE_NAME": next(iter(NODES)), "MODELS_FOLDER": str(models)}
    program = Program(build(go), (*HOOKED, *_MORE_HOOKED), RELEASE, variables)
    shipped = read(RELEASE.manifests(go) / "kserve.yaml")
    every = of_kind([*RELEASE.crds(go), *shipped], "CustomResourceDefinition")
    kinds = [kind for kind in every if _is_asked(kind)]
    install_kinds(client, kinds)
    with installed_as(client, go, log, program):
        add_namespace(client, JOBS)
        for name, pool in NODES.items():
            _add_node(client, name, pool)
        for kind in kinds:
            wait_for(partial(_is_served, client, kind["spec"]))
        yield


def _is_asked(kind: Object) -> bool:
    return bool(kind["spec"]["names"]["kind"] in (*OWN_KINDS, *NODE_KINDS))


def _is_served(client: Client, spec: Object) -> bool:
    """Whether objects of a kind can be listed: a kind that is applied again is away a while."""
    version = next(item["name"] for item in spec["versions"] if item["served"])
    path = f"/apis/{spec['group']}/{version}/{spec['names']['plural']}"
    return not client.request("GET", path).is_refusal


def _add_node(client: Client, name: str, pool: str) -> None:
    labels = {"kubernetes.io/hostname": name, "pool": pool}
    about = {"name": name, "labels": labels}
    apply(client, {"apiVersion": "v1", "kind": "Node", "metadata": about})
    ready = {"type": "Ready", "status": "True", "lastTransitionTime": _TIME, "reason": "Ready"}
    status = {"status": {"conditions": [ready]}}
    path = f"/api/v1/nodes/{name}/status"
    reply = client.request("PATCH", path, status, "strategic-merge-patch+json")
    assert not reply.is_refusal, reply
