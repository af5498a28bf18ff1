"""A repository that was opened: its shared inputs are read, its groups are read when needed."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from renderer.evaluate.checks import CheckedShared, check_shared
from renderer.evaluate.group import FileGroup, compose_group, stems_among_shared
from renderer.evaluate.inputs import Inputs, read_source
from renderer.evaluate.judgement import Judgement
from renderer.evaluate.question import refuse_unknown
from renderer.evaluate.shared import Shared, read_shared
from renderer.text.decoder import SPEC_LIMITS, decode
from renderer.values.diagnostics import Diagnostic
from renderer.values.files import Files, Unreadable
from renderer.values.model import Document, Environment, Settings, Spec

_TEMPLATES = "templates/"


class Project:
    """A repository: what its specs share, and where the files of each group are."""

    def __init__(self, files: Files, shared: Shared, inputs: Inputs) -> None:
        self.files, self.shared, self.inputs = files, shared, inputs
        self.stems = tuple(sorted({*inputs.groups, *stems_among_shared(shared)}))

    @property
    def settings(self) -> Settings:
        return self.shared.settings

    @cached_property
    def checked(self) -> CheckedShared:
        """The shared inputs, and what is wrong with them."""
        return check_shared(self.shared)

    def group(self, stem: str) -> FileGroup:
        """The files of a stem, as they are now."""
        paths = self.inputs.groups.get(stem, ())
        return FileGroup(stem, tuple(read_source(self.files, path) for path in paths))

    def is_as_found(self, group: FileGroup) -> bool:
        """Whether no file of a group changed since the repository was opened."""
        return all(item.digest == self.inputs.digests[item.path] for item in group.sources)

    def refuse_unknown(self, names: Iterable[str]) -> None:
        """Refuse names of environments that are not there; one may be there and be broken."""
        broken = {name for item in self.shared.diagnostics for name in item.environments}
        refuse_unknown(names, self.shared.environments, broken)

    @cached_property
    def environments(self) -> tuple[Environment, ...]:
        """Every environment with all of its specs."""
        specs: dict[str, list[Spec]] = {item.name: [] for item in self.shared.environments}
        unread: dict[str, set[str]] = {item.name: set() for item in self.shared.environments}
        for stem in self.stems:
            composed = compose_group(self.group(stem), self.shared, self.shared.environments)
            for name, some in composed.specs.items():
                specs[name] += (made.spec for made in some if made.spec)
                folders = {folder.name for folder in self.shared.layers[name].chain}
                unread[name] |= set() if folders.isdisjoint(composed.unread) else {stem}
        return tuple(
            self.shared.layers[item.name].environment(
                tuple(sorted((*item.specs, *specs[item.name]), key=lambda spec: spec.identity)),
                item.unread | unread[item.name],
            )
            for item in self.shared.environments
        )

    def environment(self, name: str) -> Environment | None:
        """An environment with all of its specs; nothing if it could not be composed."""
        return next((item for item in self.environments if item.name == name), None)

    @property
    def digests(self) -> Mapping[str, bytes]:
        """Of all files that were read."""
        return {**self.inputs.digests, **self.shared.reads}

    def is_firm(self, finding: Diagnostic) -> bool:
        """Whether nothing may silence a finding, as production depends on its place."""
        return self._judgement.is_firm(finding)

    @cached_property
    def _judgement(self) -> Judgement:
        specs = {item.name: item.specs for item in self.environments}
        files = {name: {f for s in some for f in s.files} for name, some in specs.items()}
        return Judgement(self.shared, {}, files)

    @property
    def documents(self) -> Mapping[str, Document]:
        """The spec files by path, each read when it is asked for."""
        return _Documents(self)

    def text_of(self, file: str) -> str | None:
        """The text of a file that findings point into; nothing if it cannot be read."""
        if template := self.shared.templates.get(file.removeprefix(_TEMPLATES)):
            return template
        known = self.shared.documents.get(file)
        if known:
            return known.source
        if file not in self.inputs.digests and file not in self.shared.reads:
            return None
        try:
            return decode(self.files.read(file, SPEC_LIMITS.size), file, SPEC_LIMITS)[0]
        except Unreadable:
            return None


def open_project(files: Files) -> Project:
    """Read what the specs of a repository share, and look where its groups are."""
    shared, inputs = read_shared(files)
    return Project(files, shared, inputs)


class _Documents(Mapping[str, Document]):
    def __init__(self, project: Project) -> None:
        self._project = project

    def __getitem__(self, file: str) -> Document:
        text = self._project.text_of(file) if file in self else None
        if text is None:
            raise KeyError(file)
        return Document(file, text, None)

    def __contains__(self, file: object) -> bool:
        return file in self._project.inputs.digests

    def __iter__(self) -> Iterator[str]:
        return iter(self._project.inputs.digests)

    def __len__(self) -> int:
        return len(self._project.inputs.digests)
