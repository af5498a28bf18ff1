"""From foreign texts to the files of specs, ready to be written all at once."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from renderer.adopt.config_texts import in_files
from renderer.adopt.conversion import Conversion, convert
from renderer.adopt.drafts import Draft, drafts_of
from renderer.adopt.sources import ForeignText, Sources, read_sources
from renderer.adopt.trial import Difference, Trial, attempt
from renderer.backends import BACKENDS
from renderer.evaluate.inputs import SPEC_ENDINGS
from renderer.evaluate.project import Project
from renderer.text import rules as problems
from renderer.text.commented_yaml import comments_in, write_commented
from renderer.text.decoder import SPEC_LIMITS
from renderer.values.diagnostics import Diagnostic, has_errors
from renderer.values.files import Files, Unreadable
from renderer.values.imports import Skipped
from renderer.values.model import Environment
from renderer.values.tree import Plain, walk


class SpecFile(NamedTuple):
    """A file that an import writes: its text, and what it says now if it is there."""

    path: str
    text: str
    before: str | None


class Adoption(NamedTuple):
    """What an import comes to: files, and all that there is to say of them.

    `destinations` are lines that the environment lacks. `project` has the files in place.
    """

    environment: str
    drafts: tuple[Draft, ...] = ()
    files: tuple[SpecFile, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    differences: tuple[Difference, ...] = ()
    unrendered: tuple[Draft, ...] = ()
    destinations: tuple[Plain, ...] = ()
    project: Project | None = None


def adopt(given: Iterable[ForeignText], project: Project, environment: Environment) -> Adoption:
    """The specs of an environment that texts become; nothing is written."""
    read = read_sources(given)
    if _is_unreadable(read):
        return Adoption(environment.name, errors=read.diagnostics)
    found = convert(read.sources, environment)
    disputed = _disputed(read, found)
    if disputed:
        return Adoption(environment.name, errors=disputed)
    skipped = (*read.skipped, *found.skipped)
    if missing := _missing_destinations(found, environment):
        return Adoption(environment.name, skipped=skipped, destinations=missing)
    drafts = drafts_of(found.specs, project, environment)
    written = _written(drafts, project.files, environment, read.texts)
    trial = attempt(drafts, written, project.files, environment.name)
    files = tuple(
        SpecFile(path, text, _text_at(project.files, path)) for path, text in written.items()
    )
    return _adoption(environment.name, drafts, files, skipped, trial)


def _adoption(
    environment: str,
    drafts: Sequence[Draft],
    files: tuple[SpecFile, ...],
    skipped: tuple[Skipped, ...],
    trial: Trial,
) -> Adoption:
    return Adoption(
        environment,
        tuple(drafts),
        files,
        skipped,
        trial.errors,
        trial.differences,
        trial.unrendered,
        project=trial.project,
    )


def _is_unreadable(read: Sources) -> bool:
    return has_errors(item for item in read.diagnostics if item.code != problems.AMBIGUOUS.code)


def _disputed(read: Sources, found: Conversion) -> tuple[Diagnostic, ...]:
    """Values that readers dispute, if they are part of a spec; what is left out does not matter."""
    if not read.diagnostics:
        return ()
    used = {node.origin.place for item in found.specs for _, node in walk(item.imported.tree)}
    return tuple(item for item in read.diagnostics if item.place in used)


def _missing_destinations(found: Conversion, environment: Environment) -> tuple[Plain, ...]:
    """What the environment would have to list, of platforms that it has no destination of."""
    lines: list[Plain] = []
    for backend in BACKENDS:
        specs = [item.imported for item in found.specs if item.backend is backend]
        importer = backend.load().importer if specs else None
        if importer and not environment.of_platform(backend.platform):
            lines += (one for one in importer.destinations(specs) if one not in lines)
    return tuple(lines)


def _written(
    drafts: Iterable[Draft], files: Files, environment: Environment, texts: Mapping[str, str]
) -> dict[str, str]:
    """The files of drafts, with the comments of the YAML that they came from."""
    comments = {
        place: comment
        for name, text in texts.items()
        for place, comment in comments_in(text, name).items()
    }
    written: dict[str, str] = {}
    for draft in drafts:
        made = in_files(draft, files, environment.name)
        written |= made.files
        is_yaml = not draft.file.endswith(SPEC_ENDINGS[-1])
        written[draft.file] = write_commented(made.tree, comments if is_yaml else {})
    return written


def _text_at(files: Files, path: str) -> str | None:
    if not files.exists(path):
        return None
    try:
        return files.read(path, SPEC_LIMITS.size).decode("utf-8", "replace")
    except Unreadable:
        return ""
