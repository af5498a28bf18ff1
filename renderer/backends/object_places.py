"""Where objects of a cluster go as specs: the destination they are in, and their namespace."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from renderer.backends.fields import ABSENT, members, text
from renderer.text.wording import listed
from renderer.text.yaml_writer import scalar_text
from renderer.values.model import Destination, Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Scene
from renderer.values.tree import Node, Plain, constant

if TYPE_CHECKING:  # only `import` has such values
    from renderer.values.imports import ImportedSpec, Source

_USUAL = "default"


class Place(NamedTuple):
    """A destination, if it is clear which one is meant, and what a spec has to say to get there."""

    destination: Destination | None
    fields: dict[str, Node]


def place_of(source: "Source", environment: Environment, platform: str) -> Place:
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


def _meant(known: Sequence[Destination], source: "Source") -> Destination | None:
    near = [item for item in known if item.namespace == source.namespace] or list(known)
    if len(near) > 1:
        near = named_by_file(near, source.tree.origin.file)
    return near[0] if len(near) == 1 else None


def named_by_file(known: Sequence[Destination], file: str) -> list[Destination]:
    """The destinations that a file, or one of its folders, is called like."""
    words = _words(file)
    return [item for item in known if item.name in words]


def _words(file: str) -> set[str]:
    """The folders of a file, and its own name with and without the ending."""
    *folders, name = file.split("/")
    return {*folders, name, name.rpartition(".")[0]}


def drop_usual_namespace(tree: Node, environment: Environment, platform: str) -> Node:
    """An object without a namespace that a destination would give it."""
    metadata = tree.get("metadata")
    usual = {item.namespace for item in environment.platform_destinations(platform)}
    if metadata is None or text(metadata, "namespace") not in usual:
        return tree
    kept = {key: node for key, node in metadata.items.items() if key != "namespace"}
    return tree.with_members({**tree.items, "metadata": metadata.with_members(kept)})


def proposed(specs: "Sequence[ImportedSpec]", platform: str) -> list[Plain]:
    """A destination for specs that have none: the namespace that most of them are in."""
    namespaces = Counter(spec.namespace for spec in specs if spec.namespace)
    namespace = namespaces.most_common(1)[0][0] if namespaces else _USUAL
    return [{"name": namespace, "platform": platform, "namespace": namespace}]


def namespace(spec: Spec, scene: Scene) -> Node:
    """The spec's own namespace, else that of the destination; none if neither says one."""
    there = scene.destination.tree.get("namespace") if scene.destination else None
    return spec.tree.get("namespace") or there or ABSENT


def file_name(spec: Spec, scene: Scene, name: str = "") -> str:
    """The name of the object, with its namespace where that is not the destination's."""
    own, there = text(spec.tree, "namespace"), scene.destination
    is_usual = not own or (there is not None and own == there.namespace)
    return (name or spec.name) if is_usual else f"{name or spec.name}.{own}"


def destination_line(environment: Environment, platform: str) -> str:
    """Nothing where there is no choice; a comment where there is no destination yet."""
    names = [item.name for item in environment.platform_destinations(platform)]
    if not names:
        return f"# There is no destination for it yet: add one with platform: {platform}.\n"
    if len(names) == 1:
        return ""
    return f"destination: {scalar_text(names[0])}   # or {listed(names[1:], 'or')}\n"


MANAGED_BY = "app.kubernetes.io/managed-by"
OURS = constant("servingctl", "marks what servingctl rendered")


def object_labels(tree: Node, own: Mapping[str, Node]) -> Node:
    """The user's labels and ours, which only the marker of our output overrides."""
    return Node({**own, **members(tree, "labels"), MANAGED_BY: OURS}, tree.locate(("labels",)))
