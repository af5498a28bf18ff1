"""Environments and their specs, composed of all that their ancestors and they themselves say."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from renderer.backends.kind_schemas import strict_schema
from renderer.backends.kinds import ENVIRONMENT, made_by
from renderer.compose.copied_files import composition_findings, copied_spec
from renderer.compose.environment_rules import (
    ADDED,
    BROADCAST_WITHOUT_ITEMS,
    MISNAMED_VARIABLE,
    NO_REFERENCE,
    UNDEFINED,
    UNUSED_VARIABLE,
    described_variables,
)
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.merge import Addition, MergeResult, merge
from renderer.compose.parts import Folder, missing_parts
from renderer.compose.variables import substitute
from renderer.text.wording import listed, mistaken, path_text
from renderer.values.diagnostics import Diagnostic, Finding, Origin, Path, Rule, Severity
from renderer.values.identity_cache import recent_results_cached
from renderer.values.kinds import Kind
from renderer.values.model import REFERENCES, Destination, Document, Environment, Spec, SpecPart
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_NOT_INHERITED = ("extends",)
_WIDENED = "0.2.0"  # since then every list that merges by a key is looked at


class _Layer(NamedTuple):
    """What a file says of a spec, or an environment of all specs of a kind, variables bound."""

    tree: Node
    used: frozenset[str]
    found: tuple[Diagnostic, ...]


class ComposedSpec(NamedTuple):
    """A spec unless it is disabled, what is wrong with it, and the variables it uses.

    `missing` is what it lacks, if only the environment's own file has it; `mistakes` are the
    places of items that were meant to change others.
    """

    spec: Spec | None
    diagnostics: tuple[Diagnostic, ...] = ()
    used: frozenset[str] = frozenset()
    missing: tuple[str, ...] = ()
    mistakes: frozenset[Path] = frozenset()


class Layers:
    """What an environment and its ancestors say of all specs: variables and defaults.

    `found` are destinations that are perhaps misspelt. `common` are settings of the repository that
    environments lay theirs over.
    """

    def __init__(self, chain: list[Folder], common: Node | None = None) -> None:
        self.chain, self.common = chain, common
        self.name = chain[-1].name
        descriptions = [*([common] if common else []), *(_description(f) for f in chain)]
        merged = merge(descriptions, kind_shape(ENVIRONMENT))
        self.tree = _drop_keys(merged.tree, _NOT_INHERITED)
        self.found = tuple(_addition_finding(item) for item in merged.additions if _is_whole(item))
        variables = self.tree.get("vars")
        self._variables = variables.items if variables else {}
        self._defaults: dict[str, tuple[_Layer, ...]] = {}

    def environment(self, specs: tuple[Spec, ...], unread: frozenset[str]) -> Environment:
        """The environment with some of its specs."""
        return Environment(
            self.name,
            tuple(folder.description.file for folder in reversed(self.chain)),
            self.tree,
            tuple(destinations_of(self.tree, self.name)),
            specs,
            {(s.kind.name, s.name): s for s in reversed(specs) if not s.kind.is_open},
            unread,
            made=made_by([spec for spec in specs if spec.kind.is_open]),
        )

    def spec(
        self, kind: Kind, stem: str, parts: list[SpecPart], documents: Mapping[str, Document]
    ) -> ComposedSpec:
        """A spec of the files that are about it, the most general one first."""
        if is_disabled(parts):
            return ComposedSpec(None)
        if any(part.source for part in parts):
            return self._copied_spec(kind, parts)
        shape = kind_shape(kind)
        files = [self._layer(part.tree, kind, documents) for part in parts]
        defaults = self._kind_defaults(kind, documents)
        layers = (*defaults, *files)
        merged = _merged(kind, len(defaults), *(layer.tree for layer in layers))
        names = (*(p.file for p in reversed(parts)), *(text for p in parts for text in p.texts))
        notes = (
            *map(_addition_finding, merged.additions),
            *map(_broadcast_without_items, merged.broadcasts_without_items),
        )
        found = [*(item for layer in layers for item in layer.found)]
        found += (item.about(related=names) for item in notes)
        tree = merged.tree
        own = parts[0].environment == self.name
        missing = missing_parts(tree, shape, strict_schema(kind.name)) if own else ()
        mistakes = frozenset(item.path for item in merged.additions if item.is_mistake)
        used = frozenset(name for layer in layers for name in layer.used)
        spec = Spec(kind, stem, self.name, names, tree)
        return ComposedSpec(spec, tuple(found), used, tuple(missing), mistakes)

    def _copied_spec(self, kind: Kind, parts: list[SpecPart]) -> ComposedSpec:
        """A spec whose file is copied as it is."""
        defaults = (folder.description.tree.get("defaults", kind.name) for folder in self.chain)
        found = composition_findings(parts, [node for node in defaults if node and node.value])
        return ComposedSpec(copied_spec(parts, self.name, self.tree), tuple(found))

    def defaults_of(self, kind: Kind) -> tuple[Node, ...]:
        """What the environment and its ancestors say of all specs of a kind."""
        return tuple(layer.tree for layer in self._kind_defaults(kind, {}))

    def bound_tree(self, part: SpecPart) -> Node:
        """What a file says of a spec in this environment, with its variables."""
        return self._layer(part.tree, part.kind, {}).tree

    def variables_of(self, parts: list[SpecPart]) -> frozenset[str]:
        """The variables that a spec uses, without composing it."""
        kind = parts[0].kind
        if is_disabled(parts) or any(part.source for part in parts):
            return frozenset()
        layers = (
            *self._kind_defaults(kind, {}),
            *(self._layer(part.tree, kind, {}) for part in parts),
        )
        return frozenset(name for layer in layers for name in layer.used)

    def _kind_defaults(self, kind: Kind, documents: Mapping[str, Document]) -> tuple[_Layer, ...]:
        """The defaults of the chain for a kind."""
        if kind.name not in self._defaults:
            nodes = (folder.description.tree.get("defaults", kind.name) for folder in self.chain)
            maps = (node for node in nodes if node is not None and isinstance(node.value, dict))
            self._defaults[kind.name] = tuple(self._layer(node, kind, documents) for node in maps)
        return self._defaults[kind.name]

    def _layer(self, tree: Node, kind: Kind, documents: Mapping[str, Document]) -> _Layer:
        """What a file says; the same as in another environment if its variables are the same."""
        known = _known_layers(tree, kind)
        for variables, layer in known:
            if _are_alike(variables, self._variables, layer.used):
                return layer
        layer = self._bound_layer(tree, kind, documents)
        if not layer.found:
            known.append((self._variables, layer))
        return layer

    def _bound_layer(self, tree: Node, kind: Kind, documents: Mapping[str, Document]) -> _Layer:
        done = substitute(tree, self._variables, kind_shape(kind), kind.text_files)
        pairs = [*((UNDEFINED, found) for found in done.found)]
        pairs += ((NO_REFERENCE, found) for found in done.unclear)
        return _Layer(
            done.tree, done.used, tuple(_diagnose(tree, *pair, documents) for pair in pairs)
        )


@recent_results_cached
def _known_layers(tree: Node, kind: Kind) -> list[tuple[Mapping[str, Node], _Layer]]:  # noqa: ARG001
    """What a file says of a spec with the variables of some environments; filled as they ask."""
    return []


def _are_alike(some: Mapping[str, Node], others: Mapping[str, Node], used: Collection[str]) -> bool:
    """Whether variables have the same names, and those that are used the same values."""
    if some is others:
        return True
    return some.keys() == others.keys() and all(some[name] is others[name] for name in used)


@recent_results_cached
def _merged(kind: Kind, defaults: int, *layers: Node) -> MergeResult:
    """The layers of a spec as one; in the next environment they are often the same."""
    merged = merge(layers, kind_shape(kind), defaults)
    return merged._replace(tree=_drop_keys(merged.tree, kind.drops))


def _diagnose(
    layer: Node, rule: Rule, finding: Finding, documents: Mapping[str, Document]
) -> Diagnostic:
    from renderer.text import embedded

    where = embedded.place(layer, finding, documents)
    return rule.at(where, finding.message, finding.fix)


def _description(folder: Folder) -> Node:
    """What a folder says of its environment, in the form that merges."""
    tree = folder.description.tree
    if REFERENCES not in tree.items:
        return tree
    from renderer.values.references import written_out

    return written_out(tree)


def is_disabled(parts: list[SpecPart]) -> bool:
    """As the most specific file about it says."""
    drops = (part.tree.get(key) for part in reversed(parts) for key in part.kind.drops)
    return next((node.value is True for node in drops if node), False)


def _drop_keys(tree: Node, keys: tuple[str, ...]) -> Node:
    if not any(key in tree.items for key in keys):
        return tree
    kept = {key: node for key, node in tree.items.items() if key not in keys}
    return tree._replace(value=kept)


def destinations_of(tree: Node, environment: str) -> Iterator[Destination]:
    """Those that the description of an environment has; one without a cluster is one."""
    listing = tree.get("destinations")
    for node in listing.elements if listing else ():
        named = [node.get(key) for key in ("name", "platform", "cluster")]
        name, platform, cluster = (str(item.value) if item else "" for item in named)
        yield Destination(name, platform, cluster or f"{environment}/{name}", node)


def _addition_finding(addition: Addition) -> Diagnostic:
    what, alike = path_text(addition.path[:-1]), addition.alike
    name = repr(addition.key.value) if isinstance(addition.key.value, str | int) else "an item"
    message = f"this adds {name} to {what}, which no environment above has there"
    fix = "check its key for a typo, or add the item to the environment above"
    if addition.lacks:
        message += f", and it lacks {listed(map(repr, addition.lacks))}"
        fix = "write the name of the item that this is to change, or add what it lacks"
    if alike:
        place = f"{alike.origin.file}:{alike.origin.line}"
        fix = f"did you mean {alike.value!r}? Either this or the name at {place} looks misspelt; "
        fix += "if both are right, add this one there"
    found = ADDED.at(addition.key.origin, message, fix)
    if addition.is_mistake:
        return found._replace(severity=Severity.ERROR, since=_WIDENED)
    return found if addition.expected else found._replace(since=_WIDENED)


def _is_whole(addition: Addition) -> bool:
    """Whether an item of a description is complete; others are findings of their shape."""
    return addition.path[0] != "defaults" and not addition.lacks


def _broadcast_without_items(word: Node) -> Diagnostic:
    message = "this is meant for every item of a list, and the list has none"
    return BROADCAST_WITHOUT_ITEMS.at(
        word.key or word.origin, message, "add the items, or delete it"
    )


def unused_variables(
    environments: Iterable[Environment], used: Mapping[str, Collection[str]]
) -> Iterator[Diagnostic]:
    """Definitions that no environment with output uses, each at its own place."""
    defined: dict[Origin, tuple[str, list[Environment]]] = {}
    in_use: set[Origin] = set()
    for environment in environments:
        for name, node in environment.variables.items():
            where = node.key or node.origin
            if name in _used_names(environment, used):
                in_use.add(where)
            if environment.destinations:
                defined.setdefault(where, (name, []))[1].append(environment)
    for where, (name, heirs) in defined.items():
        if where not in in_use:
            known = _inherited_names(heirs[0], _used_names(heirs[0], used), where)
            yield _unused_finding(where, name, heirs, known)


def _used_names(environment: Environment, used: Mapping[str, Collection[str]]) -> set[str]:
    described = (name for _, name in described_variables(environment.tree))
    return {*used.get(environment.name, ()), *described}


def _inherited_names(environment: Environment, used: set[str], where: Origin) -> dict[str, Origin]:
    """Variables in use that another file than that of a place defines."""
    places = {name: node.origin for name, node in environment.variables.items() if name in used}
    return {name: place for name, place in places.items() if place.file != where.file}


def _unused_finding(
    where: Origin, name: str, heirs: list[Environment], known: Mapping[str, Origin]
) -> Diagnostic:
    """A variable that nothing uses; perhaps an inherited one was meant."""
    finding = UNUSED_VARIABLE.at(
        where, f"the variable {name!r} is not used", "delete it, or use it"
    )
    if meant := mistaken(name, known):
        place = known[meant]
        message = f"nothing uses the variable {name!r}, and {meant!r} is what "
        message += f"{place.file}:{place.line} says"
        finding = MISNAMED_VARIABLE.at(where, message, f"did you mean {meant!r}?")
        if any(item.is_production for item in heirs):
            finding = finding._replace(severity=Severity.ERROR)
    return finding.about(*(item.name for item in heirs))
