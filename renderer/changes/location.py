"""Where in the specs a change was made."""

from collections.abc import Sequence

from renderer.changes.trees import shape_of, yaml_data
from renderer.compose.merge import labels
from renderer.compose.shapes import Shape
from renderer.evaluate.project import Project
from renderer.text import embedded
from renderer.values.changes import AffectedObject, Change, Edit, ObjectChange
from renderer.values.diagnostics import Finding, Origin, Path
from renderer.values.objects import Manifest
from renderer.values.tree import Node, walk

_OURS = "servingctl:"
_TEMPLATE = ".j2"


def origin_of(change: Change | None, item: ObjectChange, after: Project | None) -> Origin:
    """The line that set the new value; for what is gone, the nearest one that is still there."""
    if item.after is None:
        return _gone_origin(item.manifest, after)
    if change is None:
        return _name_origin(item.after)
    if change.after is not None:
        return value_origin(change.path, change.after, item.after, after)
    deleting = _deleting_origin(change, item.after)
    return deleting or value_origin(
        change.path,
        nearest_given(change.path, item.after.tree, shape_of(item.after.schema)),
        item.after,
        after,
    )


def locate_changes(
    item: AffectedObject, edits: Sequence[Edit], after: Project | None
) -> AffectedObject:
    """The object with the places of its changes; where no line set the value, that of an edit."""
    whole = origin_of(None, item.change, after)
    known = (*item.origins, whole)
    behind = ((edits[number] for number in numbers) for numbers in item.causes)
    found = (
        next((edit.origin for edit in some if edit.after), where) if where == whole else where
        for where, some in zip(known, behind, strict=True)
    )
    return item._replace(origins=tuple(found) if after else known)


def _deleting_origin(change: Change, manifest: Manifest) -> Origin | None:
    """The line of the new state that deletes a value which an ancestor still has."""
    was = change.before.origin.place if change.before else None
    for _, node in walk(manifest.spec.tree):
        for trail in node.gone.values():
            if any(step.origin.place == was for step in trail):
                return trail[-1].origin
    return None


def nearest_given(path: Path, tree: Node, shape: Shape) -> Node:
    """The deepest value on the way that some file gave, or that holds one that some file gave."""
    node, way = tree, [tree]
    for segment in path:
        child = _child(node, shape, segment)
        if child is None:
            break
        node, shape = child
        way.append(node)
    given = (child for step in reversed(way) for _, child in walk(step) if is_given(child))
    return next(given, tree)


def is_given(node: Node) -> bool:
    """Whether a file gave the value; of mappings and lists, templates only give the place."""
    file = node.origin.file
    is_placed = file.endswith(_TEMPLATE) and isinstance(node.value, dict | tuple)
    return bool(file) and not file.startswith(_OURS) and not is_placed


def _gone_origin(manifest: Manifest, after: Project | None) -> Origin:
    """Where an object came from: the file as it was, or its beginning if it is still there."""
    where = _name_origin(manifest)
    return Origin(where.file) if after and where.file in after.documents else where


def value_origin(path: Path, value: Node, manifest: Manifest, project: Project | None) -> Origin:
    """Where a value of an object was written; if nowhere, where the name of its spec was."""
    return written_origin(path, value, manifest, project) or _name_origin(manifest)


def written_origin(
    path: Path, value: Node, manifest: Manifest, project: Project | None
) -> Origin | None:
    """Where a value of an object was written, if it was; also within a text that a file holds."""
    where = value.origin
    if not is_given(value):
        return next((child.origin for _, child in walk(value) if is_given(child)), None)
    text, rest = _text_around(manifest.tree, shape_of(manifest.schema), path)
    if text is None:
        return where
    spec = manifest.spec.tree
    source = next((node for _, node in walk(spec) if node.origin == text.origin), None)
    if source is not None and source.items:
        return source.locate(rest)
    documents = project.documents if project else {}
    return embedded.place(text, Finding(rest, ""), documents)


def _text_around(node: Node, shape: Shape, path: Path) -> tuple[Node | None, Path]:
    """The text that a path leads on into, and the way within, where all items have numbers."""
    for index, segment in enumerate(path):
        if isinstance(node.value, str):
            rest, document = path[index:], shape.yaml_document
            data = yaml_data(node.value) if document else None
            return node, _numbered_path(rest, data, document) if data and document else rest
        child = _child(node, shape, segment)
        if child is None:
            return None, ()
        node, shape = child
    return None, ()


def _numbered_path(path: Path, data: Node, shape: Shape) -> Path:
    """A path in data with numbers instead of the names of items, as far as these are there."""
    way: list[str | int] = []
    for segment in path:
        child = _child(data, shape, segment)
        if child is None:
            break
        way.append(_index(data, shape, segment) if data.elements else segment)
        data, shape = child
    return (*way, *path[len(way) :])


def _child(node: Node, shape: Shape, segment: str | int) -> tuple[Node, Shape] | None:
    if isinstance(node.value, tuple):
        index = _index(node, shape, segment)
        child = node.step(index) if isinstance(index, int) else None
        return (child, shape.item()) if child else None
    child = node.items.get(str(segment))
    return (child, shape.member(str(segment))) if child else None


def _index(node: Node, shape: Shape, segment: str | int) -> str | int:
    """The number of the item of a list that a segment names, if it does."""
    names = labels(node, shape)
    return names.index(str(segment)) if segment in names else segment


def _name_origin(manifest: Manifest) -> Origin:
    return manifest.spec.name_node.origin
