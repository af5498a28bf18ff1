"""Sources to specs, each by the backend that knows it; what becomes no spec is reported."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.adopt.objects import Owner, bare_object, controller_of, drop_nulls, owners_of
from renderer.adopt.tools import tool_files
from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.backends.kinds import API_VERSION
from renderer.text.expressions import expression
from renderer.values.imports import (
    CHANGED,
    ImportedSpec,
    Note,
    SkippedSource,
    Source,
    Surroundings,
)
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple

_NOBODYS = "it is no object, which has apiVersion and kind, and no request that servingctl knows"
_NO_FILE = "no file can have that name; a name has letters, digits, '-' and '.'"
_NO_NAMESPACE = "no namespace is called so; one has lower-case letters, digits and '-'"
_PLACEHOLDER = "a tool fills in its {}; import what that tool makes of it"
_NAME = expression(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")
#: A namespace becomes a part of the names of files; rules on specs say what else is wrong with it.
_NAMESPACE = expression(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,251}[A-Za-z0-9])?")
_A_SPEC = "it is a spec already; put the file into the folder of an environment"


class ConvertedSpec(NamedTuple):
    """A spec and the source that it came from; one that was an object has an owner.

    One that `is_last` was rendered by us to be applied after others.
    """

    imported: ImportedSpec
    source: Source
    backend: Backend
    owner: Owner | None
    is_last: bool = False


class Conversion(NamedTuple):
    """The specs that sources become, and the sources that become none."""

    specs: tuple[ConvertedSpec, ...]
    skipped: tuple[SkippedSource, ...]


class _PreparedSource(NamedTuple):
    """A source as the backend of its owner is given it; a request is for every backend."""

    source: Source
    notes: tuple[Note, ...] = ()
    owner: Owner | None = None
    refusal: str = ""
    is_last: bool = False


def convert(sources: Iterable[Source], environment: Environment) -> Conversion:
    """Ask the backends for what each source becomes in an environment."""
    specs: list[ConvertedSpec] = []
    skipped: list[SkippedSource] = []
    given = list(sources)
    tools = tool_files(given)
    prepared = [_prepare(source, environment, tools) for source in given]
    ready = [item[0].source for item in prepared if isinstance(item, list)]
    around = Surroundings(environment, tuple(ready))
    for item in prepared:
        for one in (item,) if isinstance(item, SkippedSource) else _convert(item, around):
            if isinstance(one, SkippedSource):
                skipped.append(one)
            else:
                specs.append(one)
    return Conversion(tuple(specs), tuple(skipped))


def _prepare(
    source: Source, environment: Environment, tools: Mapping[str, str]
) -> list[_PreparedSource] | SkippedSource:
    """A source as each backend is given it that may know it, or why none is asked."""
    where = source.tree.origin
    if not isinstance(source.tree.value, dict):
        return SkippedSource(where, "a value that is no mapping", "an object or a request is one")
    if (version := source.tree.get("apiVersion")) and version.value == API_VERSION:
        return SkippedSource(where, f"the {source.kind} here", _A_SPEC)
    if reason := tools.get(where.file):
        return SkippedSource(where, source_title(source), reason)
    if maker := controller_of(source):
        return SkippedSource(where, source_title(source), f"{maker} made it, and makes it again")
    owners = owners_of(source)
    if not owners:
        return [_PreparedSource(source._replace(tree=drop_nulls(source.tree)))]
    named, notes = _settle_name(source)
    if not named.name:
        return SkippedSource(where, source_title(source), "it has no name")
    return [_bare_source(named, owner, environment, notes) for owner in owners]


def _bare_source(
    source: Source, owner: Owner, environment: Environment, notes: tuple[Note, ...]
) -> _PreparedSource:
    bare = bare_object(source, owner.kind, environment)
    return _PreparedSource(bare.source, (*notes, *bare.notes), owner, bare.refusal, bare.is_last)


def _settle_name(source: Source) -> tuple[Source, tuple[Note, ...]]:
    """An object with a name of its own, where a server would make one up at each creation."""
    metadata = source.tree.get("metadata")
    given = metadata.get("generateName") if metadata and not source.name else None
    name = given.value.rstrip("-.") if given and isinstance(given.value, str) else ""
    if metadata is None or given is None or not name:
        return source, ()
    others = {key: node for key, node in metadata.items.items() if key != "generateName"}
    own = metadata.with_members({"name": given.with_value(name), **others})
    tree = source.tree.with_members({**source.tree.items, "metadata": own})
    why = f"an object in Git has one name; this one is called {name!r}"
    return source._replace(tree=tree), (Note("metadata.generateName", CHANGED, why),)


def _convert(
    prepared: list[_PreparedSource], around: Surroundings
) -> Iterator[ConvertedSpec | SkippedSource]:
    """What the first backend makes of a source that knows it."""
    first = prepared[0].source
    for item in prepared:
        if item.refusal:
            yield SkippedSource(first.tree.origin, source_title(first), item.refusal)
            return
        for backend in (item.owner.backend,) if item.owner else BACKENDS:
            if found := list(_converted(item, backend, around)):
                yield from found
                return
    yield SkippedSource(first.tree.origin, source_title(first), _nobodys(first))


def _converted(
    item: _PreparedSource, backend: Backend, around: Surroundings
) -> Iterator[ConvertedSpec | SkippedSource]:
    importer = backend.load().importer
    for one in importer.convert(item.source, around) if importer else ():
        if isinstance(one, SkippedSource):
            yield one
        elif why := _name_refusal(one):
            yield SkippedSource(item.source.tree.origin, f"{one.kind} {one.name!r}", why)
        else:
            noted = one._replace(notes=(*item.notes, *one.notes))
            yield ConvertedSpec(noted, item.source, backend, item.owner, item.is_last)


def _name_refusal(spec: ImportedSpec) -> str:
    """Why nothing can be called so, or be in such a namespace; empty if it can."""
    for what, text in (("name", spec.name), ("namespace", spec.namespace)):
        if "$" in text or "{{" in text:
            return _PLACEHOLDER.format(what)
    if spec.namespace and not _NAMESPACE.fullmatch(spec.namespace):
        return _NO_NAMESPACE
    return "" if _NAME.fullmatch(file_stem(spec.name)) else _NO_FILE


def file_stem(name: str) -> str:
    """The stem of a file for an object of a name: some kinds have colons in theirs."""
    return name.replace(":", "-")


def _nobodys(source: Source) -> str:
    """Why nothing is known of a source; an object of Kubernetes has a kind and its version."""
    version = source.tree.get("apiVersion")
    if not version or not source.kind:
        return _NOBODYS
    stored = (item for backend in BACKENDS for item in backend.stored)
    same = [f"{item.group}/{item.version}" for item in stored if item.kind == source.kind]
    hint = f"servingctl knows it of {same[0]}" if same else "correct kind and apiVersion"
    return f"there is no {source.kind} of apiVersion {version.value!r}; {hint}"


def source_title(source: Source) -> str:
    """What a source is called in messages."""
    if source.kind:
        return f"{source.kind}/{source.name}" if source.name else source.kind
    if source.address:
        return f"the request to {source.address}"
    keys = ", ".join(list(source.tree.items)[:4])
    return f"a mapping of {keys}" if keys else "an empty mapping"
