"""KServe's program for language models: its kinds, presets and webhooks on an API server."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conformance.kserve.installation import RELEASES, SOURCE
from conformance.kserve.places import HERE
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
from conformance.operators.installation import build as build_program

_RELEASE = RELEASES[0]
_NAME = "github.com/kserve/kserve"
_BUILD = HERE / "build"
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
_CONFIG = "inferenceservice-config"
_GATEWAY = "kserve-ingress-gateway"
_HOOKS = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
#: KServe draws two keys for each service; of 4096 bits that takes longer than all the rest, and
#: nobody looks at them.
_KEYS = Path("pkg/controller/v1alpha2/llmisvc/workload_tls_self_signed.go")
_LONG, _SHORT = "rsa.GenerateKey(rand.Reader, 4096)", "rsa.GenerateKey(rand.Reader, 1024)"
_REQUIRED = re.compile(r"^\t([^\s=]+) (v\S+)", re.MULTILINE)
#: What decides nothing, but makes these definitions too large to be stored with their owners.
_PROSE = "description"


def build(go: str) -> Path:
    """The program, of a copy of KServe that differs in the length of keys alone."""
    source, copied = _RELEASE.module(go, _NAME), _BUILD / "kserve"
    if not copied.exists():
        for name in ("pkg", "go.mod"):
            _copy(source / name, copied / name)
        text = (copied / _KEYS).read_text("utf-8")
        assert _LONG in text
        (copied / _KEYS).write_text(text.replace(_LONG, _SHORT), "utf-8")
    modules = _BUILD / "llm.mod"
    modules.write_text(_modules(source, copied), "utf-8")
    sums = {line for folder in (SOURCE, source) for line in _lines(folder / "go.sum")}
    modules.with_suffix(".sum").write_text("".join(sorted(sums)), "utf-8")
    program = _BUILD / f"llm-{_RELEASE.version}"
    return build_program(go, SOURCE, program, "../build/llm.mod", "./llm")


def _modules(source: Path, copied: Path) -> str:
    """Our list of modules, what else KServe requires, and the copy in place of KServe."""
    own = (SOURCE / "go.mod").read_text("utf-8")
    known = set(_REQUIRED.findall(own))
    theirs = _REQUIRED.findall((source / "go.mod").read_text("utf-8"))
    more = "".join(f"\t{name} {version}\n" for name, version in theirs if name not in dict(known))
    return f"{own}\nrequire (\n{more})\n\nreplace {_NAME} => {copied}\n"


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines(keepends=True)


def _copy(source: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, place, copy_function=shutil.copyfile)
        return
    shutil.copyfile(source, place)


@contextmanager
def installed(client: Client, go: str, log: Path) -> Iterator[None]:
    """All that language models need on a server, for as long as somebody asks."""
    program, folder = build(go), _RELEASE.manifests(go)
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


def configure(client: Client, changes: dict[str, Object]) -> None:
    """The settings of the cluster as shipped, with some keys of some of their texts changed."""
    folder = _RELEASE.manifests(shutil.which("go") or "go")
    (shipped,) = of_kind(read(folder / "kserve.yaml"), "ConfigMap")
    data = {
        key: json.dumps({**json.loads(shipped["data"].get(key, "{}")), **change})
        for key, change in changes.items()
    }
    apply(client, {**shipped, "data": {**shipped["data"], **data}})


def _foreign(go: str) -> list[Object]:
    folder = _RELEASE.module(go, _NAME) / "test/crds"
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
