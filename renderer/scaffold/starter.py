"""The files of a new repository: what all begin with, and what each backend adds to it.

They are kept below the bundled templates, as they are to be written. Descriptions of environments
are joined of what each has to say.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from renderer import __version__
from renderer.assets import TEMPLATES
from renderer.backends.base import Backend
from renderer.backends.kinds import ENVIRONMENT, folder_of, schema_file
from renderer.bootstrap.argocd import argocd_files
from renderer.bootstrap.flux import flux_files
from renderer.bootstrap.places import AppliedFolder, folders_of
from renderer.bootstrap.sources import RepositorySource, source_of
from renderer.compose.environments import destinations_of
from renderer.compose.settings import MARKER, repository_settings
from renderer.text.yaml_reader import read
from renderer.values.diagnostics import release
from renderer.values.model import Environment, Settings, environment_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: Where the schemas for editors go.
SCHEMAS = ".schemas"
#: In a file that has to be filled in.
PLACEHOLDER = "OWNER/"
_COMMON, _POLICIES = "common", "policies"
_NUMBERS = ".".join(map(str, release(__version__)[:3]))
_RULES_AS_OF = f"\nrules_as_of: {_NUMBERS}  # what only newer versions find is a warning at most\n"
_EDITOR = ".vscode/settings.json"
_DESCRIPTION = "environment.yaml"
_CONTROLLERS: dict[str, Callable[[Sequence[AppliedFolder], RepositorySource], dict[str, str]]] = {
    "argocd": argocd_files,
    "flux": flux_files,
}


class Choice(NamedTuple):
    """What a new repository is for: its backends, and its forge and controller, if any.

    `place` is its path in a Git repository that is there already. With `policies`, it begins with
    rules of its own.
    """

    backends: tuple[Backend, ...]
    forge: str = ""
    controller: str = ""
    place: str = ""
    policies: bool = False


def starter_files(choice: Choice) -> dict[str, str]:
    """The texts of all files by their paths; the one that marks a repository is the last."""
    own_rules = _POLICIES if choice.policies else ""
    folders = [f"starter/{name}" for name in (_COMMON, choice.forge, own_rules) if name]
    found: dict[str, list[str]] = {}
    for folder in (*folders, *(item.starter for item in choice.backends if item.starter)):
        for path, text in _texts(folder):
            found.setdefault(path, []).append(text)
    files = {path: _made_of(path, texts) for path, texts in found.items()}
    files[MARKER] += _RULES_AS_OF
    if choice.controller:
        files |= _gitops_files(choice, files)
    files[_EDITOR] = _editor_settings(choice.backends)
    return {path: files[path] for path in sorted(files, key=lambda path: (path == MARKER, path))}


def _made_of(path: str, texts: list[str]) -> str:
    """Settings and descriptions of environments have a part from all; other files are of one."""
    if path == MARKER or path.endswith(f"/{_DESCRIPTION}"):
        return join_sections(texts)
    (text,) = texts
    return text


def _texts(folder: str) -> Iterator[tuple[str, str]]:
    """The files of a folder below the bundled templates, by their paths in it."""
    top = os.path.join(TEMPLATES, folder)
    for place, _, names in os.walk(top):
        for name in names:
            full = os.path.join(place, name)
            with open(full, encoding="utf-8", newline="") as stream:
                yield os.path.relpath(full, top).replace(os.sep, "/"), stream.read()


def _gitops_files(choice: Choice, files: Mapping[str, str]) -> dict[str, str]:
    """What the controller needs to apply what the files come to."""
    source = source_of("git")._replace(specs=choice.place)
    made = _CONTROLLERS[choice.controller](list(_places(files)), source)
    return {f"gitops/{choice.controller}/{path}": text for path, text in made.items()}


def _places(files: Mapping[str, str]) -> Iterator[AppliedFolder]:
    """The destinations of the environments that the files describe."""
    common = repository_settings(Settings(tree=_tree(files, MARKER)))
    for path in sorted(files):
        if path.endswith(f"/{_DESCRIPTION}") and (tree := _tree(files, path)):
            name = environment_of(path)
            where = tuple(destinations_of(tree, name))
            known = tree.with_members({**(common.items if common else {}), **tree.items})
            yield from folders_of(Environment(name, (path,), known, where, (), {}))


def _tree(files: Mapping[str, str], path: str) -> Node | None:
    return read(files[path].encode(), path).document.tree


def _editor_settings(backends: Sequence[Backend]) -> str:
    """Which schema is for which files, for editors with the YAML language server."""
    places = {ENVIRONMENT.name: f"environments/*/{_DESCRIPTION}"}
    for kind in (kind for backend in backends for kind in backend.kinds):
        places[kind.name] = f"environments/*/{folder_of(kind.name)}/*.yaml"
    schemas = {f"{SCHEMAS}/{schema_file(kind)}": glob for kind, glob in places.items()}
    return json.dumps({"yaml.schemas": schemas}, indent=2) + "\n"


class _Section(NamedTuple):
    """The lines down to the key, and the entries below it, each with the comments above it."""

    head: tuple[str, ...]
    entries: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.head[-1]

    @property
    def is_empty(self) -> bool:
        """Whether it is a key without an entry."""
        return self.key.endswith(":") and not self.entries

    def __str__(self) -> str:
        return "\n".join((*self.head, *self.entries))


def join_sections(texts: Iterable[str]) -> str:
    """All sections, those of one key as one; what several say alike is said once."""
    known: dict[str, _Section] = {}
    for section in (section for text in texts for section in _sections(text)):
        first = known.setdefault(section.key, section)
        more = tuple(entry for entry in section.entries if entry not in first.entries)
        known[section.key] = first._replace(entries=(*first.entries, *more))
    return "\n\n".join(str(section) for section in known.values() if not section.is_empty) + "\n"


def _sections(text: str) -> Iterator[_Section]:
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        head = tuple(line for line in lines if not line.startswith(" "))
        yield _Section(head, tuple(_entries(lines[len(head) :])))


def _entries(lines: list[str]) -> Iterator[str]:
    entry: list[str] = []
    for line in lines:
        is_first = line[2] != " "
        if is_first and any(not line.lstrip().startswith("#") for line in entry):
            yield "\n".join(entry)
            entry = []
        entry.append(line)
    if entry:
        yield "\n".join(entry)
