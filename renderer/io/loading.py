"""From a folder to a Project; whatever is wrong with a file is a finding, not an error."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from renderer import __version__
from renderer.assets import TEMPLATES
from renderer.backends.kinds import KINDS
from renderer.compose.environment_rules import NO_ENVIRONMENT
from renderer.compose.environments import compose
from renderer.errors import UsageError
from renderer.io.required_version import require
from renderer.io.text_files import resolve
from renderer.io.worktree import Recorded, Worktree
from renderer.schema.bundle import bundled
from renderer.schema.validation import check
from renderer.text import rules as problems
from renderer.text import yaml_reader as yamlreader
from renderer.text.decoder import SPEC_LIMITS, Limits, Reading, decode, hidden_characters
from renderer.text.wording import visible
from renderer.values.diagnostics import Diagnostic, Origin
from renderer.values.files import Files, Unreadable
from renderer.values.model import Document, Project, Settings

MARKER = "servingctl.yaml"
CRD_LIMITS = Limits(size=16 << 20, depth=200)
_SPECS = (".yaml", ".yml", ".json")


class _Loaded(NamedTuple):
    documents: dict[str, Document]
    found: list[Diagnostic]


def find_root(start: str) -> str:
    """The nearest folder upward that holds the marker."""
    folder = start
    while not os.path.isfile(os.path.join(folder, MARKER)):
        if folder == os.path.dirname(folder):
            raise UsageError(
                f"no {MARKER} in {start} or above it; create one at the root of your repository "
                "(it may be empty), or name the root with --root"
            )
        folder = os.path.dirname(folder)
    return folder


def load(root: str | os.PathLike[str]) -> Project:
    """Read a repository: its settings, environments and specs, templates and CRDs."""
    return load_files(Worktree(root))


def load_files(files: Files) -> Project:
    """Read a repository from wherever its files come from."""
    files = Recorded(files)
    settings, found = read_settings(files)
    loaded = _Loaded({}, found)
    taken: set[str] = set()
    texts: dict[str, tuple[str, ...]] = {}
    for path in list(_spec_files(files, settings, loaded.found)):
        document = _document(files, path, loaded)
        if document.tree is not None:
            document, texts[path] = _with_texts(files, document, loaded.found)
            loaded.documents[path] = document
            taken.update(texts[path])
    documents = {path: item for path, item in loaded.documents.items() if path not in taken}
    composition = compose(documents.values(), texts)
    if not documents and not loaded.found:
        loaded.found.append(_nothing())
    templates = dict(_templates(files, loaded.found))
    crds = tuple(_crds(files, loaded.found))
    found = [item for item in loaded.found if item.file not in taken]
    return Project(
        settings,
        composition.environments,
        loaded.documents,
        templates,
        crds,
        (*found, *composition.diagnostics),
        composition.parts,
        composition.used,
        files.digests,
    )


def settings_of(files: Files) -> Settings:
    """What the marker says, as far as it can be read."""
    return read_settings(files)[0]


def _nothing() -> Diagnostic:
    message = "there are no environments"
    fix = "add environments/<name>/environment.yaml and specs beside it"
    return NO_ENVIRONMENT.at(Origin("environments"), message, fix)


def read_settings(files: Files) -> tuple[Settings, list[Diagnostic]]:
    """What the marker says, or what is wrong with it."""
    try:
        reading = yamlreader.read(files.read(MARKER, SPEC_LIMITS.size), MARKER)
    except Unreadable as error:
        return Settings(), [_unreadable(MARKER, error)]
    tree = reading.document.tree
    if tree is None or tree.value is None:
        return Settings(), reading.problems
    misread = {item[:3] for item in reading.problems}
    shapes = check(tree, bundled("settings.json"))
    found = [*reading.problems, *(item for item in shapes if item[:3] not in misread)]
    if found:
        return Settings(), found
    output, ignore, rules = (tree.get(key) for key in ("output", "ignore", "rules"))
    if wanted := tree.get("required_version"):
        require(str(wanted.value), __version__)
    return Settings(
        str(output.value) if output else Settings().output,
        tuple(str(node.value) for node in ignore.elements) if ignore else (),
        {code: str(node.value) for code, node in rules.items.items()} if rules else {},
        tree,
    ), []


def _spec_files(files: Files, settings: Settings, found: list[Diagnostic]) -> Iterator[str]:
    ignored = list(_matchers(settings.ignore))
    for entry in files.entries("environments"):
        if any(matches(entry.path) for matches in ignored):
            continue
        if entry.problem:
            found.append(_unreadable(entry.path, entry.problem).about(*_environment_of(entry.path)))
        elif not entry.path.lower().endswith(_SPECS):
            continue
        elif not entry.path.endswith(_SPECS):
            odd = Unreadable("its ending is not in lower case", "write .yaml, .yml or .json")
            found.append(_unreadable(entry.path, odd))
        elif hidden_characters(entry.path):
            message = "the name of a file holds a control character"
            why = "It would be shown wrongly, or steer the terminal that shows it."
            found.append(problems.KEY.at(Origin(visible(entry.path)), message, "rename it", why))
        elif entry.is_folder:
            found.append(_unreadable(entry.path, Unreadable("it is a folder", "rename it")))
        else:
            yield entry.path


def _matchers(patterns: Iterable[str]) -> Iterator[Callable[[str], object]]:
    if patterns:
        from fnmatch import translate

        yield from (re.compile(translate(pattern)).match for pattern in patterns)


def _document(files: Files, path: str, loaded: _Loaded) -> Document:
    try:
        data = files.read(path, SPEC_LIMITS.size)
    except Unreadable as error:
        loaded.found.append(_unreadable(path, error).about(*_environment_of(path)))
        reading = Reading(Document(path, "", None), [])
    else:
        reading = _read(data, path)
    loaded.found.extend(item.about(*_environment_of(path)) for item in reading.problems)
    loaded.documents[path] = reading.document
    return reading.document


def _read(data: bytes, path: str) -> Reading:
    if not path.endswith(".json"):
        return yamlreader.read(data, path)
    from renderer.text import json_reader as jsonreader

    return jsonreader.read(data, path)


def _with_texts(
    files: Files, document: Document, found: list[Diagnostic]
) -> tuple[Document, tuple[str, ...]]:
    """The document with every `{file: …}` of its kind replaced by the text of that file."""
    kind_node = document.tree.get("kind") if document.tree else None
    kind = KINDS.get(str(kind_node.value)) if kind_node else None
    if not kind or not document.tree:
        return document, ()
    resolution = resolve(files, document.file, document.tree, kind)
    found += (item.about(*_environment_of(document.file)) for item in resolution.found)
    return document._replace(tree=resolution.tree), resolution.files


def _templates(files: Files, found: list[Diagnostic]) -> Iterator[tuple[str, str]]:
    """The repository's own templates, unless they are the bundled ones themselves."""
    if os.path.realpath(f"{files.root}/templates") == os.path.realpath(TEMPLATES):
        return
    for entry in files.entries("templates"):
        if entry.problem:
            found.append(_unreadable(entry.path, entry.problem))
        if entry.is_folder or not entry.path.endswith(".j2"):
            continue
        try:
            data = files.read(entry.path, SPEC_LIMITS.size)
        except Unreadable as error:
            found.append(_unreadable(entry.path, error))
            continue
        text, faults = decode(data, entry.path, SPEC_LIMITS)
        found += faults
        if not faults:
            yield entry.path.removeprefix("templates/"), text


def _crds(files: Files, found: list[Diagnostic]) -> Iterator[Document]:
    for entry in files.entries("schemas/crds"):
        if entry.problem:
            found.append(_unreadable(entry.path, entry.problem))
        if entry.is_folder or not entry.path.endswith(_SPECS):
            continue
        try:
            data = files.read(entry.path, CRD_LIMITS.size)
        except Unreadable as error:
            found.append(_unreadable(entry.path, error))
            continue
        reading = yamlreader.read(data, entry.path, CRD_LIMITS, several=True)
        ours = {problems.AMBIGUOUS.code, problems.KEY.code}
        serious = [item for item in reading.problems if item.code not in ours]
        found += serious
        if not serious:
            yield reading.document


def _unreadable(path: str, error: Unreadable) -> Diagnostic:
    return problems.UNREADABLE.at(Origin(path), f"the file is not read: {error}", error.fix)


def _environment_of(path: str) -> tuple[str, ...]:
    segments = path.split("/")
    return (segments[1],) if len(segments) > 2 else ()  # noqa: PLR2004
