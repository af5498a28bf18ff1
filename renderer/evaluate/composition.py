"""One environment composed again: as if its variables or its own files were others."""

from collections.abc import Iterator, Mapping, Sequence

from renderer.compose.environments import Layers
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.merge import merge
from renderer.compose.parts import Folder
from renderer.evaluate.group import compose_group
from renderer.evaluate.project import Project
from renderer.rules.policy import tempered
from renderer.values.diagnostics import has_errors
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, Spec, SpecPart
from renderer.values.tree import Node

Identity = tuple[str, str]
Variables = Mapping[str, Node | None]


class Composition:
    """An environment whose own `variables` are others; one that is nothing is inherited instead.

    `spec_parts` are the parts that each spec is made of, the most general one first.
    """

    def __init__(self, project: Project, name: str, variables: Variables | None = None) -> None:
        given = project.shared.layers[name]
        self.name, self.project = name, project
        self.layers = (
            Layers(_set_variables(given.chain, variables), given.common) if variables else given
        )
        self.spec_parts = spec_parts_in(project, name)
        self.folders = [folder.name for folder in given.chain]

    @property
    def variables(self) -> Mapping[str, Node]:
        node = self.layers.tree.get("vars")
        return node.items if node else {}

    def spec(self, identity: Identity, given: Sequence[SpecPart] | None = None) -> Spec | None:
        """A spec of some parts, or of those that there are; nothing if it is off or has errors."""
        parts = list(self.spec_parts.get(identity, ()) if given is None else given)
        if not parts:
            return None
        made = self.layers.spec(parts[0].kind, identity[1], parts, self.project.documents)
        found = tempered(made.diagnostics, self.project.settings.rules_as_of)
        return None if has_errors(found) else made.spec

    def environment(self) -> Environment:
        """The environment with all of its specs."""
        known = next(i for i in self.project.environments if i.name == self.name)
        made = (self.spec(identity) for identity in sorted(self.spec_parts))
        return self.layers.environment(tuple(spec for spec in made if spec), known.unread)

    def uses(self, identity: Identity) -> frozenset[str]:
        """The variables that a spec refers to."""
        return self.layers.variables_of([*self.spec_parts[identity]])


def spec_parts_in(project: Project, name: str) -> Mapping[Identity, tuple[SpecPart, ...]]:
    """By spec, what an environment and its ancestors say of it."""
    return _spec_parts(project).get(name, {})


@cached_by_identity
def _spec_parts(project: Project) -> dict[str, dict[Identity, tuple[SpecPart, ...]]]:
    shared = project.shared
    found = {
        item.name: dict(_prerequisite_parts(item, shared.layers)) for item in shared.environments
    }
    for stem in project.stems:
        for name, some in compose_group(project.group(stem), shared, ()).layers.items():
            for parts in some:
                found[name][parts[0].kind.name, stem] = tuple(parts)
    return found


def _prerequisite_parts(
    environment: Environment, layers: Mapping[str, Layers]
) -> Iterator[tuple[Identity, tuple[SpecPart, ...]]]:
    """Those of the shared files; what turns out to be of a group replaces them."""
    chain = layers[environment.name].chain
    for identity in sorted({key for folder in chain for key in folder.specs}):
        if identity[1] not in environment.unread:
            yield identity, tuple(f.specs[identity] for f in chain if identity in f.specs)


def unbound_tree(parts: Sequence[SpecPart], chain: Sequence[Folder]) -> Node | None:
    """What parts say of a spec, and the defaults of a chain, with references to variables in it."""
    if not parts:
        return None
    kind = parts[0].kind
    nodes = (folder.description.tree.get("defaults", kind.name) for folder in chain)
    defaults = [node for node in nodes if node is not None and isinstance(node.value, dict)]
    return merge([*defaults, *(part.tree for part in parts)], kind_shape(kind)).tree


def _set_variables(chain: Sequence[Folder], variables: Variables) -> list[Folder]:
    *above, own = chain
    tree = own.description.tree
    given = tree.get("vars")
    members = {**(given.items if given else {}), **variables}
    kept = {name: node for name, node in members.items() if node is not None}
    node = Node(kept, (given or tree).origin)
    changed = tree.with_members({**tree.items, "vars": node})
    return [*above, own._replace(description=own.description._replace(tree=changed))]
