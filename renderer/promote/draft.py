"""The target as it would be: its own files, written otherwise in memory, and what they come to."""

from collections.abc import Iterator, Mapping, Sequence

from renderer.compose.kind_shapes import kind_shape, respell_keys
from renderer.compose.text_files import resolve
from renderer.compose.variables import substitute
from renderer.evaluate.composition import Composition, Identity, unbound_tree
from renderer.evaluate.documents import parse_file
from renderer.evaluate.project import Project
from renderer.promote.tree_paths import WrittenTree
from renderer.text.decoder import SPEC_LIMITS
from renderer.values.diagnostics import Origin
from renderer.values.files import EditedFiles
from renderer.values.kinds import Kind
from renderer.values.model import Spec, SpecPart
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class OwnFile(NamedTuple):
    """The file that the target has for a spec; without a text it is to be made."""

    file: str
    kind: Kind
    tree: Node
    text: str = ""


class Attempt(NamedTuple):
    """What the target could say of a spec: the tree of its own file, and texts beside it."""

    tree: Node
    texts: Mapping[str, bytes] = {}


class Draft:
    """An environment with edits so far: in its specs, in texts beside them, in its variables."""

    def __init__(self, project: Project, name: str) -> None:
        self.project, self.name = project, name
        self.composition = Composition(project, name)
        self.own: dict[Identity, OwnFile] = {}
        self.texts: dict[str, bytes] = {}
        self.variables: dict[str, Node] = {}

    @property
    def identities(self) -> set[Identity]:
        return {*self.composition.spec_parts, *self.own}

    def composition_with(self, variables: Mapping[str, Node]) -> Composition:
        """The environment if these variables were others too."""
        return Composition(self.project, self.name, {**self.variables, **variables})

    def set_variables(self, variables: Mapping[str, Node]) -> None:
        self.variables.update(variables)
        self.composition = self.composition_with({})

    def own_file(self, identity: Identity) -> OwnFile | None:
        """The target's own file of a spec, as edited; if there is none, where one would be."""
        if identity in self.own:
            return self.own[identity]
        parts = self.composition.spec_parts.get(identity, ())
        if parts and parts[-1].environment == self.name:
            part = parts[-1]
            text = self.project.text_of(part.file) or ""
            return OwnFile(part.file, part.kind, written_tree(self.project, part.file), text)
        return self.new_file(parts[-1], Node({}, Origin(""))) if parts else None

    def new_file(self, like: SpecPart, tree: Node) -> OwnFile:
        """A file in the same folder as one of another environment."""
        rest = like.file.split("/", 2)[2].rsplit(".", 1)[0]
        file = f"environments/{self.name}/{rest}.yaml"
        head = {key: like.tree.items[key].value for key in ("apiVersion", "kind")}
        members = {key: Node(text, Origin(file)) for key, text in head.items()}
        return OwnFile(file, like.kind, Node({**members, **tree.items}, Origin(file)))

    def spec_parts(
        self, identity: Identity, attempt: Attempt | None = None
    ) -> tuple[SpecPart, ...]:
        """The parts of a spec, the last one as edited or as attempted."""
        given = self.composition.spec_parts.get(identity, ())
        own = self.own_file(identity) if attempt or identity in self.own else None
        if own is None:
            return given
        above = (part for part in given if part.environment != self.name)
        return *above, self._part(own, identity[1], attempt or Attempt(own.tree))

    def _part(self, own: OwnFile, stem: str, attempt: Attempt) -> SpecPart:
        files = EditedFiles(self.project.files, {**self.texts, **attempt.texts})
        made = resolve(files, own.file, attempt.tree, own.kind)
        tree = respell_keys(made.tree, own.kind)
        return SpecPart(own.kind, stem, self.name, own.file, tree, made.files)

    def spec(self, identity: Identity, attempt: Attempt | None = None) -> Spec | None:
        """A spec as edited, or as attempted; nothing if it is off or cannot be composed."""
        return self.composition.spec(identity, self.spec_parts(identity, attempt))

    def take(self, identity: Identity, attempt: Attempt) -> None:
        """Let an attempt be what the target says."""
        own = self.own_file(identity)
        if own is not None:
            self.own[identity] = own._replace(tree=attempt.tree)
            self.texts.update(attempt.texts)

    def own_tree(self, own: OwnFile) -> WrittenTree:
        """The own file of a spec, and the same with its variables bound."""
        tree = respell_keys(own.tree, own.kind)
        shape, texts = kind_shape(own.kind), own.kind.text_files
        return WrittenTree(
            own.tree, substitute(tree, self.composition.variables, shape, texts).tree
        )

    def unbound_tree(self, identity: Identity) -> Node | None:
        """A spec with its references to variables and to files."""
        parts = [*written_parts(self.project, self.composition.spec_parts.get(identity, ()))]
        if identity in self.own:
            own = self.own[identity]
            above = [part for part in parts if part.environment != self.name]
            tree = respell_keys(own.tree, own.kind)
            parts = [*above, SpecPart(own.kind, identity[1], self.name, own.file, tree, ())]
        return unbound_tree(parts, self.composition.layers.chain)

    def used_elsewhere(self, text: str, identity: Identity) -> bool:
        """Whether another spec takes a text from a file."""
        every = self.composition.spec_parts.items()
        return any(text in part.texts for key, parts in every if key != identity for part in parts)


def written_tree(project: Project, file: str) -> Node:
    """A file as it stands there, with `{file: …}` and in its own spelling."""
    tree = parse_file(project.files.read(file, SPEC_LIMITS.size), file).document.tree
    return tree or Node({}, Origin(file))


def written_parts(project: Project, parts: Sequence[SpecPart]) -> Iterator[SpecPart]:
    """Parts with their references to files, where their kinds may have such."""
    for part in parts:
        if part.kind.text_files:
            tree = respell_keys(written_tree(project, part.file), part.kind)
            yield part._replace(tree=tree)
        else:
            yield part
