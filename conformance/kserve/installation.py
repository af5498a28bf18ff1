"""KServe as its module has it: its manifests on an API server, its parts in a process of ours."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from conformance.kserve.places import HERE
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import (
    Announced,
    add_namespace,
    apply,
    build,
    install_kinds,
    module,
    of_kind,
    reached,
    read,
    running,
)

SOURCE = HERE / "controller"
_NAME = "github.com/kserve/kserve"
_CONFIG = "inferenceservice-config"
_FILES = ("kserve", "kserve-cluster-resources")
#: Kinds that KServe has webhooks of.
HOOKED = ("inferenceservice", "servingruntime", "clusterservingruntime")
_VERBS = {"MutatingWebhookConfiguration": "mutate", "ValidatingWebhookConfiguration": "validate"}
_KNATIVE = "serving.knative.dev"
_NAMESPACES = ("kserve", "knative-serving")


class Release(NamedTuple):
    """A version of KServe, and the list of modules that it is built from."""

    version: str
    modules: str

    def build(self, go: str) -> Path:
        program = HERE / f"build/controller-{self.version}"
        return build(go, SOURCE, program, self.modules)

    def module(self, go: str, name: str) -> Path:
        return module(go, SOURCE, name, self.modules)

    def manifests(self, go: str) -> Path:
        """The folder of what is installed of it."""
        return self.module(go, _NAME) / f"install/v{self.version}"

    def crds(self, go: str) -> list[Object]:
        """The kinds of the release."""
        return read(self.manifests(go) / "kserve-crds.yaml")


class Program(NamedTuple):
    """A program, of which kinds it has the webhooks, and what its environment has."""

    path: Path
    hooked: Collection[str]
    release: Release
    variables: Mapping[str, str] = {}


#: The one that all is asked of, and an older one, of which generated manifests and edits are asked.
RELEASES = (Release("0.20.0", "go.mod"), Release("0.19.0", "older.mod"))


@contextmanager
def installed(client: Client, go: str, log: Path, release: Release = RELEASES[0]) -> Iterator[None]:
    """KServe on a server, for as long as somebody asks."""
    with installed_as(client, go, log, Program(release.build(go), HOOKED, release)):
        yield


@contextmanager
def installed_as(client: Client, go: str, log: Path, program: Program) -> Iterator[None]:
    """A program with parts of KServe, and what these parts need."""
    release = program.release
    manager, resources = (read(release.manifests(go) / f"{name}.yaml") for name in _FILES)
    shipped = [*manager, *resources]
    install_kinds(client, [*release.crds(go), *_foreign(go, release)])
    for name in _NAMESPACES:
        add_namespace(client, name)
    for thing in (*of_kind(shipped, "ConfigMap"), _autoscaler()):
        apply(client, thing)
    with running(client, program.path, log, variables=program.variables) as announced:
        for hooks in _hooks(shipped, announced, program.hooked):
            apply(client, hooks)
        for thing in of_kind(shipped, "ClusterStorageContainer", "ClusterServingRuntime"):
            apply(client, thing)
        yield


def configure(client: Client, mode: str, *, gateway_api: bool) -> None:
    """As whoever installs KServe decides it; the rest of the ConfigMap is as shipped."""
    place = f"/api/v1/namespaces/kserve/configmaps/{_CONFIG}"
    ingress = json.loads(client.request("GET", place).body["data"]["ingress"])
    ingress["enableGatewayApi"] = gateway_api
    deploy = {"defaultDeploymentMode": mode}
    patch = {"data": {"deploy": json.dumps(deploy), "ingress": json.dumps(ingress)}}
    reply = client.request("PATCH", place, patch, "merge-patch+json")
    assert not reply.is_refusal, reply


def _foreign(go: str, release: Release) -> list[Object]:
    """Kinds of others that KServe writes: Knative's, Istio's, KEDA's, those of the Gateway API."""
    tried = release.module(go, _NAME) / "test/crds"
    knative = release.module(go, "knative.dev/serving") / "config/core/300-resources/service.yaml"
    names = ("istio_virtualservice", "keda", "gatewayapi_httproute")
    paths = (knative, *(tried / f"{name}.yaml" for name in names))
    return [item for path in paths for item in read(path)]


def _autoscaler() -> Object:
    """Knative's settings, of which KServe looks at one; empty, they are Knative's defaults."""
    place = {"name": "config-autoscaler", "namespace": "knative-serving"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": place}


def _hooks(
    shipped: Iterable[Object], announced: Announced, hooked: Collection[str]
) -> Iterator[Object]:
    """The configurations of webhooks as shipped, pointed at this process; and Knative's."""
    for kind in _VERBS:
        for thing in of_kind(shipped, kind):
            if thing["metadata"]["name"].split(".")[0] in hooked:
                for hook in thing["webhooks"]:
                    path = hook["clientConfig"]["service"]["path"]
                    hook["clientConfig"] = reached(announced, path)
                yield thing
        yield _knative_hook(kind, announced)


def _knative_hook(kind: str, announced: Announced) -> Object:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": _KNATIVE},
        "webhooks": [
            {
                "name": f"service.{_KNATIVE}",
                "clientConfig": reached(
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
