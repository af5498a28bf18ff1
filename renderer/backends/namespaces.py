"""Where objects of specs are in a cluster: in the namespace of the spec, or of its destination."""

from renderer.backends.fields import ABSENT, text
from renderer.values.model import Spec
from renderer.values.objects import Scene
from renderer.values.tree import Node


def namespace(spec: Spec, scene: Scene) -> Node:
    """The spec's own namespace, else that of the destination; none if neither says one."""
    there = scene.destination.tree.get("namespace") if scene.destination else None
    return spec.tree.get("namespace") or there or ABSENT


def file_name(spec: Spec, scene: Scene, name: str = "") -> str:
    """The name of the object, with its namespace where that is not the destination's."""
    own, there = text(spec.tree, "namespace"), scene.destination
    is_usual = not own or (there is not None and own == there.namespace)
    return (name or spec.name) if is_usual else f"{name or spec.name}.{own}"
