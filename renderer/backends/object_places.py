"""Where objects of a cluster go as specs: the destination they are in, and their namespace."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from renderer.backends.fields import text
from renderer.values.imports import ImportedSpec, Source
from renderer.values.model import Destination, Environment
from renderer.values.tree import Node, Plain

_USUAL = "default"


class Place(NamedTuple):
    """A destination, if it is clear which one is meant, and what a spec has to say to get there."""

    destination: Destination | None
    fields: dict[str, Node]


def place_of(source: Source, environment: Environment, platform: str) -> Place:
    """Where an object goes: where its namespace is, or where the name of its file says."""
    known = environment.platform_destinations(platform)
    given = source.tree.get("metadata", "namespace")
    found = _meant(known, source)
    fields: dict[str, Node] = {}
    if given and (found is None or found.namespace != given.value):
        fields["namespace"] = given
    if found and len(known) > 1:
        fields["destination"] = (given or source.tree).with_value(found.name)
    return Place(found, fields)


def _meant(known: Sequence[Destination], source: Source) -> Destination | None:
    near = [item for item in known if item.namespace == source.namespace] or list(known)
    if len(near) > 1:
        words = _words(source.tree.origin.file)
        near = [item for item in near if item.name in words]
    return near[0] if len(near) == 1 else None


def _words(file: str) -> set[str]:
    """The folders of a file, and its own name with and without the ending."""
    *folders, name = file.split("/")
    return {*folders, name, name.rpartition(".")[0]}


def without_usual_namespace(tree: Node, environment: Environment, platform: str) -> Node:
    """An object without a namespace that a destination would give it."""
    metadata = tree.get("metadata")
    usual = {item.namespace for item in environment.platform_destinations(platform)}
    if metadata is None or text(metadata, "namespace") not in usual:
        return tree
    kept = {key: node for key, node in metadata.items.items() if key != "namespace"}
    return tree.with_members({**tree.items, "metadata": metadata.with_members(kept)})


def proposed(specs: Sequence[ImportedSpec], platform: str) -> list[Plain]:
    """A destination for specs that have none: the namespace that most of them are in."""
    namespaces = Counter(spec.namespace for spec in specs if spec.namespace)
    namespace = namespaces.most_common(1)[0][0] if namespaces else _USUAL
    return [{"name": namespace, "platform": platform, "namespace": namespace}]
