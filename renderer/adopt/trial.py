"""Drafts tried before they are written: rendered in memory, and compared with their sources."""

from collections.abc import Iterator, Mapping, Sequence

from renderer.adopt.conversion import ConvertedSpec
from renderer.adopt.drafts import Draft
from renderer.adopt.objects import bare_object
from renderer.adopt.steering import PlaceName
from renderer.backends.kinds import used_specs
from renderer.changes.trees import differences, shape_of
from renderer.evaluate.project import Project, open_project
from renderer.evaluate.rendering import Rendering
from renderer.evaluate.run import render
from renderer.values.changes import Change
from renderer.values.diagnostics import Diagnostic, Severity
from renderer.values.files import EditedFiles, Files
from renderer.values.imports import Source
from renderer.values.model import Environment, SpecKey
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.tree import Node


class TrialDifference(NamedTuple):
    """How an object that is rendered differs from the one that was imported."""

    draft: Draft
    manifest: Manifest
    changes: tuple[Change, ...]


class Trial(NamedTuple):
    """What came of it: the errors that drafts have, differences, and what is not rendered.

    `places` are the destinations and namespaces of all objects, by the identity of their specs.
    """

    project: Project
    errors: tuple[Diagnostic, ...]
    differences: tuple[TrialDifference, ...]
    unrendered: tuple[Draft, ...]
    places: Mapping[tuple[str, str], tuple[PlaceName, ...]]


def attempt(
    drafts: Sequence[Draft], written: Mapping[str, str | None], files: Files, environment: str
) -> Trial:
    """Render an environment with the files that are to be written."""
    project = _project(files, written)
    rendering = render(project, [environment])
    composed = project.environment(environment)
    errors = tuple(_errors(drafts, rendering, written, environment))
    found: list[TrialDifference] = []
    unrendered: list[Draft] = []
    for draft in drafts:
        made = [m for m in rendering.manifests if m.spec.identity == draft.identity]
        if made and composed:
            found += _differences(draft, made, composed)
        elif not errors and not _is_used(draft, composed):
            unrendered.append(draft)
    return Trial(project, errors, tuple(found), tuple(unrendered), _places(rendering))


def _places(rendering: Rendering) -> dict[tuple[str, str], tuple[PlaceName, ...]]:
    found: dict[tuple[str, str], tuple[PlaceName, ...]] = {}
    for item in rendering.manifests:
        namespace = item.tree.get("metadata", "namespace")
        place = item.destination, str(namespace.value) if namespace else ""
        found[item.spec.identity] = (*found.get(item.spec.identity, ()), place)
    return found


def _project(files: Files, written: Mapping[str, str | None]) -> Project:
    """The repository as it would be with what is to be written, or to be deleted."""
    texts = written.items()
    edited = {path: None if text is None else text.encode() for path, text in texts}
    return open_project(EditedFiles(files, edited))


def _is_used(draft: Draft, environment: Environment | None) -> bool:
    """Whether others have what a draft says in their objects, though it has none of its own."""
    if environment is None:
        return False
    used = (item for spec in environment.specs for item in used_specs(spec, environment))
    return draft.identity in {item.identity for item in used}


def renders_alike(trial: Trial, written: Mapping[str, str | None], files: Files) -> bool:
    """Whether every environment is rendered to the same objects from other files.

    Keys may be in another order, as those that environments share come first.
    """
    before = render(trial.project)
    after = render(_project(files, written))
    sides = [{item.path: item.tree.plain() for item in one.manifests} for one in (before, after)]
    return sides[0] == sides[1]


def _errors(
    drafts: Sequence[Draft],
    rendering: Rendering,
    written: Mapping[str, str | None],
    environment: str,
) -> list[Diagnostic]:
    """What is wrong with the new files; else whatever keeps one of them from being rendered."""
    errors = [item for item in rendering.diagnostics if item.severity is Severity.ERROR]
    files = {*written, *(draft.file for draft in drafts)}
    own = [item for item in errors if item.file in files]
    keys = {SpecKey(environment, *draft.identity) for draft in drafts}
    if own or keys.isdisjoint(rendering.unsound):
        return own
    near = [item for item in errors if not files.isdisjoint(item.related)]
    return near or [item for item in errors if environment in item.environments]


def _differences(
    draft: Draft, made: list[Manifest], environment: Environment
) -> Iterator[TrialDifference]:
    """Of each object that the draft came from, unless it is rendered as it was for somewhere."""
    for item in draft.converted:
        if item.owner is None or item.imported.updates:
            continue
        found = [_changes(item, manifest, environment) for manifest in made]
        if all(found):
            closest = min(range(len(found)), key=lambda number: len(found[number]))
            yield TrialDifference(draft, made[closest], found[closest])


def _changes(
    item: ConvertedSpec, manifest: Manifest, environment: Environment
) -> tuple[Change, ...]:
    before, after = (
        amount_of(item, tree, environment) for tree in (item.source.tree, manifest.tree)
    )
    return tuple(differences(before, after, shape_of(manifest.schema)))


def amount_of(item: ConvertedSpec, tree: Node, environment: Environment) -> Node:
    """What an object comes to, by the backend that the spec belongs to."""
    importer, owner = item.backend.load().importer, item.owner
    if importer is None or owner is None:
        return tree
    cleared = bare_object(Source(tree), owner.kind, environment, is_last=item.is_last)
    return importer.amounts_to(cleared.source.tree, environment)
