"""A group: all files of one stem. Parsed, composed in each environment, and summarised."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from renderer.backends.kinds import ENVIRONMENT, references_of
from renderer.compose.environments import ComposedSpec
from renderer.compose.parts import parts_of, same_stems
from renderer.evaluate.documents import read_documents
from renderer.evaluate.inputs import GROUPED, InputFile
from renderer.evaluate.shared import Shared
from renderer.manifests.placement import place
from renderer.values.diagnostics import Diagnostic
from renderer.values.identity_cache import cached_by_identity, recent_results_cached
from renderer.values.kinds import Kind
from renderer.values.model import Document, Environment, Spec, SpecPart, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Placement
from renderer.values.tree import Node

_NOWHERE = Placement((), ())
Paths = tuple[tuple[str, ...], ...]


class FileGroup(NamedTuple):
    """The files of one stem, in whichever environments."""

    stem: str
    sources: tuple[InputFile, ...]


class ComposedGroup(NamedTuple):
    """The parts of a group, its specs by environment, and what is wrong with its files.

    `unread` are the folders in which one of its files is no spec. `layers` are, by environment, the
    parts that each spec there is made of, the most general one first.
    """

    parts: tuple[SpecPart, ...]
    documents: Mapping[str, Document]
    diagnostics: tuple[Diagnostic, ...]
    unread: frozenset[str]
    layers: Mapping[str, list[list[SpecPart]]]
    specs: Mapping[str, tuple[ComposedSpec, ...]]


def compose_group(
    group: FileGroup, shared: Shared, environments: Iterable[Environment]
) -> ComposedGroup:
    """Parse the files of a group and compose its specs in some environments.

    A file whose kind was not known before it was parsed is among the shared ones.
    """
    documents = read_documents(group.sources)
    own = parts_of(documents.by_file.values(), {})
    parts = [part for part in own.parts if part.kind.name in GROUPED]
    _expect_findings([part.file for part in own.parts if part not in parts], documents.diagnostics)
    every = sorted((*parts, *_shared_parts(group.stem, shared)), key=lambda part: part.file)
    found = (*documents.diagnostics, *own.diagnostics, *same_stems(every))
    unread = frozenset((*own.unread, *(p.environment for p in own.parts if p not in parts)))
    texts = {**shared.documents, **documents.by_file}
    layers = {
        item.name: list(_layers_in(item, every, unread, shared)) for item in shared.environments
    }
    specs = {
        item.name: tuple(
            shared.layers[item.name].spec(parts[0].kind, group.stem, parts, texts)
            for parts in layers[item.name]
        )
        for item in environments
    }
    return ComposedGroup(tuple(every), texts, found, unread, layers, specs)


def _expect_findings(files: list[str], found: Iterable[Diagnostic]) -> None:
    """A file that is of another kind than its first lines say can only be one with a finding."""
    silent = set(files) - {item.file for item in found}
    if silent:
        raise ValueError(f"{sorted(silent)} is of another kind than it seemed")


def _shared_parts(stem: str, shared: Shared) -> list[SpecPart]:
    return _shared_parts_by_stem(shared).get(stem, [])


@cached_by_identity
def _shared_parts_by_stem(shared: Shared) -> dict[str, list[SpecPart]]:
    """The parts of groups that are in shared files, by stem."""
    found: dict[str, list[SpecPart]] = {}
    for part in shared.parts:
        if part.kind is not ENVIRONMENT and not part.kind.prerequisite:
            found.setdefault(part.stem, []).append(part)
    return found


def stems_among_shared(shared: Shared) -> Collection[str]:
    """The stems of groups that have a part in a shared file."""
    return _shared_parts_by_stem(shared).keys()


def _layers_in(
    environment: Environment, parts: list[SpecPart], unread: frozenset[str], shared: Shared
) -> Iterator[list[SpecPart]]:
    """For each kind, what the environment and its ancestors say of the spec."""
    folders = [folder.name for folder in shared.layers[environment.name].chain]
    if not parts or parts[0].stem in environment.unread or not unread.isdisjoint(folders):
        return
    first: dict[tuple[str, str], SpecPart] = {}
    for part in parts:
        first.setdefault((part.kind.name, part.environment), part)
    for kind in sorted({part.kind.name for part in parts}):
        layers = [first[kind, name] for name in folders if (kind, name) in first]
        if layers:
            yield layers


def summarise(group: FileGroup, shared: Shared) -> tuple[Summary, ...]:
    """What others may see of the specs of a group, in every environment with output."""
    placed = [item for item in shared.environments if item.destinations]
    composed = compose_group(group, shared, placed)
    return tuple(
        summary_of(made.spec, environment, made.used, is_placed=True)
        for environment in placed
        for made in composed.specs[environment.name]
        if made.spec
    )


def summary_of(
    spec: Spec, environment: Environment, variables: Iterable[str] = (), *, is_placed: bool
) -> Summary:
    """The declared part of a spec; one that is not sound goes nowhere."""
    placement = place(spec, environment) if is_placed else _NOWHERE
    return Summary(
        spec.kind.name,
        spec.stem,
        spec.environment,
        spec.files,
        spec.name_node,
        _declared_fields(spec.tree, spec.kind),
        references_of(spec, environment),
        tuple(item.name for item in placement.own),
        tuple(item.name for item in placement.prerequisites),
        tuple(sorted(variables)),
    )


@recent_results_cached
def _declared_fields(tree: Node, kind: Kind) -> Node:
    return _prune(tree, kind.summary)


def _prune(node: Node, paths: Paths) -> Node:
    """Only what some paths lead to."""
    rests = _rests(paths)
    if isinstance(node.value, dict):
        kept = {
            key: _copied(child, rests[key]) for key, child in node.value.items() if key in rests
        }
        return Node(kept, node.origin, node.key)
    if isinstance(node.value, tuple) and "*" in rests:
        return Node(
            tuple(_copied(child, rests["*"]) for child in node.value), node.origin, node.key
        )
    return Node(node.value, node.origin, node.key)


@cache
def _rests(paths: Paths) -> dict[str, Paths]:
    """By their first steps, where paths lead from there; those that end there lead nowhere."""
    rests: dict[str, list[tuple[str, ...]]] = {}
    for first, *rest in paths:
        rests.setdefault(first, []).append(tuple(rest))
    return {first: tuple(filter(None, found)) for first, found in rests.items()}


def _copied(node: Node, deeper: Paths) -> Node:
    return _prune(node, deeper) if deeper else Node(node.value, node.origin, node.key)
