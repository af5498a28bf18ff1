"""Messages of the KubeRay API server: which one a mapping is, and the fields that it has."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kuberay.vocabulary import (
    CLUSTER,
    JOB,
    MESSAGE,
    SERVICE,
    TEMPLATE,
    message_shape,
    outputs,
    shared_words,
)
from renderer.schema.bundle import Schema, resolve_references
from renderer.text.letter_case import camel_case
from renderer.text.wording import did_you_mean, nearest, path_text
from renderer.values.diagnostics import Path
from renderer.values.imports import DROPPED, Note, Source
from renderer.values.tree import Node

#: What only specs of templates have, beside the fields of the message.
_OF_SPECS = frozenset(("apiVersion", "kind", "emit", "disabled"))
#: The last part of an address, and the key of a list in an answer.
_AREAS = {
    "clusters": CLUSTER,
    "jobs": JOB,
    "services": SERVICE,
    "compute_templates": TEMPLATE,
    "computeTemplates": TEMPLATE,
}
_ABOUT_SERVICES = frozenset(("serveConfigV2", "serveDeploymentGraphSpec", "rayServiceStatus"))
SUBMISSIONS = "jobsubmissions"
_OUTPUT = "the API server writes it into answers"
_UNKNOWN = "the API server discards fields that it does not know"


class Message(NamedTuple):
    """The body of a request or a part of an answer, and the kind of spec that it says."""

    kind: str
    body: Node
    namespace: str = ""


def messages_of(source: Source) -> Iterator[Message]:
    """The messages that a mapping is or lists, by the address it was sent to or by its fields."""
    body, parts = source.tree, [part for part in source.address.split("/") if part]
    if source.address and "apis" not in parts:
        return
    listed = [(kind, body.items[key]) for key, kind in _AREAS.items() if key in body.items]
    for kind, listing in listed:
        yield from (Message(kind, item) for item in listing.elements if _is_any(item))
    area = next((part for part in reversed(parts) if part in _AREAS), "")
    kind = _AREAS.get(area) or _kind_of(body)
    if kind and not listed:
        place = parts.index("namespaces") + 1 if "namespaces" in parts else len(parts)
        yield Message(kind, body, "".join(parts[place : place + 1]))


def _is_any(item: Node) -> bool:
    return isinstance(item.value, dict) and "name" in item.items


def _kind_of(body: Node) -> str:
    keys = {camel_case(key) for key in body.items}
    if not text(body, "name"):
        return ""
    if keys & _ABOUT_SERVICES and MESSAGE in keys:
        return SERVICE
    if "entrypoint" in keys and keys & {MESSAGE, "clusterSelector"}:
        return JOB
    if MESSAGE in keys:
        return CLUSTER
    return TEMPLATE if {"cpu", "memory"} <= keys and "image" not in keys else ""


def message_fields(message: Message, notes: list[Note]) -> Node:
    """The fields of a message that a spec has, in camelCase."""
    if message.kind == TEMPLATE:
        shape = message_shape(TEMPLATE)
        known = {k: part for k, part in shape.part["properties"].items() if k not in _OF_SPECS}
    else:
        shape = message_shape(message.kind)
        same = ("name", "namespace", *shared_words(message.kind))
        own = shape.part["properties"].items()
        known = {key: {} for key in same} | {k: part for k, part in own if k not in outputs()}
    return _known(message.body, {"properties": known}, shape.definitions, (), notes)


def _known(node: Node, part: Schema, definitions: Schema, path: Path, notes: list[Note]) -> Node:
    """Only what the API server takes, as far as the schema describes it."""
    part = resolve_references(part, definitions)
    if isinstance(node.value, tuple):
        item = part.get("items", {})
        listed = enumerate(node.elements)
        items = (_known(n, item, definitions, (*path, i), notes) for i, n in listed)
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
            members[name] = _known(child, names[name], definitions, (*path, key), notes)
        else:
            notes.append(Note(path_text((*path, key)), DROPPED, _why(name, names)))
    return node.with_members(members)


def _why(name: str, names: Schema) -> str:
    if name in outputs():
        return _OUTPUT
    hint = did_you_mean(nearest(name, names))
    return f"{_UNKNOWN}; {hint}" if hint else _UNKNOWN
