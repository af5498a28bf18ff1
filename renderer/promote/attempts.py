"""What could be written to bring a difference to the target, the best first.

An override that is in the way goes; then what the source's own files say, then what all of them
say, then the bare value. Whether an attempt does it is for others to find out.
"""

from collections.abc import Iterator

from renderer.compose.kind_shapes import kind_shape
from renderer.compose.merge import labels
from renderer.promote.draft import Attempt, Draft, OwnFile
from renderer.promote.tree_paths import (
    NOTHING,
    REMOVED,
    WrittenTree,
    drop,
    expand_items,
    put,
    reorder,
    value_at,
    writable,
)
from renderer.text.yaml_editor import says_the_same
from renderer.values.changes import Change, How
from renderer.values.diagnostics import Origin, Path
from renderer.values.model import Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, walk


class SourceSpec(NamedTuple):
    """A spec that is to be carried: composed, and as its files have it.

    `fresh` is what those files say that the target does not inherit.
    """

    spec: Spec
    unbound: Node
    fresh: Node | None


class Case(NamedTuple):
    """A difference, the source's spec, and the target as it is so far."""

    change: Change
    source: SourceSpec
    target: Spec
    draft: Draft
    own: OwnFile


def attempts(case: Case) -> Iterator[Attempt]:
    """All that is worth trying."""
    shape = kind_shape(case.own.kind)
    now = case.draft.own_tree(case.own)
    if case.change.how is How.MOVED and case.change.before:
        order = [str(name.value) for name in case.change.before.elements]
        yield Attempt(reorder(now, shape, case.change.path, order))
        return
    if case.change.how is How.RENAMED:
        yield from _rename_attempts(case, now)
        return
    trees = (case.source.spec.tree, case.target.tree)
    path = writable(case.change.path, trees, shape)
    yield from _attempts_at(case, now, path)
    item_by_item = expand_items(now, shape, path, case.target.tree)
    if not says_the_same(item_by_item, now.raw):
        own = case.own._replace(tree=item_by_item)
        yield from _attempts_at(case._replace(own=own), case.draft.own_tree(own), path)


def _attempts_at(case: Case, now: WrittenTree, path: Path) -> Iterator[Attempt]:
    shape, source = kind_shape(case.own.kind), case.source
    for prune in (True, False):
        left = drop(now, shape, path, prune=prune)
        if left is not None and left is not now.raw:
            yield Attempt(left)
    bound = value_at(source.spec.tree, shape, path)
    if bound is None:
        yield Attempt(put(now, shape, path, _removal(path), case.target.tree))
        return
    yield from _text_attempts(case, path, bound)
    texts = dict(_texts_beside(case, path))
    for tree in (source.fresh, source.unbound, source.spec.tree):
        value = value_at(tree, shape, path)
        if value is not None:
            done = put(now, shape, path, _plain(value), source.spec.tree)
            yield Attempt(done)
            yield from [Attempt(done, texts)] if texts and tree is not source.spec.tree else []


def _rename_attempts(case: Case, now: WrittenTree) -> Iterator[Attempt]:
    """The item of the target goes, and that of the source comes."""
    shape, path = kind_shape(case.own.kind), case.change.path
    names = [_label(case, node) for node in (case.change.before, case.change.after)]
    taken, given = (*path, names[1]), (*path, names[0])
    own = case.own
    for start in _attempts_at(case, now, taken):
        new_tree = case.draft.own_tree(own._replace(tree=start.tree))
        for value in (case.source.fresh, case.source.unbound, case.source.spec.tree):
            node = value_at(value, shape, given)
            if node is not None:
                yield Attempt(put(new_tree, shape, given, _plain(node), case.source.spec.tree))


def _label(case: Case, item: Node | None) -> str:
    shape = kind_shape(case.own.kind)
    for segment in case.change.path:
        text = str(segment)
        shape = shape.item() if text.startswith("[") else shape.member(text)
    return labels(Node((item,), Origin("")), shape)[0] if item else ""


def _text_attempts(case: Case, path: Path, bound: Node) -> Iterator[Attempt]:
    """A text that the target takes from a file of its own: it is written there."""
    kind, own = case.own.kind, case.own
    if not any(place.covers(path) for place in kind.text_files) or not isinstance(bound.value, str):
        return
    theirs = value_at(case.target.tree, kind_shape(kind), path)
    file = theirs.origin.file if theirs else ""
    is_own = file.startswith(f"environments/{case.draft.name}/") and file != own.file
    if is_own and not case.draft.used_elsewhere(file, case.target.identity):
        yield Attempt(own.tree, {file: bound.value.encode()})


def _texts_beside(case: Case, path: Path) -> Iterator[tuple[str, bytes]]:
    """Files of texts at or below a path, as the target would need them beside its own file."""
    shape, folder = kind_shape(case.own.kind), case.own.file.rsplit("/", 1)[0]
    places = case.own.kind.text_files
    for place, node in walk(case.source.spec.tree) if places else ():
        if place[: len(path)] != path or not any(one.covers(place) for one in places):
            continue
        reference = value_at(case.source.unbound, shape, place)
        name = reference.get("file") if reference else None
        file = f"{folder}/{name.value}" if name else ""
        if file and isinstance(node.value, str) and not case.draft.project.files.exists(file):
            yield file, node.value.encode()


def _removal(path: Path) -> Node:
    """What takes an inherited value away."""
    if str(path[-1]).startswith("["):
        return Node({REMOVED: Node(value=True, origin=Origin(""))}, Origin(""))
    return NOTHING


def _plain(node: Node) -> Node:
    """A value for a file: data and the text of numbers, without a history."""
    if isinstance(node.value, dict):
        members = {key: _plain(child) for key, child in node.items.items()}
        return Node(members, Origin(""))
    if isinstance(node.value, tuple):
        return Node(tuple(map(_plain, node.elements)), Origin(""))
    return Node(node.value, Origin(""), text=node.text)
