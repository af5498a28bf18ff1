"""A spec that only the source has: its files, as far as the target does not inherit them."""

from collections.abc import Collection, Iterator, Sequence

from renderer.changes.environments import ROUTES
from renderer.evaluate.composition import Composition, Identity, unbound_tree
from renderer.promote.draft import Draft, OwnFile, written_parts, written_tree
from renderer.promote.sources import fresh_parts
from renderer.text.decoder import SPEC_LIMITS
from renderer.values.files import Unreadable
from renderer.values.model import SpecPart
from renderer.values.tree import Node


def create(draft: Draft, identity: Identity, origin: Composition) -> str:
    """Let the draft have the spec; what is returned says why it cannot, if so."""
    parts = fresh_parts(origin.spec_parts[identity], draft.composition.folders)
    own = _copy(draft, parts) if len(parts) == 1 else _join(draft, parts)
    if draft.project.files.exists(own.file):
        return f"{own.file} is there already, and is not this spec"
    draft.own[identity] = own
    draft.texts.update(_texts(draft, parts, own))
    return ""


def _copy(draft: Draft, parts: Sequence[SpecPart]) -> OwnFile:
    """The only file, with its comments."""
    (part,) = parts
    project = draft.project
    made = draft.new_file(part, Node({}, part.tree.origin))
    ending = part.file.rsplit(".", 1)[1]
    file = f"{made.file.rsplit('.', 1)[0]}.{ending}"
    tree = _drop_routes(written_tree(project, part.file))
    return OwnFile(file, part.kind, tree, project.text_of(part.file) or "")


def _join(draft: Draft, parts: Sequence[SpecPart]) -> OwnFile:
    tree = unbound_tree([*written_parts(draft.project, parts)], ())
    return draft.new_file(parts[-1], _drop_routes(tree) if tree else parts[-1].tree)


def _drop_routes(tree: Node) -> Node:
    """Where a spec goes is for each environment to say."""
    members = {key: node for key, node in tree.items.items() if key not in ROUTES}
    return Node(members, tree.origin)


def _texts(draft: Draft, parts: Sequence[SpecPart], own: OwnFile) -> Iterator[tuple[str, bytes]]:
    """Files beside the source's, which the target needs beside its own."""
    folder = own.file.rsplit("/", 1)[0]
    for part in parts:
        start = f"{part.file.rsplit('/', 1)[0]}/"
        for text in part.texts:
            target = f"{folder}/{text.removeprefix(start)}"
            if text.startswith(start) and not draft.project.files.exists(target):
                yield target, _bytes(draft, text)


def _bytes(draft: Draft, file: str) -> bytes:
    try:
        return draft.project.files.read(file, SPEC_LIMITS.size)
    except Unreadable:
        return b""


def disabled_at(parts: Collection[SpecPart]) -> str:
    """Where a spec is said to be off."""
    drops = (part.tree.get(key) for part in reversed([*parts]) for key in part.kind.drops)
    node = next((node for node in drops if node), None)
    return f"{node.origin.file}:{node.origin.line}" if node else ""
