"""A spec as requests to the KubeRay API server."""

from collections.abc import Iterable

from renderer.backends.fields import made, text
from renderer.backends.kuberay import plans
from renderer.backends.kuberay.api.differences import notes, obstacles
from renderer.backends.kuberay.api.messages import body_of
from renderer.backends.kuberay.messages.clusters import ray_version
from renderer.backends.kuberay.settings import KubeRaySettings
from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, MESSAGE, SERVICE, TEMPLATE
from renderer.backends.namespaces import namespace
from renderer.backends.registries import registries_of, relocated
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.requests import ApiRequest, ApiServer, ExportRequest, Remark, SentSpec
from renderer.values.tree import Node, Plain

_SERVER = ApiServer("http://<host>:8888")
_RESOURCES = {
    TEMPLATE: "compute_templates",
    CLUSTER: "clusters",
    JOB: "jobs",
    SERVICE: "services",
}
_METHODS = {"create": "POST", "update": "PUT", "get": "GET", "list": "GET", "delete": "DELETE"}
_PLANS = {CLUSTER: plans.cluster_plan, JOB: plans.job_plan, SERVICE: plans.service_plan}
#: What a message has as text, by the name of the custom resource's field.
_TEXTS = {
    JOB: {"runtimeEnv": "runtimeEnvYAML", "entrypointResources": "entrypointResources"},
    SERVICE: {"serveConfigV2": "serveConfigV2"},
}
_OF_ALL = frozenset(("create", "list"))
_WITH_BODY = frozenset(("create", "update"))


def export(wanted: ExportRequest) -> ApiRequest:
    """The request that a verb stands for; only what makes or replaces something has a body."""
    (sent,) = wanted.sent
    path, name = _path(sent), _name(sent)
    if wanted.verb not in _OF_ALL:
        path = f"{path}/{name}"
    method = _METHODS[wanted.verb]
    if wanted.verb not in _WITH_BODY:
        return ApiRequest(_SERVER, method, path, obstacles=tuple(_nowhere(sent)))
    refused = (*_nowhere(sent), *obstacles(sent))
    return ApiRequest(_SERVER, method, path, _body(sent), tuple(notes(sent)), refused)


def _path(sent: SentSpec) -> str:
    dialect = KubeRaySettings.of(sent.scene.environment).dialect
    version = "v1" if dialect.knows((1, 0, 0)) else "v1alpha2"
    place = _namespace(sent)
    return f"/apis/{version}/namespaces/{place}/{_RESOURCES[sent.spec.kind.name]}"


def _namespace(sent: SentSpec) -> str:
    return text(namespace(sent.spec, sent.scene))


def _nowhere(sent: SentSpec) -> Iterable[Remark]:
    if not _namespace(sent):
        said = "neither the spec nor its destination says one, and every request needs it"
        yield Remark(("namespace",), sent.spec.tree.origin, said)


def _name(sent: SentSpec) -> str:
    """The name that is rendered: that of a job may change with its content."""
    return sent.scene.name_of(sent.spec.kind.name, sent.spec.name)


def _body(sent: SentSpec) -> dict[str, Plain]:
    spec = sent.spec
    texts = _TEXTS.get(spec.kind.name, {})
    given = {
        **{key: node for key, node in spec.tree.items.items() if key not in texts},
        "name": spec.name_node.with_value(_name(sent)),
        "namespace": namespace(spec, sent.scene),
        **_texts(sent),
    }
    if (version := ray_version(spec.tree)) is not None:
        given["version"] = version
    return body_of(_reachable(made(spec.tree, given), sent, version), spec.kind.name)


def _texts(sent: SentSpec) -> dict[str, Node]:
    """What a spec may write as a mapping, as the text that is rendered of it."""
    kind = sent.spec.kind.name
    if kind not in _TEXTS:
        return {}
    (render,) = _PLANS[kind](sent.spec, sent.scene)
    found = {key: render.values["spec"].get(of) for key, of in _TEXTS[kind].items()}
    return {key: node for key, node in found.items() if node is not None}


def _reachable(tree: Node, sent: SentSpec, version: Node | None) -> Node:
    """The same with images from the registry of the destination, also those by default."""
    registries = registries_of(sent.scene.destination)
    if not registries:
        return tree

    def moved(holder: Node) -> Node:
        return replace_at(holder, ("image",), lambda image: relocated(image, registries))

    def group(given: Node) -> Node:
        usual = version.with_value(f"rayproject/ray:{version.value}") if version else None
        if text(given, "image") or usual is None or relocated(usual, registries) is usual:
            return moved(given)
        return moved(given.with_members({**given.items, "image": usual}))

    tree = replace_at(tree, (MESSAGE, "headGroupSpec"), group)
    tree = each(tree, (MESSAGE, "workerGroupSpec"), group)
    tree = replace_at(tree, (MESSAGE, "autoscalerOptions"), moved)
    return replace_at(tree, ("jobSubmitter",), moved)
