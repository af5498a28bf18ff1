"""KServe's program for language models: its kinds, presets and webhooks on an API server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conformance.kserve.copied import NAME, RELEASE
from conformance.kserve.copied import build as build_copied
from conformance.kubernetes.client import Client, Object
from conformance.operators.installation import (
    Announced,
    add_namespace,
    apply,
    install_kinds,
    of_kind,
    reached,
    read,
    running,
)

_KINDS = ("llminferenceservice", "llminferenceserviceconfig")
#: Kinds of others that KServe writes for a language model, as its own tests have them.
_FOREIGN = (
    "gatewayapi_gateway",
    "gatewayapi_gatewayclasses",
    "gatewayapi_httproute",
    "gateway-inference-extension",
    "leaderworkerset.x-k8s.io_leaderworkersets",
    "keda",
    "wva_variantautoscalings",
)
_GATEWAY = "kserve-ingress-gateway"
_HOOKS = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
#: What decides nothing, but makes these definitions too large to be stored with their owners.
_PROSE = "description"


def build(go: str) -> Path:
    """The program, of a copy of KServe."""
    return build_copied(go, "llm")


@contextmanager
def installed(client: Client, go: str, log: Path) -> Iterator[None]:
    """All that language models need on a server, for as long as somebody asks."""
    program, folder = build(go), RELEASE.manifests(go)
    shipped = [*read(folder / "kserve.yaml"), *read(folder / "kserve-cluster-resources.yaml")]
    kinds = of_kind(shipped, "CustomResourceDefinition")
    own = [item for item in kinds if item["spec"]["names"]["singular"] in _KINDS]
    for kind in own:
        del kind["spec"]["conversion"]
    install_kinds(client, map(_short, [*own, *_foreign(go)]))
    add_namespace(client, "kserve")
    for thing in (*of_kind(shipped, "ConfigMap"), *_gateway()):
        apply(client, thing)
    with running(client, program, log) as announced:
        for kind in own:
            apply(client, _converted(_short(kind), announced))
        for thing in of_kind(shipped, *_HOOKS):
            if thing["metadata"]["name"].split(".")[0] in _KINDS:
                apply(client, _pointed(thing, announced))
        for preset in of_kind(shipped, "LLMInferenceServiceConfig"):
            apply(client, preset)
        yield


def _foreign(go: str) -> list[Object]:
    folder = RELEASE.module(go, NAME) / "test/crds"
    found = [item for name in _FOREIGN for item in read(folder / f"{name}.yaml")]
    return of_kind(found, "CustomResourceDefinition")


def _short(tree: Any) -> Any:
    """Without the prose of schemas."""
    if isinstance(tree, list):
        return [_short(item) for item in tree]
    if not isinstance(tree, dict):
        return tree
    return {
        key: _short(value)
        for key, value in tree.items()
        if key != _PROSE or not isinstance(value, str)
    }


def _converted(kind: Object, announced: Announced) -> Object:
    how = {"clientConfig": reached(announced, "/convert"), "conversionReviewVersions": ["v1"]}
    conversion = {"strategy": "Webhook", "webhook": how}
    return {**kind, "spec": {**kind["spec"], "conversion": conversion}}


def _pointed(thing: Object, announced: Announced) -> Object:
    for hook in thing["webhooks"]:
        path = hook["clientConfig"]["service"]["path"]
        hook["clientConfig"] = reached(announced, path)
    return thing


def _gateway() -> Iterator[Object]:
    """The one that the shipped settings name."""
    version, name = "gateway.networking.k8s.io/v1", "example"
    spec = {"controllerName": "example.com/gateway"}
    yield {
        "apiVersion": version,
        "kind": "GatewayClass",
        "metadata": {"name": name},
        "spec": spec,
    }
    listener = {
        "name": "http",
        "port": 80,
        "protocol": "HTTP",
        "allowedRoutes": {"namespaces": {"from": "All"}},
    }
    yield {
        "apiVersion": version,
        "kind": "Gateway",
        "metadata": {"name": _GATEWAY, "namespace": "kserve"},
        "spec": {"gatewayClassName": name, "listeners": [listener]},
    }
