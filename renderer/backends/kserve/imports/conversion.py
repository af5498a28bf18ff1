"""Which spec an object of KServe becomes, without what KServe's webhook and rendering write."""

from collections.abc import Iterator, Sequence

from renderer.backends.brief_specs import Attempt, brief, less, written_anyway
from renderer.backends.fields import members, text
from renderer.backends.kserve.imports.objects import (
    GROUP,
    SERVICE,
    VERSIONS,
    is_told_apart,
    runtime_fields,
    service_fields,
    with_runtimes,
)
from renderer.backends.kserve.inference_service import MODE
from renderer.backends.kserve.inference_service_plan import FORMAT
from renderer.backends.kserve.runtimes import SERVING_CONTAINER
from renderer.backends.kserve.settings import PLATFORM
from renderer.backends.object_places import place_of, proposed
from renderer.backends.registries import registries_of, with_original_images
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.values.imports import (
    CHANGED,
    DROPPED,
    ImportedSpec,
    Note,
    SkippedSource,
    Source,
    Surroundings,
)
from renderer.values.model import Destination
from renderer.values.objects import Scene
from renderer.values.tree import Node, Plain, drop_paths

LOCAL_MODEL = "internal.serving.kserve.io/"
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
}


def destinations(specs: Sequence[ImportedSpec]) -> list[Plain]:
    """The clusters that specs need."""
    return proposed(specs, PLATFORM)


def convert(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    """The spec that an object of KServe becomes."""
    if source.group != GROUP or source.kind not in VERSIONS:
        return
    notes = list(_notes_of_version(source))
    if source.kind == SERVICE:
        yield _service(source, around, notes)
    else:
        yield _runtime(source, around, notes)


def _notes_of_version(source: Source) -> Iterator[Note]:
    given = source.tree.get("apiVersion")
    version = f"{GROUP}/{VERSIONS[source.kind]}"
    if given and given.value != version:
        yield Note("apiVersion", CHANGED, f"servingctl renders {version}")


def _service(source: Source, around: Surroundings, notes: list[Note]) -> ImportedSpec:
    where = place_of(source, around.environment, PLATFORM).destination
    own = _without_empty_formats(_with_own_images(source, where))
    fields = _without_local_model(service_fields(own, around.environment), notes)
    tree = _brief(source, fields, Scene(with_runtimes(around), where, {}, {}))
    return ImportedSpec(SERVICE, source.name, tree, source.namespace, tuple(notes))


def _runtime(source: Source, around: Surroundings, notes: list[Note]) -> ImportedSpec:
    is_placed = is_told_apart(source, around)
    where = place_of(source, around.environment, PLATFORM).destination
    fields = runtime_fields(_with_own_images(source, where), is_placed=is_placed)
    tree = _brief(source, fields, Scene(with_runtimes(around), where, {}, {}))
    namespace = source.namespace if is_placed else ""
    return ImportedSpec(source.kind, source.name, tree, namespace, tuple(notes))


def _with_own_images(source: Source, where: Destination | None) -> Source:
    registries = registries_of(where)
    tree = replace_at(source.tree, ("spec",), lambda spec: with_original_images(spec, registries))
    return source._replace(tree=tree)


def _without_empty_formats(source: Source) -> Source:
    """Without the format that the webhook writes into canaries that say none; specs have none."""
    path = ("predictor", "model", "modelFormat")

    def without_it(canary: Node) -> Node:
        given = canary.get(*path)
        is_empty = given is not None and given.plain() == {"name": ""}
        return drop_paths(canary, {path}) if is_empty else canary

    return source._replace(tree=each(source.tree, ("spec", "canary"), without_it))


def _brief(source: Source, fields: Node, scene: Scene) -> Node:
    attempt = Attempt(source.kind, source.name, scene)
    needless = list(written_anyway(fields, _WRITTEN))
    if text(fields, *_EXPLAINER) == SERVING_CONTAINER:
        needless.append(_EXPLAINER)
    return brief(fields, needless, attempt, source.tree)


def _without_local_model(fields: Node, notes: list[Note]) -> Node:
    """Without what the webhook notes of models that are kept on nodes."""
    paths = [
        (place, key)
        for place in ("labels", "annotations")
        for key in members(fields, place)
        if key.startswith(LOCAL_MODEL)
    ]
    why = "KServe's webhook writes it where models are kept on nodes"
    notes += (Note(f'metadata.{place}["{key}"]', DROPPED, why) for place, key in paths)
    return less(fields, paths)
