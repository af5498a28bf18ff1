"""What all heirs of an environment say of a spec, said once by the environment above them."""

from collections.abc import Sequence

from renderer.adopt.drafts import Draft, add_header, body_of, header_of, parts_of_spec
from renderer.adopt.overrides import remainder
from renderer.adopt.pages import text_at
from renderer.backends.kinds import folder_of
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.merge import items_by_key, merge
from renderer.compose.shapes import Shape
from renderer.compose.unchanged import REMOVE
from renderer.errors import UsageError
from renderer.evaluate.project import Project
from renderer.text import json_reader, yaml_reader
from renderer.text.wording import listed
from renderer.values.model import SpecPart
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class Sharing(NamedTuple):
    """New content of files, nothing where a file goes; `kept` are drafts that share nothing."""

    trees: dict[str, Node | None]
    kept: tuple[str, ...]


class Family(NamedTuple):
    """An environment and the others that extend the same one."""

    parent: str
    heirs: tuple[str, ...]


def family_of(project: Project, environment: str) -> Family:
    """Whom an environment shares with."""
    chains = {name: layers.chain for name, layers in project.shared.layers.items()}
    if len(chains[environment]) == 1:
        file = f"environments/{environment}/environment.yaml"
        raise UsageError(
            f"--share: {environment!r} extends no environment; add 'extends' to {file}"
        )
    parent = chains[environment][-2].name
    heirs = [name for name, chain in chains.items() if parent in [f.name for f in chain[-2:-1]]]
    return Family(parent, tuple(heirs))


def share(draft: Draft, tree: Node, project: Project, family: Family) -> Sharing:
    """Move what a draft and the specs beside it have in common to the environment above."""
    own: dict[str, Node] = {draft.file: tree}
    for name in family.heirs:
        if name != draft.environment:
            part = _own_part(project, name, draft)
            if part is None:
                return Sharing({**own}, (f"{draft} is not in {name}",))
            own[part.file] = _written_tree(project, part)
    if len(own) == 1:
        return Sharing({**own}, (f"no other environment extends {family.parent}",))
    shape = kind_shape(draft.kind)
    common = _common(list(own.values()), shape)
    if common is None or not body_of(common).items:
        return Sharing({**own}, (f"{draft} has nothing in common with {_names(family, draft)}",))
    above = _own_part(project, family.parent, draft)
    trees: dict[str, Node | None] = {}
    for file, said in own.items():
        rest = remainder(body_of(said), body_of(common), shape)
        trees[file] = add_header(rest, header_of(said)) if rest else None
    file = above.file if above else f"environments/{family.parent}/{folder_of(draft.kind.name)}/"
    before = [_written_tree(project, above)] if above else []
    trees[file if above else f"{file}{draft.stem}.yaml"] = merge([*before, common], shape).tree
    return Sharing(trees, ())


def _names(family: Family, draft: Draft) -> str:
    return listed(name for name in family.heirs if name != draft.environment)


def _own_part(project: Project, environment: str, draft: Draft) -> SpecPart | None:
    """An environment's own file for a spec."""
    parts = parts_of_spec(project, environment, draft.kind, draft.stem)
    return next((part for part in parts if part.environment == environment), None)


def _written_tree(project: Project, part: SpecPart) -> Node:
    """A file as it stands, its texts still in other files."""
    data = (text_at(project.files, part.file) or "").encode()
    reader = json_reader if part.file.endswith(".json") else yaml_reader
    return reader.read(data, part.file).document.tree or part.tree


def _common(trees: Sequence[Node], shape: Shape) -> Node | None:
    """What all trees say alike; nothing if that is nothing, or takes away what is inherited."""
    first, *others = trees
    if first.value is None or REMOVE in first.items:
        return None
    if isinstance(first.value, dict) and all(isinstance(one.value, dict) for one in others):
        return _common_members(trees, shape)
    if shape.list_key and all(isinstance(one.value, tuple) for one in trees):
        return _common_items(trees, shape)
    return first if all(one.plain() == first.plain() for one in others) else None


def _common_members(trees: Sequence[Node], shape: Shape) -> Node | None:
    found: dict[str, Node] = {}
    for key, node in trees[0].items.items():
        others = [one.items[key] for one in trees[1:] if key in one.items]
        if len(others) == len(trees) - 1:
            same = _common([node, *others], shape.member(key))
            if same is not None:
                found[key] = same
    empty = all(not one.items for one in trees)
    return trees[0].with_members(found) if found or empty else None


def _common_items(trees: Sequence[Node], shape: Shape) -> Node | None:
    items = [items_by_key(one, shape) for one in trees]
    found = [
        same
        for key in items[0]
        if all(key in one for one in items)
        and (same := _common([one[key] for one in items], shape.item())) is not None
    ]
    return trees[0].with_members(tuple(found)) if found else None
