"""Converted specs as files of an environment: their names, what they inherit, and their texts."""

from collections.abc import Iterable, Mapping, Sequence

from renderer.adopt.conversion import ConvertedSpec, file_stem
from renderer.adopt.overrides import override
from renderer.backends.kind_schemas import name_schema
from renderer.backends.kinds import API_VERSION, folder_of, require_kind
from renderer.compose.environments import Layers
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.merge import merge
from renderer.compose.parts import described
from renderer.compose.shapes import Shape
from renderer.evaluate.group import compose_group
from renderer.evaluate.project import Project
from renderer.schema.validation import check as check_shape
from renderer.text.wording import listed
from renderer.values.diagnostics import Origin
from renderer.values.imports import Note, Source
from renderer.values.kinds import Kind
from renderer.values.model import Environment, Spec, SpecPart
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, constant

_HEADER = Origin("", 0, 0, "begins every spec")
_HEAD = ("apiVersion", "kind")
_VARIABLE, _ESCAPED = "${vars.", "$${vars."


class Conflict(Exception):
    """Sources that cannot become specs together, or not by themselves; its texts say why."""


class Draft(NamedTuple):
    """A spec that is to be written: its file, all of its content, and where it came from.

    One that `is_there` says nothing that the environment does not say already, in its own words.
    One whose file is copied as it is has its `text`.
    """

    environment: str
    kind: Kind
    stem: str
    file: str
    tree: Node
    converted: tuple[ConvertedSpec, ...]
    is_there: bool = False
    text: str = ""

    @property
    def identity(self) -> tuple[str, str]:
        return self.kind.name, self.stem

    def __str__(self) -> str:
        return f"{self.kind.name}/{self.stem}"

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(dict.fromkeys(note for item in self.converted for note in item.imported.notes))


def add_texts(drafts: Iterable[Draft], texts: Mapping[str, str]) -> list[Draft]:
    """The drafts with the texts of those whose files are copied as they are."""
    return [draft._replace(text=_copied_text(draft, texts)) for draft in drafts]


def _copied_text(draft: Draft, texts: Mapping[str, str]) -> str:
    source, copied = draft.converted[-1].source, draft.kind.copied
    return texts[source.tree.origin.file] if copied and copied.is_one(source.tree) else ""


def drafts_of(
    converted: Sequence[ConvertedSpec], project: Project, environment: Environment
) -> list[Draft]:
    """A draft for each spec; several sources may have the same one, if they agree.

    All that do not are reported together.
    """
    conflicts: list[str] = []
    named = _group_by_object(converted)
    names = [(kind, name) for kind, _, name in named]
    drafts: dict[tuple[str, str], Draft] = {}
    for (kind_name, namespace, name), some in named.items():
        kind = _described_kind(kind_name, some[0].source, project)
        known = _existing_spec(environment, kind, name, namespace)
        plain = file_stem(name)
        clashes = names.count((kind_name, name)) > 1 or _is_taken(environment, kind, plain)
        stem = known.stem if known else f"{namespace}-{plain}" if clashes and namespace else plain
        try:
            draft = _draft(kind, stem, some, project, environment)
        except Conflict as conflict:
            conflicts += conflict.args
            continue
        if draft.identity in drafts:
            conflicts.append(f"two objects become the {kind_name} {stem!r}; import them apart")
        drafts[draft.identity] = draft
    if conflicts:
        raise Conflict(*conflicts)
    return list(drafts.values())


def _described_kind(name: str, source: Source, project: Project) -> Kind:
    """A kind by its name, as the CRDs of the repository describe it."""
    kind = require_kind(name)
    return described(kind, source.tree, project.shared.crds) if kind.is_open else kind


def _group_by_object(
    converted: Iterable[ConvertedSpec],
) -> dict[tuple[str, str, str], list[ConvertedSpec]]:
    found: dict[tuple[str, str, str], list[ConvertedSpec]] = {}
    for item in converted:
        spec = item.imported
        found.setdefault((spec.kind, spec.namespace, spec.name), []).append(item)
    return found


def _existing_spec(environment: Environment, kind: Kind, name: str, namespace: str) -> Spec | None:
    """The spec of the environment that is called like it, and is in the same namespace."""
    for spec in environment.specs:
        if spec.kind.name == kind.name and spec.name == name:
            given = spec.tree.get(*kind.name_in, "namespace")
            has_namespace = not kind.cluster_wide if kind.is_open else kind.is_namespaced
            if not has_namespace or not namespace or not given or given.value == namespace:
                return spec
    return None


def _is_taken(environment: Environment, kind: Kind, stem: str) -> bool:
    return any(spec.kind.name == kind.name and spec.stem == stem for spec in environment.specs)


def _draft(
    kind: Kind, stem: str, some: list[ConvertedSpec], project: Project, environment: Environment
) -> Draft:
    parts = parts_of_spec(project, environment.name, kind, stem)
    own = [part for part in parts if part.environment == environment.name]
    folder = f"environments/{environment.name}/{folder_of(kind.name)}"
    file = own[0].file if own else f"{folder}/{stem}.yaml"
    tree = _content(kind, stem, some, parts, project.shared.layers[environment.name])
    draft = Draft(environment.name, kind, stem, file, tree, tuple(some))
    present = next((s for s in environment.specs if s.identity == draft.identity), None)
    layers = project.shared.layers[environment.name]
    above = [part for part in parts if part not in own]
    part = SpecPart(kind, stem, environment.name, file, tree, ())
    composed = layers.spec(kind, stem, [*above, part], {}).spec
    is_there = present and composed and present.tree.plain() == composed.tree.plain()
    return draft._replace(is_there=bool(is_there))


