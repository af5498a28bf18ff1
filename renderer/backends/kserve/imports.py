"""Objects of KServe as specs, without what KServe's webhook and rendering write."""

from collections.abc import Iterator, Sequence

from renderer.backends.brief_specs import (
    Attempt,
    add_specs,
    brief,
    drop_fields,
    spec_of,
    written_anyway,
)
from renderer.backends.fields import members, text
from renderer.backends.kserve.components import FORMAT, MODE
from renderer.backends.kserve.llm.service import LLM_CONFIG, LLM_SERVICE
from renderer.backends.kserve.llm.webhook import LOCAL_MODEL, is_webhooks
from renderer.backends.kserve.plain_objects import DISABLED, NODE_GROUP, STORAGE_CONTAINER
from renderer.backends.kserve.plain_objects import KINDS as PLAIN_KINDS
from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME, SERVING_CONTAINER, SERVING_RUNTIME
from renderer.backends.kserve.settings import PLATFORM
from renderer.backends.object_places import drop_usual_namespace, place_of, proposed
from renderer.backends.registries import registries_of, restore_original_images
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.identity_cache import cached_by_identity
from renderer.values.imports import (
    CHANGED,
    DROPPED,
    ImportedSpec,
    Note,
    SkippedSource,
    Source,
    Surroundings,
)
from renderer.values.model import Destination, Environment
from renderer.values.objects import Scene
from renderer.values.tree import Node, Plain, drop_paths

_GROUP = "serving.kserve.io"
_SERVICE = "InferenceService"
#: The version of each kind that is rendered.
_VERSIONS = {
    _SERVICE: "v1beta1",
    SERVING_RUNTIME: "v1alpha1",
    CLUSTER_RUNTIME: "v1alpha1",
    LLM_SERVICE: "v1alpha2",
    LLM_CONFIG: "v1alpha2",
    **dict.fromkeys(PLAIN_KINDS, "v1alpha1"),
}
_LLM_KINDS = (LLM_SERVICE, LLM_CONFIG)
_METADATA = ("labels", "annotations")
_LOCAL_MODEL = "internal.serving.kserve.io/"
_EXPLAINER = ("explainer", "art", "name")
#: What rendering may write by itself, with these values or with any.
_WRITTEN: dict[str, tuple[object, ...]] = {
    MODE: (),
    FORMAT: (),
    "runtime": (),
    "protocolVersion": (),
    "name": ("",),
    "resources": ({},),
    "cpu": ("1",),
    "memory": ("2Gi",),
    "type": ("",),
    "runtimeVersion": ("latest",),
    "mountPath": ("/mnt/models",),
    "protocol": ("TCP",),
    "service": ("",),
    "containers": ([],),
    "minReplicas": (1,),
    "variantCost": ("10.0",),
    "evictionPolicy": ("lru",),
    "group": ("", "gateway.networking.k8s.io"),
    "kind": ("Service", "Gateway"),
    "weight": (1,),
    "path": ({"type": "PathPrefix", "value": "/"},),
    "matches": ([{"path": {"type": "PathPrefix", "value": "/"}}],),
    "appProtocol": ("http",),
    "failureMode": ("FailClose",),
    "workloadType": ("initContainer",),
    "supportsMultiModelDownload": (False,),
}
_COMPONENTS = ("predictor", "transformer", "explainer", "canary")


def destinations(specs: Sequence[ImportedSpec]) -> list[Plain]:
    """The clusters that specs need."""
    return proposed(specs, PLATFORM)


