"""Where in the specs a change was made."""

from renderer.changes import Change, ObjectChange
from renderer.composition.merging import labels
from renderer.composition.shapes import Shape
from renderer.diagnostics import Finding, Origin, Path
from renderer.documents import embedded
from renderer.model import Manifest, Project
from renderer.schemacheck.sources import bundled
from renderer.tree import Node, walk


def origin_of(
    change: Change | None, item: ObjectChange, before: Project | None, after: Project | None
) -> Origin:
    """The line that set the new value, or that had set what is gone."""
    manifest = item.after or item.before
    if manifest is None:
        return Origin("")
    if change is None:
        return _named(manifest)
    if change.after is not None and item.after:
        return _located(change.path, change.after, item.after, after)
    if change.before is not None and item.before:
        return _removed(change, item) or _located(change.path, change.before, item.before, before)
    return _named(manifest)


def _removed(change: Change, item: ObjectChange) -> Origin | None:
    """The line of the new state that takes something away, as `null` does."""
    node = item.after.tree if item.after else None
    schema = bundled(item.after.schema) if item.after and item.after.schema else {}
    found = _step(node, Shape(schema, schema), change.path[:-1]) if node else None
    taken = found.gone.get(str(change.path[-1])) if found else None
    return taken[-1].origin if taken else None


def _located(path: Path, value: Node, manifest: Manifest, project: Project | None) -> Origin:
    """Where a value of an object was written; within a text of a file too."""
    where = value.origin
    if not where.file:
        return _named(manifest)
    schema = bundled(manifest.schema) if manifest.schema else {}
    text, rest = _text_around(manifest.tree, Shape(schema, schema), path)
    if text is None or not rest:
        return where
    source = next((node for _, node in walk(manifest.spec.tree) if node.origin == where), None)
    if source is not None and source.items:
        return source.locate(rest)
    documents = project.documents if project else {}
    return embedded.place(text, Finding(rest, ""), documents)


def _text_around(node: Node, shape: Shape, path: Path) -> tuple[Node | None, Path]:
    """The text that a path leads on into, and the way within."""
    for index, segment in enumerate(path):
        if isinstance(node.value, str):
            return node, path[index:]
        child = _child(node, shape, segment)
        if child is None:
            return None, ()
        node, shape = child
    return None, ()


def _step(node: Node, shape: Shape, path: Path) -> Node | None:
    for segment in path:
        child = _child(node, shape, segment)
        if child is None:
            return None
        node, shape = child
    return node


def _child(node: Node, shape: Shape, segment: str | int) -> tuple[Node, Shape] | None:
    if isinstance(node.value, tuple):
        names = labels(node, shape)
        index = names.index(segment) if segment in names else segment
        child = node.step(index) if isinstance(index, int) else None
        return (child, shape.item()) if child else None
    child = node.items.get(str(segment))
    return (child, shape.member(str(segment))) if child else None


def _named(manifest: Manifest) -> Origin:
    return manifest.spec.name_node.origin
