"""KServe as its module has it: its manifests on an API server, its parts in a process of ours."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from conformance.kserve.places import HERE
from conformance.kubernetes.client import Client, Object
from conformance.kubernetes.server import stop

SOURCE = HERE / "controller"
PROGRAM = HERE / "build/controller"
VERSION = "v0.20.0"
_PATIENCE = 60
_CONFIG = "inferenceservice-config"
_FILES = ("kserve", "kserve-cluster-resources")
_HOOKED = ("inferenceservice", "servingruntime", "clusterservingruntime")
_VERBS = {"MutatingWebhookConfiguration": "mutate", "ValidatingWebhookConfiguration": "validate"}
_KNATIVE = "serving.knative.dev"
_NAMESPACES = ("kserve", "knative-serving")


def build(go: str) -> Path:
    """The program; minutes the first time, and a moment when nothing has changed."""
    subprocess.run([go, "build", "-o", str(PROGRAM), "."], cwd=SOURCE, check=True)
    return PROGRAM


def module(go: str, name: str) -> Path:
    """Where Go keeps a module that ours is made of; manifests are read there, and not copied."""
    command = [go, "list", "-m", "-f", "{{.Dir}}", name]
    text = subprocess.run(command, cwd=SOURCE, check=True, capture_output=True, text=True).stdout
    return Path(text.strip())


@contextmanager
def installed(client: Client, go: str, log: Path) -> Iterator[None]:
    """KServe on a server, for as long as somebody asks."""
    program = build(go)
    release = module(go, "github.com/kserve/kserve") / "install" / VERSION
    manager, resources = (_read(release / f"{name}.yaml") for name in _FILES)
    shipped = [*manager, *resources]
    _install_kinds(client, [*_read(release / "kserve-crds.yaml"), *_foreign(go)])
    for name in _NAMESPACES:
        add_namespace(client, name)
    for thing in (*_of_kind(shipped, "ConfigMap"), _autoscaler()):
        _apply(client, thing)
    with _running(client, program, log) as announced:
        for hooks in _hooks(shipped, announced):
            _apply(client, hooks)
        for thing in _of_kind(shipped, "ClusterStorageContainer", "ClusterServingRuntime"):
            _apply(client, thing)
        yield


def add_namespace(client: Client, name: str) -> None:
    _apply(client, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def configure(client: Client, mode: str, *, gateway_api: bool) -> None:
    """As whoever installs KServe decides it; the rest of the ConfigMap is as shipped."""
    place = f"/api/v1/namespaces/kserve/configmaps/{_CONFIG}"
    ingress = json.loads(client.request("GET", place).body["data"]["ingress"])
    ingress["enableGatewayApi"] = gateway_api
    deploy = {"defaultDeploymentMode": mode}
    patch = {"data": {"deploy": json.dumps(deploy), "ingress": json.dumps(ingress)}}
    reply = client.request("PATCH", place, patch, "merge-patch+json")
    assert not reply.is_refusal, reply


def _read(path: Path) -> list[Object]:
    text = path.read_text("utf-8")
    return [item for item in yaml.load_all(text, Loader=yaml.CSafeLoader) if item]


def _foreign(go: str) -> list[Object]:
    """Kinds of others that KServe writes: Knative's, Istio's, KEDA's, those of the Gateway API."""
    tried = module(go, "github.com/kserve/kserve") / "test/crds"
    knative = module(go, "knative.dev/serving") / "config/core/300-resources/service.yaml"
    names = ("istio_virtualservice", "keda", "gatewayapi_httproute")
    paths = (knative, *(tried / f"{name}.yaml" for name in names))
    return [item for path in paths for item in _read(path)]


def _of_kind(things: Iterable[Object], *kinds: str) -> list[Object]:
    return [thing for thing in things if thing["kind"] in kinds]


def _install_kinds(client: Client, things: Iterable[Object]) -> None:
    kinds = _of_kind(things, "CustomResourceDefinition")
    for kind in kinds:
        _apply(client, kind)
    for kind in kinds:
        _wait_for(partial(_is_known, client, kind["spec"]))


def _is_known(client: Client, spec: Object) -> bool:
    """Whether programs that ask for all kinds of a group are told of it."""
    version = next(item["name"] for item in spec["versions"] if item["served"])
    reply = client.request("GET", f"/apis/{spec['group']}/{version}")
    known = () if reply.is_refusal else reply.body["resources"]
    return spec["names"]["plural"] in {item["name"] for item in known}


def _autoscaler() -> Object:
    """Knative's settings, of which KServe looks at one; empty, they are Knative's defaults."""
    place = {"name": "config-autoscaler", "namespace": "knative-serving"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": place}


def _apply(client: Client, thing: Object) -> None:
    thing.get("metadata", {}).pop("creationTimestamp", None)
    reply = client.apply(thing)
    assert not reply.is_refusal, reply


@contextmanager
def _running(client: Client, program: Path, log: Path) -> Iterator[Any]:
    with (
        log.open("wb") as errors,
        subprocess.Popen(
            [program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "KUBECONFIG": str(_kubeconfig(client, log))},
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        try:
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"KServe did not start; see {log}")
            announced = json.loads(line)
            _wait_for(partial(_listens, announced["hooks"]))
            yield announced
        finally:
            stop(process)


def _kubeconfig(client: Client, log: Path) -> Path:
    """KServe's webhooks look for this file themselves."""
    cluster = {"server": client.where["server"], "certificate-authority": client.where["ca"]}
    content = {
        "clusters": [{"name": "own", "cluster": cluster}],
        "users": [{"name": "own", "user": {"token": client.where["token"]}}],
        "contexts": [{"name": "own", "context": {"cluster": "own", "user": "own"}}],
        "current-context": "own",
    }
    path = log.with_name("kubeconfig")
    path.write_text(json.dumps(content), "utf-8")
    return path


def _listens(address: str) -> bool:
    where = urlsplit(address)
    try:
        socket.create_connection((where.hostname, where.port or 0), 1).close()
    except OSError:
        return False
    return True


def _wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(f"not so after {_PATIENCE} s")
        time.sleep(0.1)


def _hooks(shipped: Iterable[Object], announced: Any) -> Iterator[Object]:
    """The configurations of webhooks as shipped, pointed at this process; and Knative's."""
    for kind in _VERBS:
        for thing in _of_kind(shipped, kind):
            if thing["metadata"]["name"].split(".")[0] in _HOOKED:
                for hook in thing["webhooks"]:
                    path = hook["clientConfig"]["service"]["path"]
                    hook["clientConfig"] = _reached(announced, path)
                yield thing
        yield _knative_hook(kind, announced)


def _reached(announced: Any, path: str) -> Object:
    return {"url": announced["hooks"] + path, "caBundle": announced["certificate"]}


def _knative_hook(kind: str, announced: Any) -> Object:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": _KNATIVE},
        "webhooks": [
            {
                "name": f"service.{_KNATIVE}",
                "clientConfig": _reached(
                    announced, f"/{_VERBS[kind]}-serving-knative-dev-v1-service"
                ),
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "rules": [
                    {
                        "apiGroups": [_KNATIVE],
                        "apiVersions": ["v1"],
                        "operations": ["CREATE", "UPDATE"],
                        "resources": ["services"],
                    }
                ],
            }
        ],
    }
