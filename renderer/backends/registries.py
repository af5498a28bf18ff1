"""Images taken from the registry that a destination names."""

from collections.abc import Mapping

from renderer.backends.fields import members
from renderer.values.model import Destination
from renderer.values.tree import Node

#: What replaces beginnings of image names.
Registries = Mapping[str, Node]


def registries_of(destination: Destination | None) -> Registries:
    """What replaces beginnings of image names at a destination."""
    return members(destination.tree if destination else None, "image_registry")


def relocated(name: Node, registries: Registries) -> Node:
    """The name of an image with another beginning; the longest that fits is replaced."""
    for start in sorted(registries, key=len, reverse=True):
        if f"{name.value}/".startswith(f"{start}/"):
            instead = registries[start]
            changed = f"{instead.value}{str(name.value)[len(start) :]}"
            place = name.origin
            note = f"instead of {name.value} at {place.file}:{place.line}:{place.column}"
            return Node(changed, instead.origin._replace(note=note), name.key)
    return name


def original(name: Node, registries: Registries) -> Node:
    """The name of an image before a destination gave it another beginning; itself if none did."""
    for start, instead in registries.items():
        if f"{name.value}/".startswith(f"{instead.value}/"):
            before = name.with_value(f"{start}{str(name.value)[len(str(instead.value)) :]}")
            if relocated(before, registries).value == name.value:
                return before
    return name


def restore_original_images(node: Node, registries: Registries) -> Node:
    """A tree with every image as it was called before a destination gave it another beginning."""
    if not registries:
        return node
    if isinstance(node.value, tuple):
        items = (restore_original_images(item, registries) for item in node.elements)
        return node.with_members(tuple(items))
    done = {key: restore_original_images(child, registries) for key, child in node.items.items()}
    image = done.get("image")
    if image and isinstance(image.value, str):
        done["image"] = original(image, registries)
    return node.with_members(done) if done else node