def convert(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    """The spec that an object of KServe becomes."""
    if source.group != _GROUP or source.kind not in _VERSIONS:
        return
    notes = list(_version_notes(source))
    if source.kind == _SERVICE:
        yield _convert_service(source, around, notes)
    elif source.kind in _LLM_KINDS:
        yield _convert_llm(source, around, notes)
    elif source.kind in PLAIN_KINDS:
        yield _convert_plain(source, around, notes)
    else:
        yield _convert_runtime(source, around, notes)


def _version_notes(source: Source) -> Iterator[Note]:
    given = source.tree.get("apiVersion")
    version = f"{_GROUP}/{_VERSIONS[source.kind]}"
    if given and given.value != version:
        yield Note("apiVersion", CHANGED, f"servingctl renders {version}")


def _convert_service(source: Source, around: Surroundings, notes: list[Note]) -> ImportedSpec:
    where = place_of(source, around.environment, PLATFORM).destination
    own = _drop_empty_formats(_restore_images(source, where))
    fields = _drop_local_model(_service_fields(own, around.environment), notes)
    tree = _brief_fields(source, fields, Scene(_import_environment(around), where, {}, {}))
    return ImportedSpec(_SERVICE, source.name, tree, source.namespace, tuple(notes))


def _convert_llm(source: Source, around: Surroundings, notes: list[Note]) -> ImportedSpec:
    from renderer.backends.kserve.llm.older_version import conversion_notes, convert_older

    notes += conversion_notes(source.tree)
    newer = source._replace(tree=convert_older(source.tree))
    if source.kind == LLM_CONFIG:
        return _convert_runtime(newer, around, notes)
    place = place_of(newer, around.environment, PLATFORM)
    fields = _runtime_fields(_restore_images(newer, place.destination), is_placed=False)
    fields = fields.with_members({**place.fields, **fields.items})
    own = _drop_webhooks(_drop_local_model(fields, notes, LOCAL_MODEL))
    scene = Scene(_import_environment(around), place.destination, {}, {})
    tree = _brief_fields(newer, own, scene)
    return ImportedSpec(source.kind, source.name, tree, source.namespace, tuple(notes))


def _drop_webhooks(tree: Node) -> Node:
    """Without labels and annotations that the webhook of LLM services decides about."""
    paths = [
        ("metadata", place, key)
        for place in _METADATA
        for key in members(tree, "metadata", place)
        if is_webhooks(key)
    ]
    return drop_fields(tree, paths)


def _convert_plain(source: Source, around: Surroundings, notes: list[Note]) -> ImportedSpec:
    place = place_of(source, around.environment, PLATFORM)
    own = _restore_images(source, place.destination)
    is_placed = source.kind != NODE_GROUP
    fields = _plain_fields(own).with_members(
        {**(place.fields if is_placed else {}), **_plain_fields(own).items}
    )
    scene = Scene(_import_environment(around), place.destination, {}, {})
    tree = _brief_fields(source, fields, scene)
    return ImportedSpec(source.kind, source.name, tree, source.namespace, tuple(notes))


def _plain_fields(source: Source) -> Node:
    """An object whose spec is stored as it is written; one may be switched off beside its spec."""
    if source.kind != STORAGE_CONTAINER:
        return source.tree.with_members({**_metadata(source), **members(source.tree, "spec")})
    fields = _runtime_fields(source, is_placed=False)
    given = source.tree.get(DISABLED)
    return fields.with_members({**({DISABLED: given} if given else {}), **fields.items})


def _convert_runtime(source: Source, around: Surroundings, notes: list[Note]) -> ImportedSpec:
    is_placed = _needs_namespace(source, around)
    where = place_of(source, around.environment, PLATFORM).destination
    fields = _runtime_fields(_restore_images(source, where), is_placed=is_placed)
    tree = _brief_fields(source, fields, Scene(_import_environment(around), where, {}, {}))
    namespace = source.namespace if is_placed else ""
    return ImportedSpec(source.kind, source.name, tree, namespace, tuple(notes))


def _restore_images(source: Source, where: Destination | None) -> Source:
    registries = registries_of(where)
    tree = replace_at(
        source.tree, ("spec",), lambda spec: restore_original_images(spec, registries)
    )
    return source._replace(tree=tree)


def _drop_empty_formats(source: Source) -> Source:
    """The webhook writes an empty format into canaries without one; specs leave it out."""
    path = ("predictor", "model", "modelFormat")

    def drop_empty_format(canary: Node) -> Node:
        given = canary.get(*path)
        is_empty = given is not None and given.plain() == {"name": ""}
        return drop_paths(canary, {path}) if is_empty else canary

    return source._replace(tree=each(source.tree, ("spec", "canary"), drop_empty_format))


def _brief_fields(source: Source, fields: Node, scene: Scene) -> Node:
    attempt = Attempt(source.kind, source.name, scene)
    needless = list(written_anyway(fields, _WRITTEN))
    if text(fields, *_EXPLAINER) == SERVING_CONTAINER:
        needless.append(_EXPLAINER)
    return brief(fields, needless, attempt, source)


def _drop_local_model(fields: Node, notes: list[Note], prefix: str = _LOCAL_MODEL) -> Node:
    """Drops what the webhook writes for models that are cached on nodes."""
    paths = [
        (*place, key)
        for place in (*((name,) for name in _METADATA), *(("metadata", name) for name in _METADATA))
        for key in members(fields, *place)
        if key.startswith(prefix)
    ]
    why = "KServe's webhook writes it where models are kept on nodes"
    notes += (Note(f'metadata.{path[-2]}["{path[-1]}"]', DROPPED, why) for path in paths)
    return drop_fields(fields, paths)


def amounts_to(tree: Node, environment: Environment) -> Node:
    """An object of KServe in a canonical form: two objects that do the same are equal."""
    source = Source(tree)
    if source.kind in _LLM_KINDS:
        from renderer.backends.kserve.llm.older_version import convert_older

        tree = _drop_webhooks(convert_older(tree))
        source = Source(tree)
    attempt = Attempt(source.kind, source.name, Scene(environment, None, {}, {}))
    if source.kind == _SERVICE:
        done = _stored_service(source, attempt, environment)
    else:
        is_plain = source.kind in PLAIN_KINDS
        fields = _plain_fields(source) if is_plain else _runtime_fields(source, is_placed=True)
        (values,) = attempt.values(fields)
        done = tree.with_members({**tree.items, "spec": values["spec"]})
    version = tree.items["apiVersion"].with_value(f"{_GROUP}/{_VERSIONS[source.kind]}")
    done = done.with_members({**done.items, "apiVersion": version})
    return drop_usual_namespace(done, environment, PLATFORM)


def _stored_service(source: Source, attempt: Attempt, environment: Environment) -> Node:
    """A service with its components as they are rendered, and all other fields unchanged."""
    tree = source.tree
    (values,) = attempt.values(_service_fields(source, environment))
    made = {key: node for key in _COMPONENTS if (node := values[key]).value is not None}
    spec = tree.items["spec"].with_members({**members(tree, "spec"), **made})
    metadata = tree.items["metadata"]
    whole = metadata.with_members({**metadata.items, "annotations": values["annotations"]})
    done = tree.with_members({**tree.items, "metadata": whole, "spec": spec})
    return drop_paths(done, frozenset(_local_model_paths(done)))


def _local_model_paths(tree: Node) -> list[tuple[str, ...]]:
    return [
        ("metadata", place, key)
        for place in ("labels", "annotations")
        for key in members(tree, "metadata", place)
        if key.startswith(_LOCAL_MODEL)
    ]


def _service_fields(source: Source, environment: Environment) -> Node:
    """A service: the object's own labels and annotations beside the fields of its spec."""
    fields = place_of(source, environment, PLATFORM).fields
    spec = members(source.tree, "spec")
    return source.tree.with_members({**fields, **_metadata(source), **spec})


def _runtime_fields(source: Source, *, is_placed: bool) -> Node:
    """A runtime, whose spec has labels and annotations of its own; it goes where its users are."""
    tree = source.tree
    fields: dict[str, Node] = {}
    given = tree.get("metadata", "namespace")
    if given and is_placed and source.kind in (SERVING_RUNTIME, LLM_CONFIG):
        fields["namespace"] = given
    if metadata := _metadata(source):
        fields["metadata"] = tree.items["metadata"].with_members(metadata)
    return tree.with_members({**fields, **members(tree, "spec")})


def _metadata(source: Source) -> dict[str, Node]:
    given = members(source.tree, "metadata")
    return {key: given[key] for key in _METADATA if key in given}


def _needs_namespace(source: Source, around: Surroundings) -> bool:
    """Whether its spec needs a namespace: no destination has it, or runtimes of one name differ."""
    usual = {item.namespace for item in around.environment.platform_destinations(PLATFORM)}
    same = [item for item in around.sources if (item.kind, item.name) == (source.kind, source.name)]
    contents = [_runtime_fields(item, is_placed=False).plain() for item in same]
    differ = any(content != contents[0] for content in contents)
    return differ or any(item.namespace not in ("", *usual) for item in same)


@cached_by_identity
def _import_environment(around: Surroundings) -> Environment:
    """The environment with the imported runtimes, as KServe may choose one of them."""
    found = (
        spec_of(
            item.kind,
            item.name,
            _runtime_fields(item, is_placed=_needs_namespace(item, around)),
            around.environment,
        )
        for item in around.sources
        if item.group == _GROUP and item.kind in (SERVING_RUNTIME, CLUSTER_RUNTIME)
    )
    return add_specs(found, around.environment)
