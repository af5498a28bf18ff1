"""From foreign texts to the files of specs, ready to be written all at once."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from renderer.adopt.config_texts import move_texts_to_files
from renderer.adopt.content_names import follow_own_names
from renderer.adopt.conversion import Conversion, ConvertedSpec, convert, source_title
from renderer.adopt.drafts import Conflict, Draft, add_texts, drafts_of
from renderer.adopt.needs import missing_objects
from renderer.adopt.pages import Pages, text_at
from renderer.adopt.provided import Ambiguity, Provision, listed_objects, provide
from renderer.adopt.sharing import Sharing, family_of, share
from renderer.adopt.source_places import source_places
from renderer.adopt.sources import ForeignText, Sources, read_sources
from renderer.adopt.steering import add_company, steer
from renderer.adopt.trial import Trial, TrialDifference, attempt, renders_alike
from renderer.backends import BACKENDS
from renderer.evaluate.project import Project
from renderer.text import rules as problems
from renderer.text.expressions import expression
from renderer.text.yaml_editor import Uneditable
from renderer.values.diagnostics import Diagnostic, has_errors
from renderer.values.files import Files
from renderer.values.imports import ListedObject, SkippedSource
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node, Plain, walk

#: What each file is to hold: a tree, a text, or nothing any more.
Trees = Mapping[str, "Node | str | None"]


_HOLDS_DATA = expression(r"\b(?:data|stringData|Secret)\b")


class SpecFile(NamedTuple):
    """A file that an import writes, or takes away if it has no text, and what it says now.

    `imported` is what it would say if nothing were shared.
    """

    path: str
    text: str | None
    before: str | None
    imported: str | None


class Adoption(NamedTuple):
    """What an import comes to: files, and all that there is to say of them.

    `missing` are objects that drafts need and nothing makes.
    `destinations` are lines that the environment lacks, `unreadable` is what is wrong with the
    texts themselves, `conflicts` keep them from becoming specs together. `project` has the files
    in place; `texts` are what was read and may be shown, into which errors point. Of a list of what
    a cluster has there is a `provision` alone.
    """

    environment: str
    drafts: tuple[Draft, ...] = ()
    files: tuple[SpecFile, ...] = ()
    skipped: tuple[SkippedSource, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    differences: tuple[TrialDifference, ...] = ()
    unrendered: tuple[Draft, ...] = ()
    destinations: tuple[Plain, ...] = ()
    unshared: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    unreadable: tuple[Diagnostic, ...] = ()
    conflicts: tuple[str, ...] = ()
    project: Project | None = None
    provision: Provision | None = None
    texts: Mapping[str, str] = MappingProxyType({})


def adopt(
    given: Iterable[ForeignText],
    project: Project,
    environment: Environment,
    *,
    shares: bool = False,
) -> Adoption:
    """The specs of an environment that texts become; nothing is written.

    One that `shares` moves what all environments have in common to the one that they extend.
    """
    read = read_sources(given)
    if _is_unreadable(read):
        return Adoption(environment.name, unreadable=read.diagnostics, texts=_texts_to_show(read))
    if objects := listed_objects(read.sources, environment):
        return _provided(objects, project, environment)
    converted = follow_own_names(convert(read.sources, environment))
    found = _drop_unplaceable(converted, environment)
    disputed = _disputed_findings(read, found)
    if disputed:
        return Adoption(environment.name, unreadable=disputed, texts=_texts_to_show(read))
    skipped = (*read.skipped, *found.skipped)
    if missing := _missing_destinations(found, environment):
        return Adoption(environment.name, skipped=skipped, destinations=missing)
    try:
        drafts = add_company(drafts_of(found.specs, project, environment), environment)
        drafts = add_texts(drafts, read.texts)
    except Conflict as error:
        return Adoption(environment.name, skipped=skipped, conflicts=error.args)
    pages = Pages({**read.texts, **_own_texts(drafts, project.files)})
    result = _try_drafts(drafts, pages, project, environment.name, shares=shares)
    return result._replace(skipped=skipped, texts=_texts_to_show(read))


def _provided(objects: list[ListedObject], project: Project, environment: Environment) -> Adoption:
    """What specs need of all that a cluster has."""
    try:
        found = provide(objects, project, environment)
    except Ambiguity as error:
        return Adoption(environment.name, conflicts=(str(error),))
    except Uneditable as error:
        why = f"{environment.file} cannot be edited: {error}; edit it by hand"
        return Adoption(environment.name, conflicts=(why,))
    return Adoption(environment.name, provision=found)


def _try_drafts(
    drafts: list[Draft], pages: Pages, project: Project, environment: str, *, shares: bool
) -> Adoption:
    """What comes of drafts when they are rendered, and the files that they need."""
    trial, drafts = _steered_trial(drafts, pages, project, environment)
    made = unshared = _trees(drafts, project.files)
    kept: tuple[str, ...] = ()
    if shares:
        made, kept = _share(drafts, made, project, trial, pages)
    return Adoption(
        environment,
        tuple(drafts),
        _files(_texts(made, pages), _texts(unshared, pages), project.files),
        errors=source_places(trial.errors, unshared, _texts(unshared, pages)),
        differences=trial.differences,
        unrendered=trial.unrendered,
        unshared=kept,
        missing=missing_objects(drafts, trial.project.environment(environment)),
        project=trial.project,
    )


def _steered_trial(
    drafts: list[Draft], pages: Pages, project: Project, environment: str
) -> tuple[Trial, list[Draft]]:
    """Drafts tried, and tried again if some of them go where nothing of them came from."""

    def tried(some: list[Draft]) -> Trial:
        return attempt(some, _texts(_trees(some, project.files), pages), project.files, environment)

    trial = tried(drafts)
    composed = trial.project.environment(environment)
    steered = steer(drafts, trial.places, composed) if composed else drafts
    return (trial, drafts) if steered == drafts else (tried(steered), steered)


def _texts_to_show(read: Sources) -> Mapping[str, str]:
    """The texts of which lines may be shown: none that may hold a Secret.

    Its values may be called anything, and in a text that is cut its kind may be missing.
    """
    return {name: text for name, text in read.texts.items() if not _HOLDS_DATA.search(text)}


def _is_unreadable(read: Sources) -> bool:
    return has_errors(item for item in read.diagnostics if item.code != problems.AMBIGUOUS.code)


def _disputed_findings(read: Sources, found: Conversion) -> tuple[Diagnostic, ...]:
    """Values that readers dispute, if they are part of a spec; what is left out does not matter."""
    if not read.diagnostics:
        return ()
    used = {node.origin.place for item in found.specs for _, node in walk(item.imported.tree)}
    return tuple(item for item in read.diagnostics if item.place in used)


def _drop_unplaceable(found: Conversion, environment: Environment) -> Conversion:
    """Without objects beside specs of other platforms, for which there is no destination."""
    platforms = {item.platform for item in environment.destinations}
    needed = {item.backend.platform for item in found.specs if not _is_open(item)}
    kept: list[ConvertedSpec] = []
    skipped = [*found.skipped]
    for item in found.specs:
        platform = item.backend.platform
        if not platforms or not _is_open(item) or platform in {*platforms, *needed}:
            kept.append(item)
        else:
            why = f"the environment has no destination of {platform}; add one to keep it beside"
            skipped.append(SkippedSource(item.source.tree.origin, source_title(item.source), why))
    return Conversion(tuple(kept), tuple(skipped))


def _is_open(item: ConvertedSpec) -> bool:
    return item.owner is not None and item.owner.kind.is_open


def _missing_destinations(found: Conversion, environment: Environment) -> tuple[Plain, ...]:
    """What the environment would have to list, of platforms that it has no destination of."""
    lines: list[Plain] = []
    for backend in BACKENDS:
        specs = [item.imported for item in found.specs if item.backend is backend]
        importer = backend.load().importer if specs else None
        if importer and not environment.platform_destinations(backend.platform):
            lines += (one for one in importer.destinations(specs) if one not in lines)
    return tuple(lines)


def _trees(drafts: Iterable[Draft], files: Files) -> Trees:
    """What each file is to hold: a tree, or a text that a spec takes from it."""
    made: dict[str, Node | str | None] = {}
    for draft in (draft for draft in drafts if not draft.is_there):
        with_texts = move_texts_to_files(draft, files)
        made[draft.file] = draft.text or with_texts.tree
        made |= with_texts.files
    return made


def _texts(made: Trees, pages: Pages) -> dict[str, str | None]:
    return {
        path: pages.text(item, path) if isinstance(item, Node) else item
        for path, item in made.items()
    }


def _files(
    texts: Mapping[str, str | None], imported: Mapping[str, str | None], files: Files
) -> tuple[SpecFile, ...]:
    return tuple(
        SpecFile(path, text, text_at(files, path), imported.get(path))
        for path, text in texts.items()
    )


def _own_texts(drafts: Iterable[Draft], files: Files) -> dict[str, str]:
    """The files that are written anew, whose comments stay."""
    found = ((draft.file, text_at(files, draft.file)) for draft in drafts)
    return {path: text for path, text in found if text is not None}


def _share(
    drafts: Iterable[Draft], made: Trees, project: Project, trial: Trial, pages: Pages
) -> tuple[Trees, tuple[str, ...]]:
    """With what environments have in common moved, as far as nothing is rendered otherwise."""
    sharings: dict[str, Sharing] = {}
    for draft in drafts:
        tree = made.get(draft.file)
        if isinstance(tree, Node):
            family = family_of(project, draft.environment)
            sharings[str(draft)] = share(draft, tree, project, family)
    kept = [reason for sharing in sharings.values() for reason in sharing.kept]
    movable = {name: sharing for name, sharing in sharings.items() if not sharing.kept}

    def is_alike(trees: Trees) -> bool:
        return renders_alike(trial, _texts(trees, pages), project.files)

    every = {**made, **{path: t for one in movable.values() for path, t in one.trees.items()}}
    if is_alike(every):
        return every, tuple(kept)
    for name, sharing in movable.items():
        moved = {**made, **sharing.trees}
        if is_alike(moved):
            made = moved
        else:
            kept.append(f"{name} would be rendered otherwise")
    return made, tuple(kept)
