"""Sources to specs, each by the backend that knows it; what becomes no spec is reported."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.adopt.objects import Owner, bare_object, controller_of, drop_nulls, owner_of
from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.backends.kinds import API_VERSION
from renderer.text.expressions import expression
from renderer.values.imports import ImportedSpec, Note, SkippedSource, Source, Surroundings
from renderer.values.model import Environment

_NOBODYS = "servingctl has no kind of spec for it"
_NO_FILE = "no file can have that name; a name has letters, digits, '-' and '.'"
_NAME = expression(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")
_A_SPEC = "it is a spec already; put the file into the folder of an environment"


class ConvertedSpec(NamedTuple):
    """A spec and the source that it came from; one that was an object has an owner."""

    imported: ImportedSpec
    source: Source
    backend: Backend
    owner: Owner | None


class Conversion(NamedTuple):
    """The specs that sources become, and the sources that become none."""

    specs: tuple[ConvertedSpec, ...]
    skipped: tuple[SkippedSource, ...]


class _PreparedSource(NamedTuple):
    source: Source
    notes: tuple[Note, ...]
    owner: Owner | None


def convert(sources: Iterable[Source], environment: Environment) -> Conversion:
    """Ask the backends for what each source becomes in an environment."""
    specs: list[ConvertedSpec] = []
    skipped: list[SkippedSource] = []
    prepared = [_prepare(source, environment) for source in sources]
    ready = [item for item in prepared if isinstance(item, _PreparedSource)]
    around = Surroundings(environment, tuple(item.source for item in ready))
    for item in prepared:
        for one in (item,) if isinstance(item, SkippedSource) else _convert(item, around):
            if isinstance(one, SkippedSource):
                skipped.append(one)
            else:
                specs.append(one)
    return Conversion(tuple(specs), tuple(skipped))


def _prepare(source: Source, environment: Environment) -> _PreparedSource | SkippedSource:
    """A source as backends are given it."""
    where = source.tree.origin
    if not isinstance(source.tree.value, dict):
        return SkippedSource(where, "a value that is no mapping", "an object or a request is one")
    if (version := source.tree.get("apiVersion")) and version.value == API_VERSION:
        return SkippedSource(where, f"the {source.kind} here", _A_SPEC)
    if maker := controller_of(source):
        return SkippedSource(where, source_title(source), f"{maker} made it, and makes it again")
    owner = owner_of(source)
    if owner is None:
        return _PreparedSource(source._replace(tree=drop_nulls(source.tree)), (), None)
    if not source.name:
        return SkippedSource(where, source_title(source), _missing_name_reason(source))
    cleared = bare_object(source, owner.kind, environment)
    return _PreparedSource(cleared.source, cleared.notes, owner)


def _missing_name_reason(source: Source) -> str:
    """Why an object without a name becomes no spec; `kubectl create` alone makes one up."""
    is_generated = source.tree.get("metadata", "generateName") is not None
    rest = ", only generateName; give it metadata.name" if is_generated else ""
    return f"it has no name{rest}"


def _convert(
    item: _PreparedSource, around: Surroundings
) -> Iterator[ConvertedSpec | SkippedSource]:
    asked = (item.owner.backend,) if item.owner else BACKENDS
    for backend in asked:
        importer = backend.load().importer
        found = list(importer.convert(item.source, around)) if importer else []
        for one in found:
            if isinstance(one, SkippedSource):
                yield one
            elif not _NAME.fullmatch(one.name):
                yield SkippedSource(item.source.tree.origin, f"{one.kind} {one.name!r}", _NO_FILE)
            else:
                noted = one._replace(notes=(*item.notes, *one.notes))
                yield ConvertedSpec(noted, item.source, backend, item.owner)
        if found:
            return
    yield SkippedSource(item.source.tree.origin, source_title(item.source), _NOBODYS)


def source_title(source: Source) -> str:
    """What a source is called in messages."""
    if source.kind:
        return f"{source.kind}/{source.name}" if source.name else source.kind
    if source.address:
        return f"the request to {source.address}"
    keys = ", ".join(list(source.tree.items)[:4])
    return f"a mapping of {keys}" if keys else "an empty mapping"
