"""Which spec a source becomes: objects by their kind, messages by what they are for."""

from collections.abc import Iterator, Sequence

from renderer.backends.fields import text
from renderer.backends.kuberay.imports.compute_templates import (
    add_templates,
    is_template,
    template_of,
)
from renderer.backends.kuberay.imports.objects import GROUP, KINDS, workload
from renderer.backends.kuberay.settings import PLATFORM
from renderer.backends.kuberay.vocabulary import (
    CLUSTER,
    JOB,
    MESSAGE,
    SERVICE,
    TEMPLATE,
    answer_fields,
    message_shape,
    shared_fields,
)
from renderer.backends.object_places import place_of, proposed
from renderer.schema.bundle import Schema, resolve_references
from renderer.text.wording import camel_case, did_you_mean, nearest, path_text
from renderer.values.diagnostics import Path
from renderer.values.imports import DROPPED, ImportedSpec, Note, SkippedSource, Source, Surroundings
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, constant

_NO_NAME = "it has no name"
_RUNS_AT_ONCE = "it hands a job to a cluster that runs, and nothing of it is kept; write a RayJob"
_AS_NAMED = constant("none", "a job that is there keeps its name")
#: What only specs of templates have, beside the fields of the message.
_SPEC_ONLY = frozenset(("apiVersion", "kind", "emit", "disabled"))
#: The last part of an address, and the key of a list in an answer.
_AREAS = {
    "clusters": CLUSTER,
    "jobs": JOB,
    "services": SERVICE,
    "compute_templates": TEMPLATE,
    "computeTemplates": TEMPLATE,
}
_SERVICE_FIELDS = frozenset(("serveConfigV2", "serveDeploymentGraphSpec", "rayServiceStatus"))
_SUBMISSIONS = "jobsubmissions"
_OUTPUT = "the API server writes it into answers"
_UNKNOWN = "the API server discards fields that it does not know"


class Message(NamedTuple):
    """The body of a request or a part of an answer, and the kind of spec that it becomes."""

    kind: str
    body: Node
    namespace: str = ""


def destinations(specs: Sequence[ImportedSpec]) -> list[Plain]:
    """The clusters that specs need."""
    return proposed(specs, PLATFORM)


def convert(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    """The specs that a source of KubeRay becomes."""
    where = source.tree.origin
    if source.group == GROUP and source.kind in KINDS:
        yield workload(source, add_templates(around))
    elif is_template(source):
        yield template_of(source, around.environment)
    elif _SUBMISSIONS in source.address.split("/"):
        yield SkippedSource(where, f"the request to {source.address}", _RUNS_AT_ONCE)
    elif not source.kind:
        yield from (_message_spec(message, around) for message in _messages(source))


def _message_spec(message: Message, around: Surroundings) -> ImportedSpec | SkippedSource:
    notes: list[Note] = []
    fields = _message_fields(message, notes)
    name, namespace = fields.get("name"), _namespace(message, fields)
    if name is None or not isinstance(name.value, str) or not name.value:
        return SkippedSource(message.body.origin, f"a message about a {message.kind}", _NO_NAME)
    rest = {key: node for key, node in fields.items.items() if key not in ("name", "namespace")}
    placed = dict(_place_fields(message.body, namespace, around))
    if message.kind == TEMPLATE:
        placed.pop("destination", None)
    if message.kind == JOB:
        placed["name_suffix"] = _AS_NAMED
    apart = str(namespace.value) if namespace and "namespace" in placed else ""
    tree = message.body.with_members({**placed, **rest})
    return ImportedSpec(message.kind, name.value, tree, apart, tuple(notes))


def _namespace(message: Message, fields: Node) -> Node | None:
    given = fields.get("namespace")
    if given and given.value:
        return given
    return message.body.with_value(message.namespace) if message.namespace else None


def _place_fields(body: Node, namespace: Node | None, around: Surroundings) -> dict[str, Node]:
    """The fields by which a spec goes to the namespace that an object is in."""
    metadata = body.with_members({"namespace": namespace} if namespace else {})
    source = Source(body.with_members({"metadata": metadata}))
    return place_of(source, around.environment, PLATFORM).fields


def _messages(source: Source) -> Iterator[Message]:
    """The messages that a mapping is or lists, by the address it was sent to or by its fields."""
    body, parts = source.tree, [part for part in source.address.split("/") if part]
    if source.address and "apis" not in parts:
        return
    listed = [(kind, body.items[key]) for key, kind in _AREAS.items() if key in body.items]
    for kind, listing in listed:
        yield from (Message(kind, item) for item in listing.elements if _is_named(item))
    area = next((part for part in reversed(parts) if part in _AREAS), "")
    kind = _AREAS.get(area) or _kind_of(body)
    if kind and not listed:
        place = parts.index("namespaces") + 1 if "namespaces" in parts else len(parts)
        yield Message(kind, body, "".join(parts[place : place + 1]))


def _is_named(item: Node) -> bool:
    return isinstance(item.value, dict) and "name" in item.items


def _kind_of(body: Node) -> str:
    keys = {camel_case(key) for key in body.items}
    if not text(body, "name"):
        return ""
    if keys & _SERVICE_FIELDS and MESSAGE in keys:
        return SERVICE
    if "entrypoint" in keys and keys & {MESSAGE, "clusterSelector"}:
        return JOB
    if MESSAGE in keys:
        return CLUSTER
    return TEMPLATE if {"cpu", "memory"} <= keys and "image" not in keys else ""


def _message_fields(message: Message, notes: list[Note]) -> Node:
    """The fields of a message that a spec has, in camelCase."""
    if message.kind == TEMPLATE:
        shape = message_shape(TEMPLATE)
        known = {k: part for k, part in shape.part["properties"].items() if k not in _SPEC_ONLY}
    else:
        shape = message_shape(message.kind)
        same = ("name", "namespace", *shared_fields(message.kind))
        own = shape.part["properties"].items()
        known = {key: {} for key in same} | {k: part for k, part in own if k not in answer_fields()}
    return _known_fields(message.body, {"properties": known}, shape.definitions, (), notes)


def _known_fields(
    node: Node, part: Schema, definitions: Schema, path: Path, notes: list[Note]
) -> Node:
    """Only what the API server takes, as far as the schema describes it."""
    part = resolve_references(part, definitions)
    if isinstance(node.value, tuple):
        item = part.get("items", {})
        listed = enumerate(node.elements)
        items = (_known_fields(n, item, definitions, (*path, i), notes) for i, n in listed)
        return node.with_members(tuple(items))
    names = part.get("properties")
    if not isinstance(node.value, dict) or names is None:
        values = part.get("additionalProperties")
        if not isinstance(node.value, dict) or not isinstance(values, dict):
            return node
        names = dict.fromkeys(node.items, values)
    members: dict[str, Node] = {}
    for key, child in node.items.items():
        name = key if key in names else camel_case(key)
        if name in names:
            members[name] = _known_fields(child, names[name], definitions, (*path, key), notes)
        else:
            notes.append(Note(path_text((*path, key)), DROPPED, _why(name, names)))
    return node.with_members(members)


def _why(name: str, names: Schema) -> str:
    if name in answer_fields():
        return _OUTPUT
    hint = did_you_mean(nearest(name, names))
    return f"{_UNKNOWN}; {hint}" if hint else _UNKNOWN
