"""Which spec a source becomes: objects by their kind, messages by what they are for."""

from collections.abc import Iterator, Sequence

from renderer.backends.kuberay.imports.compute_templates import (
    is_template,
    template_of,
    with_templates,
)
from renderer.backends.kuberay.imports.messages import (
    SUBMISSIONS,
    Message,
    message_fields,
    messages_of,
)
from renderer.backends.kuberay.imports.objects import GROUP, KINDS, workload
from renderer.backends.kuberay.settings import PLATFORM
from renderer.backends.kuberay.vocabulary import JOB, TEMPLATE
from renderer.backends.object_places import place_of, proposed
from renderer.values.imports import ImportedSpec, Note, SkippedSource, Source, Surroundings
from renderer.values.tree import Node, Plain, constant

_NO_NAME = "it has no name"
_RUNS_AT_ONCE = "it hands a job to a cluster that runs, and nothing of it is kept; write a RayJob"
_AS_NAMED = constant("none", "a job that is there keeps its name")


def destinations(specs: Sequence[ImportedSpec]) -> list[Plain]:
    """The clusters that specs need."""
    return proposed(specs, PLATFORM)


def convert(source: Source, around: Surroundings) -> Iterator[ImportedSpec | SkippedSource]:
    """The specs that a source of KubeRay becomes."""
    where = source.tree.origin
    if source.group == GROUP and source.kind in KINDS:
        yield workload(source, with_templates(around))
    elif is_template(source):
        yield template_of(source, around.environment)
    elif SUBMISSIONS in source.address.split("/"):
        yield SkippedSource(where, f"the request to {source.address}", _RUNS_AT_ONCE)
    elif not source.kind:
        yield from (_of_message(message, around) for message in messages_of(source))


def _of_message(message: Message, around: Surroundings) -> ImportedSpec | SkippedSource:
    notes: list[Note] = []
    fields = message_fields(message, notes)
    name, namespace = fields.get("name"), _namespace(message, fields)
    if name is None or not isinstance(name.value, str) or not name.value:
        return SkippedSource(message.body.origin, f"a message about a {message.kind}", _NO_NAME)
    rest = {key: node for key, node in fields.items.items() if key not in ("name", "namespace")}
    placed = dict(_placed(message.body, namespace, around))
    if message.kind == TEMPLATE:
        placed.pop("destination", None)
    if message.kind == JOB:
        placed["name_suffix"] = _AS_NAMED
    told_apart = str(namespace.value) if namespace and "namespace" in placed else ""
    tree = message.body.with_members({**placed, **rest})
    return ImportedSpec(message.kind, name.value, tree, told_apart, tuple(notes))


def _namespace(message: Message, fields: Node) -> Node | None:
    given = fields.get("namespace")
    if given and given.value:
        return given
    return message.body.with_value(message.namespace) if message.namespace else None


def _placed(body: Node, namespace: Node | None, around: Surroundings) -> dict[str, Node]:
    """What a spec says to get to where an object in a namespace is."""
    metadata = body.with_members({"namespace": namespace} if namespace else {})
    source = Source(body.with_members({"metadata": metadata}))
    return place_of(source, around.environment, PLATFORM).fields
