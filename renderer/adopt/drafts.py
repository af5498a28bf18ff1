"""Converted specs as files of an environment: their names, what they inherit, and their texts."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from renderer.adopt.conversion import Converted
from renderer.adopt.objects import changed_texts
from renderer.adopt.overrides import override
from renderer.backends.kinds import API_VERSION, KINDS
from renderer.compose.kind_shapes import kind_shape
from renderer.compose.merge import merge
from renderer.errors import RendererError
from renderer.evaluate.group import compose_group
from renderer.evaluate.project import Project
from renderer.values.diagnostics import Origin
from renderer.values.imports import Note
from renderer.values.model import Environment, Kind, Part, Spec
from renderer.values.tree import Node, constant

_HEADER = Origin("", 0, 0, "begins every spec")
_VARIABLE, _ESCAPED = "${vars.", "$${vars."


class Draft(NamedTuple):
    """A spec that is to be written: its file, all of its content, and where it came from."""

    kind: Kind
    stem: str
    file: str
    tree: Node
    converted: tuple[Converted, ...]

    @property
    def identity(self) -> tuple[str, str]:
        return self.kind.name, self.stem

    def __str__(self) -> str:
        return f"{self.kind.name}/{self.stem}"

    @property
    def notes(self) -> tuple[Note, ...]:
        return tuple(dict.fromkeys(note for item in self.converted for note in item.imported.notes))


def drafts_of(
    converted: Sequence[Converted], project: Project, environment: Environment
) -> list[Draft]:
    """A draft for each spec; several sources may speak of one, if they say the same of it."""
    named = _by_object(converted)
    names = [(kind, name) for kind, _, name in named]
    drafts: dict[tuple[str, str], Draft] = {}
    for (kind_name, namespace, name), some in named.items():
        kind = KINDS[kind_name]
        known = _known(environment, kind, name, namespace)
        clashes = names.count((kind_name, name)) > 1 or _is_taken(environment, kind, name)
        stem = known.stem if known else f"{namespace}-{name}" if clashes and namespace else name
        draft = _draft(kind, stem, some, project, environment)
        if draft.identity in drafts:
            raise RendererError(f"two objects become the {kind_name} {stem!r}; import them apart")
        drafts[draft.identity] = draft
    return list(drafts.values())


def _by_object(converted: Iterable[Converted]) -> dict[tuple[str, str, str], list[Converted]]:
    found: dict[tuple[str, str, str], list[Converted]] = {}
    for item in converted:
        spec = item.imported
        found.setdefault((spec.kind, spec.namespace, spec.name), []).append(item)
    return found


def _known(environment: Environment, kind: Kind, name: str, namespace: str) -> Spec | None:
    """The spec of the environment that is called like it, and is in the same namespace."""
    for spec in environment.specs:
        if spec.kind is kind and spec.name == name:
            given = spec.tree.get("namespace")
            if not kind.is_namespaced or not namespace or not given or given.value == namespace:
                return spec
    return None


def _is_taken(environment: Environment, kind: Kind, stem: str) -> bool:
    return any(spec.kind is kind and spec.stem == stem for spec in environment.specs)


def _draft(
    kind: Kind, stem: str, some: list[Converted], project: Project, environment: Environment
) -> Draft:
    said = parts_of_spec(project, environment.name, kind, stem)
    above = [part for part in said if part.environment != environment.name]
    own = [part for part in said if part.environment == environment.name]
    file = own[0].file if own else f"environments/{environment.name}/{folder_of(kind)}/{stem}.yaml"
    whole = _whole([item for item in some if not item.imported.updates])
    updates = [_escaped(item.imported.tree, kind) for item in some if item.imported.updates]
    name = some[0].imported.name
    if whole is None and not said:
        raise RendererError(
            f"{_place(some[0])} only changes the {kind.name} {name!r}, which is not there; "
            "import what created it as well"
        )
    shape = kind_shape(kind.name)
    if whole is None:
        start = own[0].tree if own else _with_header(constant({}, ""), kind)
        tree = merge([start, *updates], shape).tree
        return Draft(kind, stem, file, tree, tuple(some))
    wanted = _escaped(whole, kind)
    wanted = merge([wanted, *updates], shape).tree if updates else wanted
    if name != stem:
        field = {kind.name_field: Node(name, some[0].source.tree.origin)}
        wanted = wanted.with_members({**field, **wanted.items})
    layers = project.shared.layers[environment.name]
    tree = override(wanted, layers.defaults_of(kind), [layers.bound(part) for part in above], shape)
    return Draft(kind, stem, file, _with_header(tree, kind), tuple(some))


def folder_of(kind: Kind) -> str:
    """The folder that specs of a kind are put into."""
    return f"{kind.name.lower()}s"


def parts_of_spec(project: Project, environment: str, kind: Kind, stem: str) -> list[Part]:
    """The files of a spec in an environment and those above it, the most general one first."""
    chain = project.shared.layers[environment].chain
    grouped = compose_group(project.group(stem), project.shared, ()).parts
    found: list[Part] = []
    for folder in chain:
        part = folder.specs.get((kind.name, stem))
        others = (p for p in grouped if p.environment == folder.name and p.kind is kind)
        found += [part] if part else list(others)[:1]
    return found


def _whole(some: list[Converted]) -> Node | None:
    """What sources say of one spec, which is the same in all of them."""
    first = some[0] if some else None
    for item in some[1:]:
        if first and item.imported.tree.plain() != first.imported.tree.plain():
            spec = item.imported
            raise RendererError(
                f"{_place(first)} and {_place(item)} are both the {spec.kind} {spec.name!r} "
                "and differ; import one of them"
            )
    return first.imported.tree if first else None


def _place(item: Converted) -> str:
    origin = item.source.tree.origin
    return f"{origin.file}:{origin.line}"


def _with_header(tree: Node, kind: Kind) -> Node:
    header = {"apiVersion": Node(API_VERSION, _HEADER), "kind": Node(kind.name, _HEADER)}
    return tree.with_members({**header, **tree.items})


def _escaped(tree: Node, kind: Kind) -> Node:
    """With what would be taken for a variable marked as text, but for texts taken as they are."""
    members = dict(tree.items)
    for key, node in tree.items.items():
        if not any(place.path[0] == key for place in kind.text_files):
            members[key] = changed_texts(node, lambda text: text.replace(_VARIABLE, _ESCAPED))
    return tree.with_members(members)