def _content(
    kind: Kind, stem: str, some: list[ConvertedSpec], parts: list[SpecPart], layers: Layers
) -> Node:
    """What the file of the environment is to say of a spec."""
    own = [part for part in parts if part.environment == layers.name]
    above = [body_of(layers.bound_tree(part)) for part in parts if part not in own]
    whole = _whole([item for item in some if not item.imported.updates])
    updates = [_escape_fields(item.imported.tree, kind) for item in some if item.imported.updates]
    name, source, shape = some[0].imported.name, some[0].source, kind_shape(kind)
    if whole is None:
        if not parts:
            raise Conflict(
                f"{_place(some[0])} only changes the {kind.name} {name!r}, which is not there; "
                "import what created it as well"
            )
        start = own[0].tree if own else add_header(constant({}, "no file yet"), _header(kind))
        return merge([start, *updates], shape).tree
    wanted = merge([_escape_fields(whole, kind), *updates], shape).tree
    is_told = name != stem or any(tree.get(*kind.name_path) for tree in above)
    if is_told or _is_refused(kind, name):
        wanted = _add_name(wanted, kind.name_path, Node(name, source.tree.origin))
    own_tree = override(wanted, layers.defaults_of(kind), above, shape)
    return add_header(own_tree, _header(kind, source))


def _add_name(tree: Node, path: tuple[str, ...], name: Node) -> Node:
    """A tree with a name at the beginning of the mapping that has names."""
    first, *rest = path
    if not rest:
        return tree.with_members({first: name, **tree.items})
    inner = tree.get(first) or Node({}, tree.origin)
    others = {key: node for key, node in tree.items.items() if key != first}
    return tree.with_members({first: _add_name(inner, tuple(rest), name), **others})


def _is_refused(kind: Kind, name: str) -> bool:
    """Whether nothing of the kind can have a name: then it is written, and reported at its line."""
    node = Node({kind.name_field: constant(name, "a name")}, _HEADER)
    return not kind.is_open and any(check_shape(node, name_schema(kind.name)))


def parts_of_spec(project: Project, environment: str, kind: Kind, stem: str) -> list[SpecPart]:
    """The files of a spec in an environment and those above it, the most general one first."""
    chain = project.shared.layers[environment].chain
    grouped = compose_group(project.group(stem), project.shared, ()).parts
    found: list[SpecPart] = []
    for folder in chain:
        part = folder.specs.get((kind.name, stem))
        others = (p for p in grouped if p.environment == folder.name and p.kind.name == kind.name)
        found += [part] if part else list(others)[:1]
    return found


def _whole(some: list[ConvertedSpec]) -> Node | None:
    """What sources say of one spec, which is the same in all of them."""
    if not some:
        return None
    first, different = some[0], list[ConvertedSpec]()
    for item in some:
        if all(item.imported.tree.plain() != one.imported.tree.plain() for one in different):
            different.append(item)
    if len(different) > 1:
        which = "both" if len(different) == 2 else "all"  # noqa: PLR2004 - two are both
        raise Conflict(
            f"{listed(map(_place, different))} are {which} the {first.imported.kind} "
            f"{first.imported.name!r} and differ; import one of them"
        )
    return first.imported.tree


def _place(item: ConvertedSpec) -> str:
    origin = item.source.tree.origin
    return f"{origin.file}:{origin.line}"


def body_of(tree: Node) -> Node:
    """The fields of a spec without what begins its file."""
    kept = {key: node for key, node in tree.items.items() if key not in _HEAD}
    return tree.with_members(kept)


def header_of(tree: Node) -> dict[str, Node]:
    """What begins the file of a spec."""
    return {key: tree.items[key] for key in _HEAD if key in tree.items}


def _header(kind: Kind, source: Source | None = None) -> dict[str, Node]:
    """What begins the file of a new spec; what stands above an object stands above it as well."""
    first = next(iter(source.tree.items.values()), None) if source else None
    if kind.is_open and source:
        version, word = (source.tree.items[key].value for key in _HEAD)
    else:
        version, word = API_VERSION, kind.name
    head = Node(version, _HEADER, first.key if first else None)
    return {"apiVersion": head, "kind": Node(word, _HEADER)}


def add_header(tree: Node, header: Mapping[str, Node]) -> Node:
    """The fields of a spec as a file."""
    return tree.with_members({**header, **tree.items})


def _escape_fields(tree: Node, kind: Kind) -> Node:
    """Amounts as texts, and what would be taken for a variable marked as text.

    Texts that a kind may take from files are taken as they are, unless they have variables.
    """
    shape = kind_shape(kind)
    verbatim = {place.path[0] for place in kind.text_files if not place.has_variables}
    members = {
        key: node if key in verbatim else _escape_value(node, shape.member(key))
        for key, node in tree.items.items()
    }
    return tree.with_members(members)


def _escape_value(node: Node, shape: Shape) -> Node:
    value = node.value
    if isinstance(value, dict):
        return node.with_members({k: _escape_value(v, shape.member(k)) for k, v in value.items()})
    if isinstance(value, tuple):
        return node.with_members(tuple(_escape_value(item, shape.item()) for item in value))
    if isinstance(value, str):
        return node.with_value(value.replace(_VARIABLE, _ESCAPED)) if _VARIABLE in value else node
    if shape.is_quantity and isinstance(value, int | float):
        return node.with_value(node.text or str(value))
    return node
