"""Compute templates: of the API server's ConfigMaps, and the references of pods to them."""

from collections.abc import Iterator
from functools import cache

from renderer.backends.brief_specs import Attempt, add_specs, brief, spec_of, written_anyway
from renderer.backends.fields import elements, members, text
from renderer.backends.kuberay.compute_templates import (
    ANNOTATION,
    DEFAULT_UNIT,
    ComputeTemplate,
    has_memory_units,
)
from renderer.backends.kuberay.settings import PLATFORM, KubeRaySettings
from renderer.backends.kuberay.vocabulary import CLUSTER_FIELD, TEMPLATE, message_shape
from renderer.backends.object_places import place_of
from renderer.kubernetes.stored_pods import each, replace_at
from renderer.text import json_reader
from renderer.text.wording import snake_case
from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.imports import CHANGED, DROPPED, ImportedSpec, Note, Source, Surroundings
from renderer.values.model import Environment
from renderer.values.objects import Scene
from renderer.values.tree import Node, constant, drop_paths

CONFIG_TYPE = "ray.io/config-type"
_IS_TEMPLATE = "compute-template"
_NUMBERS = ("cpu", "memory", "gpu")
JSON = ("extended_resources", "tolerations")
_OWN_NAMES = ("name", "namespace")
_UNITS = (("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10))
_EMITTED = constant(True, "the API server has it")
_WRITTEN: dict[str, tuple[object, ...]] = {
    "memoryUnit": (DEFAULT_UNIT,),
    "gpu": (0,),
    "gpuAccelerator": ("",),
    CONFIG_TYPE: (_IS_TEMPLATE,),
    ANNOTATION: (),
}


@cache
def field_by_key() -> dict[str, str]:
    """The keys of a ConfigMap, and the fields of a template that they are, as specs order them."""
    shape = message_shape(TEMPLATE)
    named = (key for key in shape.part["properties"] if key in shape.fields)
    return {snake_case(key): key for key in named if key not in _OWN_NAMES}


def is_template(source: Source) -> bool:
    """Whether the API server would list a ConfigMap among its templates."""
    label = text(source.tree, "metadata", "labels", CONFIG_TYPE)
    return source.kind == "ConfigMap" and not source.group and label == _IS_TEMPLATE


def template_of(source: Source, environment: Environment) -> ImportedSpec:
    """The spec of a ConfigMap, which is rendered again as one."""
    place = place_of(source, environment, PLATFORM)
    notes = list(_notes(source, environment))
    fields = template_fields(source, environment)
    attempt = Attempt(TEMPLATE, source.name, Scene(environment, place.destination, {}, {}))
    needless = list(written_anyway(fields, _WRITTEN))
    tree = brief(fields, needless, attempt, source)
    namespace = source.namespace if "namespace" in fields.items else ""
    return ImportedSpec(TEMPLATE, source.name, tree, namespace, tuple(notes))


def template_fields(source: Source, environment: Environment) -> Node:
    """The fields of a template; its namespace only if no destination has that."""
    tree, data = source.tree, members(source.tree, "data")
    fields: dict[str, Node] = {}
    place = place_of(source, environment, PLATFORM).fields
    if "namespace" in place:
        fields["namespace"] = place["namespace"]
    found = {
        field: _field_value(key, data[key]) for key, field in field_by_key().items() if key in data
    }
    if "memory_unit" not in data and "memory" in found:
        found["memory"], found["memoryUnit"] = _choose_unit(found["memory"], environment)
    fields |= {key: node for key, node in found.items() if node.value is not None}
    fields["emit"] = _EMITTED
    metadata = members(tree, "metadata")
    fields |= {key: metadata[key] for key in ("labels", "annotations") if key in metadata}
    return tree.with_members(fields)


def _field_value(key: str, given: Node) -> Node:
    """A text of a ConfigMap as the value that it stands for; as it is if it does not."""
    if key in _NUMBERS and str(given.value).isdecimal():
        return given.with_value(int(str(given.value)))
    if key in JSON:
        reading = json_reader.read(str(given.value).encode(), given.origin.file)
        if reading.document.tree and not reading.problems:
            return Node(reading.document.tree.value, given.origin, given.key)
    return given


def _choose_unit(memory: Node, environment: Environment) -> tuple[Node, Node]:
    """An amount that has no unit, in the largest unit that it is a multiple of."""
    amount = memory.value
    if isinstance(amount, int) and amount and reads_bytes(environment):
        for unit, size in _UNITS:
            if amount % size == 0:
                return memory.with_value(amount // size), memory.with_value(unit)
    return memory, memory.with_value(DEFAULT_UNIT)


def reads_bytes(environment: Environment) -> bool:
    """Whether the environment's API server takes a memory without a unit for bytes."""
    return has_memory_units(KubeRaySettings.of(environment).dialect)


def _notes(source: Source, environment: Environment) -> Iterator[Note]:
    data = members(source.tree, "data")
    for key in data:
        if key not in field_by_key() and key not in _OWN_NAMES:
            yield Note(f"data.{key}", DROPPED, "the API server does not read it")
    if "memory_unit" not in data and "memory" in data:
        meant = "bytes" if reads_bytes(environment) else DEFAULT_UNIT
        why = f"KubeRay {KubeRaySettings.of(environment).dialect} takes it for {meant}"
        yield Note("data.memory_unit", CHANGED, f"there is none, and {why}")


@cached_by_identity
def add_templates(around: Surroundings) -> Environment:
    """The environment with the templates of the import, which pods may refer to."""
    found = (
        spec_of(TEMPLATE, item.name, template_fields(item, around.environment), around.environment)
        for item in around.sources
        if is_template(item)
    )
    return add_specs(found, around.environment)


def refer_to_templates(fields: Node, kind: str, environment: Environment, attempt: Attempt) -> Node:
    """The fields of a custom resource whose groups refer to templates instead of repeating them."""
    path = CLUSTER_FIELD[kind]
    workers = (*path, "workerGroupSpecs")
    places: list[Path] = [(*path, "headGroupSpec")]
    places += ((*workers, number) for number, _ in enumerate(elements(fields, *workers)))
    for place in places:
        groups = list(_shorter_groups(fields.get(*place), environment))
        if groups and not attempt.faults(fields):
            shorter = [_replace_group(fields, place, group) for group in groups]
            fields = _first_equal(fields, shorter, attempt)
    return fields


def _first_equal(fields: Node, others: list[Node], attempt: Attempt) -> Node:
    """The first of others that is rendered to the same, better if in the same order; or itself."""
    for shown in (attempt.shown, attempt.meaning):
        wanted = shown(fields)
        for other in others:
            if shown(other) == wanted:
                return other
    return fields


def _replace_group(fields: Node, place: Path, group: Node) -> Node:
    *above, last = place
    if isinstance(last, str):
        return replace_at(fields, tuple(map(str, place)), lambda _: group)
    before = fields.get(*place)
    return each(fields, tuple(map(str, above)), lambda one: group if one is before else one)


def _shorter_groups(group: Node | None, environment: Environment) -> Iterator[Node]:
    """A group that names its template: without resources of its own, then with them."""
    name = group.get("template", "metadata", "annotations", ANNOTATION) if group else None
    if group is None or name is None:
        return
    named = group.with_members({"computeTemplate": name, **group.items})
    template = ComputeTemplate.of(named, environment)
    if template is None:
        return
    paths: set[Path] = {("template", "metadata", "annotations", ANNOTATION)}
    if len(members(group, "template", "metadata", "annotations")) == 1:
        one = len(members(group, "template", "metadata")) == 1
        paths = {("template", "metadata") if one else ("template", "metadata", "annotations")}
    paths |= _tolerations(group, len(template.tolerations()))
    yield drop_paths(named, {*paths, ("template", "spec", "containers", 0, "resources")})
    yield drop_paths(named, paths)


def _tolerations(group: Node, count: int) -> set[Path]:
    """The last ones, which a template has added."""
    path = ("template", "spec", "tolerations")
    given = elements(group, *path)
    if len(given) <= count:
        return {path} if given and count else set()
    return {(*path, number) for number in range(len(given) - count, len(given))}
