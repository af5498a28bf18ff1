"""Messages of the KubeRay API server: which one a mapping is, and the fields that it has."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.backends.kuberay.vocabulary import (
    CLUSTER,
    JOB,
    MESSAGE,
    OUTPUTS,
    SERVICE,
    SHARED_WORDS,
    TEMPLATE,
)
from renderer.schema.bundle import Schema, bundled_schema
from renderer.text.wording import did_you_mean, nearest, path_text
from renderer.values.diagnostics import Path
from renderer.values.imports import DROPPED, Note, Source
from renderer.values.tree import Node

_FILE = "shared/ray-message.json"
_DEFINITIONS = {
    CLUSTER: "RayMessageCluster",
    JOB: "RayMessageJob",
    SERVICE: "RayMessageService",
}
_TEMPLATE_FILE = "spec/computetemplate.json"
_NO_FIELDS = frozenset(("apiVersion", "kind", "emit", "disabled"))
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
    keys = {camel(key) for key in body.items}
    if not text(body, "name"):
        return ""
    if keys & _ABOUT_SERVICES and MESSAGE in keys:
        return SERVICE
    if "entrypoint" in keys and keys & {MESSAGE, "clusterSelector"}:
        return JOB
    if MESSAGE in keys:
        return CLUSTER
    return TEMPLATE if {"cpu", "memory"} <= keys and "image" not in keys else ""


def camel(name: str) -> str:
    """`cluster_spec` as JSON has it."""
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


def message_fields(message: Message, notes: list[Note]) -> Node:
    """The fields of a message that a spec has, in camelCase."""
    if message.kind == TEMPLATE:
        schema = bundled_schema(_TEMPLATE_FILE)
        known = {k: v for k, v in schema["properties"].items() if k not in _NO_FIELDS}
    else:
        schema = bundled_schema(_FILE)
        definition = schema["definitions"][_DEFINITIONS[message.kind]]
        same = ("name", "namespace", *SHARED_WORDS[message.kind])
        known = {**{key: {} for key in same}, **definition["properties"]}
    known = {key: part for key, part in known.items() if key not in OUTPUTS}
    return _known(message.body, {"properties": known}, schema, (), notes)


def _known(node: Node, part: Schema, root: Schema, path: Path, notes: list[Note]) -> Node:
    """Only what the API server takes, as far as the schema describes it."""
    part = _resolved(part, root)
    if isinstance(node.value, tuple):
        item = part.get("items", {})
        items = (_known(n, item, root, (*path, i), notes) for i, n in enumerate(node.elements))
        return node.with_members(tuple(items))
    names = part.get("properties")
    if not isinstance(node.value, dict) or names is None:
        values = part.get("additionalProperties")
        if not isinstance(node.value, dict) or not isinstance(values, dict):
            return node
        names = dict.fromkeys(node.items, values)
    members: dict[str, Node] = {}
    for key, child in node.items.items():
        name = key if key in names else camel(key)
        if name in names:
            members[name] = _known(child, names[name], root, (*path, key), notes)
        else:
            notes.append(Note(path_text((*path, key)), DROPPED, _why(name, names)))
    return node.with_members(members)


def _why(name: str, names: Schema) -> str:
    if name in OUTPUTS:
        return _OUTPUT
    hint = did_you_mean(nearest(name, names))
    return f"{_UNKNOWN}; {hint}" if hint else _UNKNOWN


def _resolved(part: Schema, root: Schema) -> Schema:
    """A part of a schema with what it refers to."""
    for one in (part, *part.get("allOf", ()), *part.get("anyOf", ())):
        if "$ref" in one:
            name = str(one["$ref"]).rpartition("/")[2]
            return {**_resolved(root["definitions"].get(name, {}), root), **part}
    return part
