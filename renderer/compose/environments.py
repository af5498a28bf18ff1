"""Environments and their specs, composed of all that their ancestors and they themselves say."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from renderer.backends.kinds import ENVIRONMENT, KINDS, environment_schema, strict_schema
from renderer.compose.bases import check_bases
from renderer.compose.chains import chain_of, check_chains
from renderer.compose.environment_rules import (
    ADDED,
    UNDEFINED,
    UNHEARD,
    UNUSED_VARIABLE,
    described_variables,
)
from renderer.compose.merge import Addition, merge
from renderer.compose.misnaming import misnamed, missing_keys
from renderer.compose.parts import Folder, sort
from renderer.compose.shapes import Shape
from renderer.compose.spec_rules import SAME_NAME
from renderer.compose.variables import substitute
from renderer.text.wording import path_text
from renderer.values.diagnostics import Diagnostic, Finding, Origin
from renderer.values.model import Destination, Document, Environment, Kind, Part, Spec, Uses
from renderer.values.tree import Node

_NOT_INHERITED = ("extends",)


class Composition(NamedTuple):
    """The environments of a repository, the parts they are made of, and what is wrong."""

    environments: tuple[Environment, ...]
    parts: tuple[Part, ...]
    diagnostics: tuple[Diagnostic, ...]
    used: Uses


class _Composed(NamedTuple):
    environment: Environment
    diagnostics: list[Diagnostic]
    used: dict[str, set[str]]


def compose(documents: Collection[Document], texts: Mapping[str, tuple[str, ...]]) -> Composition:
    """Sort documents into environments and fold each with its ancestors."""
    sorting = sort(documents, texts)
    shapes = _shapes()
    found = [*sorting.diagnostics, *check_chains(sorting.folders, sorting.undescribed)]
    chains = (chain_of(name, sorting.folders) for name in sorting.folders)
    by_file = {document.file: document for document in documents}
    made = [_Composer(chain, shapes, by_file).run() for chain in chains if chain]
    for environment, problems, _ in made:
        if environment.destinations:  # what is only inherited is bound by its heirs
            name, files = environment.name, environment.files
            found += (item.about(name, related=files) for item in problems)
            found += _same_names(environment)
    environments = tuple(composed.environment for composed in made)
    found += check_bases(environments, sorting.folders)
    used = {item.environment.name: item.used for item in made}
    found += unused_variables(environments, used)
    return Composition(environments, sorting.parts, tuple(found), used)


class _Layer(NamedTuple):
    """What a file says of a spec, or an environment of all specs of a kind, variables bound."""

    tree: Node
    used: frozenset[str]
    found: tuple[Diagnostic, ...]


def _shapes() -> dict[str, Shape]:
    """How specs of each kind merge, and environments, whose defaults merge as the specs do."""
    kinds = [name for name in KINDS if name != ENVIRONMENT.name]
    shapes = {name: Shape(strict_schema(name), strict_schema(name)) for name in kinds}
    schema = environment_schema(frozenset())
    described = Shape(schema, schema)
    described.member("defaults").adopt(shapes)
    return {**shapes, ENVIRONMENT.name: described}


class _Composer:
    """Folds one environment; collects what it finds and which variables it used."""

    def __init__(
        self,
        chain: list[Folder],
        shapes: Mapping[str, Shape],
        documents: Mapping[str, Document],
    ) -> None:
        self.chain = chain
        self.shapes = shapes
        self.documents = documents
        self.found: list[Diagnostic] = []
        self.misnamed: set[str] = set()
        self.used: dict[str, set[str]] = {}
        self.defaults: dict[str, tuple[_Layer, ...]] = {}
        descriptions = [folder.description.tree for folder in chain]
        self.tree = _without(merge(descriptions, shapes["Environment"]).tree, _NOT_INHERITED)
        variables = self.tree.get("vars")
        self.variables = variables.items if variables else {}

    def run(self) -> _Composed:
        unread = frozenset(stem for folder in self.chain for stem in folder.unread)
        identities = sorted({key for folder in self.chain for key in folder.specs})
        readable = (key for key in identities if key[1] not in unread)
        composed = (self._spec(KINDS[kind], stem) for kind, stem in readable)
        specs = tuple(spec for spec in composed if spec)
        environment = Environment(
            self.chain[-1].name,
            tuple(folder.description.file for folder in reversed(self.chain)),
            self.tree,
            tuple(_destinations(self.tree, self.chain[-1].name)),
            specs,
            {(spec.kind.name, spec.name): spec for spec in reversed(specs)},
            unread | self.misnamed,
        )
        return _Composed(environment, self.found, self.used)

    def _spec(self, kind: Kind, stem: str) -> Spec | None:
        """A spec, unless it is disabled."""
        said = (folder.specs.get((kind.name, stem)) for folder in self.chain)
        parts = [part for part in said if part]
        if _is_disabled(parts):
            return None
        shape = self.shapes[kind.name]
        files = [self._layer(part.tree, kind) for part in parts]
        defaults = self._defaults(kind)
        self._note((*files, *defaults), stem)
        merged = merge([layer.tree for layer in (*defaults, *files)], shape)
        additions = _additions(files, shape) if defaults else merged.additions
        names = (*(p.file for p in reversed(parts)), *(text for p in parts for text in p.texts))
        notes = (*map(_added, additions), *map(_unheard, merged.unheard))
        self.found += (item.about(related=names) for item in notes)
        tree = _without(merged.tree, ("disabled",))
        if wrong := self._misnamed(parts[0], tree):
            self.found.append(wrong)
            self.misnamed.add(stem)
            return None
        return Spec(kind, stem, self.chain[-1].name, names, tree)

    def _misnamed(self, part: Part, tree: Node) -> Diagnostic | None:
        """Whether what only the environment itself has is meant for something inherited."""
        missing = missing_keys(tree, strict_schema(part.kind.name))
        identity = (part.kind.name, part.stem)
        if not missing or self.chain[-1].specs.get(identity) is not part:
            return None
        stems = (stem for kind, stem in self._inherited if kind == part.kind.name)
        return misnamed(part, missing, sorted(stems))

    @cached_property
    def _inherited(self) -> set[tuple[str, str]]:
        """The specs of which the environment itself says nothing."""
        *above, own = self.chain
        return {key for folder in above for key in folder.specs} - own.specs.keys()

    def _defaults(self, kind: Kind) -> tuple[_Layer, ...]:
        if kind.name not in self.defaults:
            said = (folder.description.tree.get("defaults", kind.name) for folder in self.chain)
            maps = (node for node in said if node is not None and isinstance(node.value, dict))
            self.defaults[kind.name] = tuple(self._layer(node, kind) for node in maps)
        return self.defaults[kind.name]

    def _layer(self, tree: Node, kind: Kind) -> _Layer:
        done = substitute(tree, self.variables, self.shapes[kind.name], kind.text_files)
        found = tuple(self._undefined(tree, finding) for finding in done.found)
        return _Layer(done.tree, done.used, found)

    def _note(self, layers: Iterable[_Layer], stem: str) -> None:
        for layer in layers:
            self.found += layer.found
            for name in layer.used:
                self.used.setdefault(name, set()).add(stem)

    def _undefined(self, layer: Node, finding: Finding) -> Diagnostic:
        from renderer.text import embedded

        where = embedded.place(layer, finding, self.documents)
        return UNDEFINED.at(where, finding.message, finding.fix)


def _additions(files: list[_Layer], shape: Shape) -> tuple[Addition, ...]:
    """What files add to what the files above them have; items of defaults are no expectation."""
    return merge([layer.tree for layer in files], shape).additions if len(files) > 1 else ()


def _same_names(environment: Environment) -> Iterator[Diagnostic]:
    for spec in environment.specs:
        known = environment.by_name[spec.kind.name, spec.name]
        if known is not spec:
            message = f"{known.file} is called {spec.name!r} already"
            finding = SAME_NAME.at(
                spec.name_node.origin, message, "give one of the two another name"
            )
            yield finding.about(environment.name, related=(*spec.files, *known.files))


def _is_disabled(parts: list[Part]) -> bool:
    """As the most specific file that speaks of it says."""
    said = (part.tree.get("disabled") for part in reversed(parts))
    return next((node.value is True for node in said if node), False)


def _without(tree: Node, keys: tuple[str, ...]) -> Node:
    if not any(key in tree.items for key in keys):
        return tree
    kept = {key: node for key, node in tree.items.items() if key not in keys}
    return tree._replace(value=kept)


def _destinations(tree: Node, environment: str) -> Iterator[Destination]:
    listing = tree.get("destinations")
    for node in listing.elements if listing else ():
        named = [node.get(key) for key in ("name", "platform", "cluster")]
        name, platform, cluster = (str(item.value) if item else "" for item in named)
        yield Destination(name, platform, cluster or f"{environment}/{name}", node)


def _added(addition: Addition) -> Diagnostic:
    what = path_text(addition.path[:-1])
    message = f"this adds an item to {what} that no environment above has"
    fix = "check its key for a typo, or add the item to the environment above"
    return ADDED.at(addition.key.origin, message, fix)


def _unheard(word: Node) -> Diagnostic:
    message = "this speaks to the items of a list, and there are none"
    return UNHEARD.at(word.key or word.origin, message, "add the items, or delete it")


def unused_variables(environments: Iterable[Environment], uses: Uses) -> Iterator[Diagnostic]:
    """Definitions that no environment with output uses, each at its own place."""
    defined: dict[Origin, tuple[str, list[str]]] = {}
    used: set[Origin] = set()
    for environment in environments:
        described = (name for _, name in described_variables(environment.tree))
        names = {*uses.get(environment.name, ()), *described}
        variables = environment.tree.get("vars")
        for name, node in variables.items.items() if variables else ():
            where = node.key or node.origin
            if name in names:
                used.add(where)
            if environment.destinations:
                defined.setdefault(where, (name, []))[1].append(environment.name)
    for where, (name, heirs) in defined.items():
        if where not in used:
            message = f"the variable {name!r} is not used"
            finding = UNUSED_VARIABLE.at(where, message, "delete it, or use it")
            yield finding.about(*heirs)
