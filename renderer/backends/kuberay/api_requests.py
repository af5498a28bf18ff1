"""A spec as requests to the KubeRay API server, and where it would make something else."""

from collections.abc import Iterable, Iterator

from renderer.backends.api_messages import message
from renderer.backends.fields import elements, made, plain, text
from renderer.backends.kuberay import plans
from renderer.backends.kuberay.compute_templates import DEFAULT_UNIT, has_memory_units
from renderer.backends.kuberay.messages.values import (
    name_of,
    parse_number,
    written_head,
    written_workers,
)
from renderer.backends.kuberay.messages.workloads import ray_version
from renderer.backends.kuberay.settings import KubeRaySettings
from renderer.backends.kuberay.vocabulary import (
    CLUSTER,
    JOB,
    MESSAGE,
    SERVICE,
    TEMPLATE,
    is_written_as_message,
    message_shape,
    resource_only_fields,
)
from renderer.backends.object_places import namespace
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
_COLLECTION_VERBS = frozenset(("create", "list"))
_BODY_VERBS = frozenset(("create", "update"))


def export(wanted: ExportRequest) -> ApiRequest:
    """The request that a verb stands for; only what makes or replaces something has a body."""
    (sent,) = wanted.sent
    path, name = _path(sent), _name(sent)
    if wanted.verb not in _COLLECTION_VERBS:
        path = f"{path}/{name}"
    method = _METHODS[wanted.verb]
    if wanted.verb not in _BODY_VERBS:
        return ApiRequest(_SERVER, method, path, obstacles=tuple(_missing_namespace(sent)))
    refused = (*_missing_namespace(sent), *_obstacles(sent))
    return ApiRequest(_SERVER, method, path, _body(sent), tuple(_notes(sent)), refused)


def _path(sent: SentSpec) -> str:
    dialect = KubeRaySettings.of(sent.scene.environment).dialect
    version = "v1" if dialect.knows((1, 0, 0)) else "v1alpha2"
    place = _namespace(sent)
    return f"/apis/{version}/namespaces/{place}/{_RESOURCES[sent.spec.kind.name]}"


def _namespace(sent: SentSpec) -> str:
    return text(namespace(sent.spec, sent.scene))


def _missing_namespace(sent: SentSpec) -> Iterable[Remark]:
    if not _namespace(sent):
        reason = "neither the spec nor its destination says one, and every request needs it"
        yield Remark(("namespace",), sent.spec.tree.origin, reason)


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
    return _message_body(_relocate_images(made(spec.tree, given), sent, version), spec.kind.name)


def _texts(sent: SentSpec) -> dict[str, Node]:
    """What a spec may write as a mapping, as the text that is rendered of it."""
    kind = sent.spec.kind.name
    if kind not in _TEXTS:
        return {}
    (render,) = _PLANS[kind](sent.spec, sent.scene)
    found = {key: render.values["spec"].get(of) for key, of in _TEXTS[kind].items()}
    return {key: node for key, node in found.items() if node is not None}


def _relocate_images(tree: Node, sent: SentSpec, version: Node | None) -> Node:
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


def _message_body(tree: Node, kind: str) -> dict[str, Plain]:
    """What is sent of a spec; an empty text is one that was not given."""
    return message(_move_field_paths(tree), message_shape(kind), has_empty_texts=False)


def _move_field_paths(tree: Node) -> Node:
    """With the paths of fields of pods in `key`, where alone the server reads them."""

    def group(given: Node) -> Node:
        return replace_at(given, ("environment",), _move_paths)

    tree = replace_at(tree, ("envs",), _move_paths)
    tree = replace_at(tree, (MESSAGE, "headGroupSpec"), group)
    tree = each(tree, (MESSAGE, "workerGroupSpec"), group)
    return replace_at(tree, (MESSAGE, "autoscalerOptions", "envs"), _move_paths)


def _move_paths(variables: Node) -> Node:
    return replace_at(
        variables,
        ("valuesFrom",),
        lambda given: given.with_members(
            {name: _move_path(one) for name, one in given.items.items()}
        ),
    )


def _move_path(given: Node) -> Node:
    source, name = given.get("source"), given.get("name")
    if source is None or name is None or text(given, "key") or name_of(source, "source") != "FIELD":
        return given
    return given.with_members({"source": source, "key": name})


def _obstacles(sent: SentSpec) -> Iterator[Remark]:
    """What no message can say, and what the API server refuses."""
    spec = sent.spec
    if spec.kind.name == TEMPLATE:
        yield from _unknown_unit(sent)
        return
    if not is_written_as_message(spec.tree, spec.kind.name) and resource_only_fields(
        spec.tree, spec.kind.name
    ):
        yield from _resource_only_remarks(sent)
        return
    if not text(spec.tree, "user"):
        reason = "the API server refuses what nobody owns; add user, which becomes a label"
        yield Remark(("user",), spec.tree.locate(("user",)), reason)
    head = written_head(spec.tree)
    if head and not plain(head.node, "rayStartParams"):
        reason = "the API server refuses a head without any; write one, such as num-cpus"
        yield Remark((*head.path, "rayStartParams"), head.node.locate(("rayStartParams",)), reason)


def _notes(sent: SentSpec) -> Iterator[Remark]:
    """What the API server takes, and makes something else of."""
    tree, kind = sent.spec.tree, sent.spec.kind.name
    lost = ("labels",) if kind == CLUSTER else ("labels", "annotations")
    for key in lost:
        if plain(tree, key):
            reason = f"messages have no {key}: the object is made without them"
            yield Remark((key,), tree.locate((key,), at_key=True), reason)
    if plain(tree, "entrypointNumGpus"):
        path = ("entrypointNumGpus",)
        yield Remark(path, tree.locate(path), "the API server takes it, and loses it")
    yield from _zero_bounds(tree)
    yield from _empty_effects(tree) if kind == TEMPLATE else ()


def _unknown_unit(sent: SentSpec) -> Iterator[Remark]:
    dialect = KubeRaySettings.of(sent.scene.environment).dialect
    unit, path = text(sent.spec.tree, "memoryUnit"), ("memoryUnit",)
    if unit not in ("", DEFAULT_UNIT) and not has_memory_units(dialect):
        reason = f"the API server of KubeRay {dialect} does not know it, and takes {DEFAULT_UNIT}"
        yield Remark(path, sent.spec.tree.locate(path), reason)


def _resource_only_remarks(sent: SentSpec) -> Iterator[Remark]:
    """The fields of a spec that is said in the words of the custom resource."""
    tree, kind = sent.spec.tree, sent.spec.kind.name
    for word in resource_only_fields(tree, kind):
        reason = "no message has it, only the custom resource; write the spec in messages, or send"
        other = f"the rendered {kind} to API server V2, which takes it as it is"
        yield Remark((word,), tree.locate((word,), at_key=True), f"{reason} {other}")


def _zero_bounds(tree: Node) -> Iterator[Remark]:
    for group in written_workers(tree):
        least, count = (plain(parse_number(group.node.get(k))) for k in ("minReplicas", "replicas"))
        if least == 0 and count:
            where = group.node.locate(("minReplicas",))
            reason = f"the API server takes 0 for the replicas, {count}; 0 is what is rendered"
            yield Remark((*group.path, "minReplicas"), where, reason)


def _empty_effects(tree: Node) -> Iterator[Remark]:
    for number, item in enumerate(elements(tree, "tolerations")):
        if not text(item, "effect"):
            reason = "the API server takes PreferNoSchedule where none is given; rendered are all"
            yield Remark(("tolerations", number, "effect"), item.locate(("effect",)), reason)
