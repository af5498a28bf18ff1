"""Rendered objects as they are applied, each with those that it may refer to."""

from collections.abc import Iterable, Iterator

from renderer.values.derivations import ObjectName
from renderer.values.model import Environment
from renderer.values.objects import Manifest
from renderer.values.tree import Node


def object_name(manifest: Manifest) -> ObjectName:
    """What an object that others refer to is known by."""
    return manifest.spec.kind.name, _metadata(manifest, "namespace"), _metadata(manifest, "name")


def _metadata(manifest: Manifest, key: str) -> str:
    node = manifest.tree.get("metadata", key)
    return str(node.value) if node else ""


def needed_objects(
    manifests: Iterable[Manifest], environment: Environment
) -> dict[str, dict[ObjectName, Node]]:
    """The objects of an environment that others may refer to, by the clusters they are in."""
    clusters = {item.name: item.cluster for item in environment.destinations}
    found: dict[str, dict[ObjectName, Node]] = {}
    for item in prerequisites(manifests):
        place = clusters.get(item.destination, item.destination)
        found.setdefault(place, {})[object_name(item)] = item.tree
    return found


def prerequisites(manifests: Iterable[Manifest]) -> Iterator[Manifest]:
    """The objects that others may refer to."""
    return (item for item in manifests if item.spec.kind.prerequisite)
