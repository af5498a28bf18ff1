"""Differences that come through variables: the target gets the source's value of the variable.

A variable that the target's own file defines is the target's: what refers to it is carried as a
reference, and the value stays.
"""

from collections.abc import Iterable, Iterator, Mapping

from renderer.changes.environments import kept_variables
from renderer.changes.trees import differences
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.variables import variables_in
from renderer.evaluate.composition import Composition, Identity
from renderer.evaluate.project import Project
from renderer.promote.attempts import SourceSpec
from renderer.promote.draft import Draft
from renderer.promote.specs import Sides
from renderer.promote.tree_paths import value_at, writable
from renderer.text.yaml_editor import says_the_same
from renderer.values.environments import CarriedVariable, Reason
from renderer.values.tree import Node, walk

Sources = Mapping[Identity, SourceSpec]


def carry_variables(
    draft: Draft, sources: Sources, origin: Composition, sides: Sides
) -> list[CarriedVariable]:
    """Set in the draft the variables that specs differ in, one by one.

    One that would change what environments may differ in stays as it is.
    """
    kept = kept_variables(sides.settings) | own_variables(draft.project, draft.name)
    carried: list[CarriedVariable] = []
    for name in sorted({*_differing_variables(draft, sources, sides)} - kept):
        value, known = origin.variables.get(name), draft.composition.variables.get(name)
        if value is None or (known and says_the_same(known, value)):
            continue
        after = draft.composition_with({name: value})
        users = [key for key in sorted(draft.identities) if name in _used(draft, key)]
        if all(_stays_apart(draft, after, key, origin, sides) for key in users):
            carried.append(_carried_variable(name, users, sources, draft, after))
            draft.set_variables({name: value})
    return carried


def own_variables(project: Project, name: str) -> frozenset[str]:
    """The variables that an environment itself defines, and not only its ancestors."""
    given = project.shared.layers[name].chain[-1].description.tree.get("vars")
    return frozenset(given.items if given else ())


def _differing_variables(draft: Draft, sources: Sources, sides: Sides) -> Iterator[str]:
    """Variables in what both say alike, and those that only the source has."""
    for identity, source in sources.items():
        target = draft.spec(identity)
        known = draft.composition.variables
        if target is None:
            yield from _undefined_variables(source.fresh, known) if identity in draft.own else ()
            continue
        shape, theirs = kind_shape(target.kind), draft.unbound_tree(identity)
        for item in sides.differences(source, target):
            if item.reason:
                continue
            path = writable(item.change.path, (source.spec.tree, target.tree), shape)
            mine = value_at(source.unbound, shape, path)
            other = value_at(theirs, shape, path)
            if mine and other and isinstance(mine.value, str) and mine.value == other.value:
                yield from variables_in(mine.value)
            yield from _undefined_variables(mine, known)


def _undefined_variables(tree: Node | None, known: Mapping[str, Node]) -> Iterator[str]:
    texts = (node.value for _, node in walk(tree) if isinstance(node.value, str)) if tree else ()
    for text in texts:
        yield from variables_in(text) - known.keys()


def _used(draft: Draft, identity: Identity) -> frozenset[str]:
    return draft.composition.layers.variables_of([*draft.spec_parts(identity)])


def _stays_apart(
    draft: Draft, after: Composition, identity: Identity, origin: Composition, sides: Sides
) -> bool:
    """Whether a spec keeps what environments may differ in."""
    mine = origin.spec(identity)
    parts = draft.spec_parts(identity)
    pair = draft.composition.spec(identity, parts), after.spec(identity, parts)
    if mine is None or pair[0] is None or pair[1] is None:
        return True
    source = SourceSpec(mine, mine.tree, None)
    found = (sides.differences(source, spec) for spec in pair if spec)
    first, second = ([d.change for d in some if d.reason is Reason.KEPT] for some in found)
    return [change.path for change in first] == [change.path for change in second] and all(
        repr(a.after and a.after.plain()) == repr(b.after and b.after.plain())
        for a, b in zip(first, second, strict=True)
    )


def _carried_variable(
    name: str, users: Iterable[Identity], sources: Sources, draft: Draft, after: Composition
) -> CarriedVariable:
    changes: list[str] = []
    reaches: list[str] = []
    for identity in users:
        if identity in sources:
            continue
        parts = draft.spec_parts(identity)
        one, other = draft.composition.spec(identity, parts), after.spec(identity, parts)
        same = one and other and not any(differences(one.tree, other.tree))
        (reaches if same else changes).append("/".join(identity))
    return CarriedVariable(name, tuple(changes), tuple(reaches), after.variables[name])


def description(draft: Draft, tree: Node) -> Node:
    """What the target's own description says with the variables of a draft."""
    given = tree.get("vars")
    members = {**(given.items if given else {}), **draft.variables}
    return Node({**tree.items, "vars": Node(members, tree.origin)}, tree.origin)
