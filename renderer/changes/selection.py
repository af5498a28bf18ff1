"""Some specs of two states: which ones names mean, and what of a comparison is about them."""

from collections.abc import Collection, Iterable, Iterator

from renderer.errors import UsageError
from renderer.evaluate.group import compose_group
from renderer.evaluate.inputs import GROUPED
from renderer.evaluate.project import Project
from renderer.evaluate.question import Shard, spec_named
from renderer.values.changes import AffectedObject
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import SpecKey, stem_of
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Output

_State = Project | Output
_Identity = tuple[str, str]


class Selection(NamedTuple):
    """Specs by kind and stem, and the files that have parts of them; without specs, everything."""

    specs: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()

    def objects(self, found: Iterable[AffectedObject]) -> Iterator[AffectedObject]:
        """The objects of the specs, and what others do to them."""
        for item in found:
            if not self.specs or not self.specs.isdisjoint(str(s.spec) for s in item.change.sides):
                yield item
                continue
            impacts = tuple(pair for pair in item.impacts if pair[1].spec in self.specs)
            if impacts:
                yield item._replace(impacts=impacts)

    def has(self, key: SpecKey) -> bool:
        return not self.specs or f"{key.kind}/{key.stem}" in self.specs

    def findings(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        for item in found:
            if not self.specs or not self.files.isdisjoint((item.file, *item.related)):
                yield item


def select(names: Collection[str], *states: _State) -> Selection:
    """The specs that names mean, `[KIND/]STEM`, on either side."""
    wanted = {_identity(name, states) for name in names}
    files = {
        file
        for state in states
        for stem in {s for _, s in wanted}
        for file in _wanted_files(state, stem, wanted)
    }
    return Selection(frozenset("/".join(item) for item in wanted), frozenset(files))


def _identity(name: str, states: Iterable[_State]) -> _Identity:
    stem = name.rpartition("/")[2]
    others = {("", other) for state in states for other in _stems(state) if other != stem}
    return spec_named(name, others.union(*(_files_by_identity(state, stem) for state in states)))


def _stems(state: _State) -> set[str]:
    if isinstance(state, Output):
        return {item.spec.stem for item in state.manifests}
    return {*state.stems, *(part.stem for part in state.shared.parts)}


def _wanted_files(state: _State, stem: str, wanted: Collection[_Identity]) -> Iterator[str]:
    for identity, files in _files_by_identity(state, stem).items():
        if identity in wanted:
            yield from files


def _files_by_identity(state: _State, stem: str) -> dict[_Identity, list[str]]:
    """What there is under a stem, with its files."""
    found: dict[_Identity, list[str]] = {}
    if isinstance(state, Output):
        for item in state.manifests:
            if item.spec.stem == stem:
                found.setdefault(item.spec.identity, []).append(item.path)
        return found
    shared = (part for part in state.shared.parts if part.stem == stem)
    own = compose_group(state.group(stem), state.shared, ()).parts
    for part in (*shared, *own):
        found.setdefault((part.kind.name, stem), []).append(part.file)
    return found


class Part(NamedTuple):
    """The part of a comparison that a shard reports: its own groups, and all prerequisites.

    Prerequisites are in every part, each time with the impacts on the shard's own groups.
    """

    shard: Shard
    groups: frozenset[str]

    def objects(self, found: Iterable[AffectedObject]) -> Iterator[AffectedObject]:
        for item in found:
            spec = item.change.manifest.spec
            if spec.kind.name not in GROUPED:
                kept = (pair for pair in item.impacts if self._owns(pair[1].spec))
                yield item._replace(impacts=tuple(kept), is_shared=True)
            elif self.shard.owns_group(spec.stem):
                yield item

    def _owns(self, spec: str) -> bool:
        return self.shard.owns_group(spec.rpartition("/")[2])

    def has(self, key: SpecKey) -> bool:
        return key.kind not in GROUPED or self.shard.owns_group(key.stem)

    def findings(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """All but the findings in files of other groups."""
        for item in found:
            if item.file not in self.groups or self.shard.owns_group(stem_of(item.file)):
                yield item


def part_of(shard: Shard, *states: _State) -> Part:
    """The part of a comparison of two repositories that a shard reports."""
    files: set[str] = set()
    for state in states:
        if isinstance(state, Output):
            raise UsageError("rendered output is compared as a whole; --shard is for two states")
        files.update(file for some in state.inputs.groups.values() for file in some)
    return Part(shard, frozenset(files))
