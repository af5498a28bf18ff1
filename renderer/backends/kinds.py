"""Which kinds of spec there are, whose they are, and what a spec refers to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from renderer.backends import BACKENDS
from renderer.backends.base import Backend, KindFunctions, RetiredCode, Selections
from renderer.errors import UsageError
from renderer.text.wording import suggest
from renderer.values.identity_cache import cached_by_identity
from renderer.values.kinds import Kind, TextFiles
from renderer.values.model import REFERENCES, Destination, Environment, Reference, Spec
from renderer.values.tree import Node

API_VERSION = "serving.gitops/v1"
REGISTERED = {kind.name: kind for backend in BACKENDS for kind in backend.kinds}
_OWNERS = {kind.name: backend for backend in BACKENDS for kind in backend.kinds}
#: The backend whose kinds are all those of which no registry has a line.
_OPEN = next((backend for backend in BACKENDS if backend.open_kind), None)
#: The kind of specs that are namespaces; nothing if there is none.
NAMESPACES = _OPEN.namespaces if _OPEN else ""
ENVIRONMENT = Kind(
    "Environment",
    "spec/environment.json",
    text_files=(
        TextFiles(("models", "*", "config"), "models"),
        *(place for backend in BACKENDS for place in backend.text_files),
        *(
            place._replace(path=("defaults", kind.name, *place.path))
            for kind in REGISTERED.values()
            for place in kind.text_files
        ),
    ),
    data_keys=frozenset(key for kind in REGISTERED.values() for key in kind.data_keys),
)
KINDS: dict[str, Kind] = {ENVIRONMENT.name: ENVIRONMENT, **REGISTERED}
#: The fields in which all environments may differ unless a repository says otherwise.
SIZE_FIELDS = tuple(dict.fromkeys(field for item in BACKENDS for field in item.size_fields))


def folder_of(kind: str) -> str:
    """Where new specs of a kind are put below their environment: its plural in lower case.

    A group that tells it from other kinds of the name stays behind it.
    """
    name, dot, group = kind.lower().partition(".")
    if name.endswith("y") and name[-2:-1] not in tuple("aeiou"):
        return f"{name[:-1]}ies{dot}{group}"
    ending = "es" if name.endswith(("s", "x", "z", "ch", "sh")) else "s"
    return f"{name}{ending}{dot}{group}"


def schema_file(kind: str) -> str:
    """What the file with the schema of a kind is called, where editors look for it."""
    return f"{kind.lower()}.schema.json"


def kind_named(word: str) -> Kind:
    """The kind that a user means, in whichever case."""
    for name, kind in KINDS.items():
        if name.lower() == word.lower():
            return kind
    if found := kind_called(word):
        return found
    raise UsageError(f"there is no kind {word!r}; {suggest(word, KINDS)}")


def kind_called(name: str) -> Kind | None:
    """The kind of specs that has a name; one that no registry names has its group behind a dot."""
    return KINDS.get(name) or _open_kind_called(name)


@cache
def _open_kind_called(name: str) -> Kind | None:
    kind, dot, group = name.partition(".")
    return _OPEN.open_kind(kind, group if dot else None) if _OPEN and _OPEN.open_kind else None


def kind_of_object(version: str, kind: str) -> Kind | None:
    """The kind of specs that an object is as it is; nothing if it has to be written otherwise."""
    if not _OPEN or not _OPEN.open_kind or kind in KINDS:
        return None
    return _OPEN.open_kind(kind, version.rpartition("/")[0])


def is_known(kind: Kind) -> bool:
    """Whether a backend has functions for specs of a kind."""
    return kind.is_open or kind.name in KINDS


def kind_of_tree(tree: Node) -> Kind | None:
    """The kind of specs that a file is of, if it is one at all."""
    given = (tree.get(key) for key in ("apiVersion", "kind"))
    version, kind = (str(node.value) if node else "" for node in given)
    return KINDS.get(kind) or (kind_of_object(version, kind) if version != API_VERSION else None)


@cache
def functions_of(kind: str) -> KindFunctions:
    """What can be done with specs of a kind."""
    functions = owner_of(kind).load()
    return dict(functions.open_kinds).get(kind) or functions.any_kind or functions.kinds[kind]


@cache
def retired_codes() -> Mapping[str, RetiredCode]:
    """What took the place of each code that rules had before."""
    return {code: item for backend in BACKENDS for code, item in backend.retired}


def current_code(code: str, *, in_production: bool) -> str:
    """The code that a retired one stands for in such an environment; any other one is itself."""
    retired = retired_codes().get(code)
    if retired is None or retired.in_production not in (None, in_production):
        return code
    return retired.now


def owner_of(kind: str) -> Backend:
    """The backend that a kind belongs to."""
    return _OWNERS.get(kind) or _open_backend(kind)


def _open_backend(kind: str) -> Backend:
    if _OPEN is None:
        raise KeyError(kind)
    return _OPEN


def backends_of(environment: Environment) -> list[Backend]:
    """The backends that may have something in an environment, in the order of the registry.

    Of several for one platform, those that it mentions or has specs of.
    """
    owners = {owner_of(spec.kind.name).name for spec in environment.specs}
    platforms = {item.platform for item in environment.destinations}
    return [
        backend
        for backend in BACKENDS
        if backend.platform in platforms
        and (backend.name in environment.tree.items or backend.name in owners or _is_alone(backend))
    ]


def _is_alone(backend: Backend) -> bool:
    """Whether no other backend serves its platform."""
    return [item.platform for item in BACKENDS].count(backend.platform) == 1


def has_last_stage(environment: Environment, destination: Destination) -> bool:
    """Whether there is a list of what is applied after all others, even if that is nothing.

    The environment says so by its settings of open kinds, not by its specs: a controller that looks
    at the list must find it when the last object has gone.
    """
    return (
        _OPEN is not None
        and _OPEN.platform == destination.platform
        and _OPEN.name in environment.tree.items
    )


def names_objects(environment: Environment) -> bool:
    """Whether it is asked which objects of the cluster specs name.

    That is so where there are specs of open kinds, or where the environment has settings of them
    or of references; of all others nothing is collected, and nothing said.
    """
    given = environment.tree.items
    is_asked = REFERENCES in given or (_OPEN is not None and _OPEN.name in given)
    return environment.made is not None or is_asked


def selections_in(environment: Environment) -> Selections | None:
    """How specs of an environment select what runs by others; nothing if none of them does."""
    if _OPEN is None or environment.made is None:
        return None
    found = _OPEN.load().selections
    return found if found and found.is_asked(environment) else None


def is_always_there(kind: str, name: str) -> bool:
    """Whether every cluster has an object, so that nothing needs to make it."""
    return _OPEN is not None and _OPEN.load().is_always_there(kind, name)


def group_of(kind: str) -> str:
    """The group of an object of a kind that no registry names."""
    return _OPEN.load().group_of(kind) if _OPEN else ""


def known_kinds() -> list[str]:
    """The kinds of objects that tables know, to find one that is misspelt."""
    return [*(_OPEN.load().known_kinds() if _OPEN else ())]


def provided_fields(kind: str) -> frozenset[str]:
    """What an environment may say of an object of a kind that is there already."""
    return _OPEN.load().provided_fields(kind) if _OPEN else frozenset()


@cached_by_identity  # as a spec is asked a dozen times
def references_of(spec: Spec, environment: Environment) -> tuple[Reference, ...]:
    """All that a spec mentions of other specs: by its kind, then objects that it names."""
    return tuple(_references(spec, environment))


def _references(spec: Spec, environment: Environment) -> Iterator[Reference]:
    functions = functions_of(spec.kind.name)
    yield from functions.references(spec, environment)
    if names_objects(environment):
        from renderer.kubernetes.mentions import references

        for use in references(spec.tree, functions.mentions(spec.kind.name)):
            kind = kind_called(use.kind) if "." in use.kind else None
            yield use._replace(kind=kind.name) if kind else use


def made_by(specs: Sequence[Spec]) -> dict[tuple[str, str], tuple[Spec, ...]] | None:
    """The objects that are there because of specs of open kinds; nothing if there are none."""
    found: dict[tuple[str, str], tuple[Spec, ...]] = {}
    for spec in specs:
        for name in dict.fromkeys(functions_of(spec.kind.name).makes(spec)):
            found[name] = (*found.get(name, ()), spec)
    return found or None


def used_specs(spec: Spec, environment: Environment) -> list[Spec]:
    """The specs of an environment that a spec refers to by name, or has chosen."""
    references = references_of(spec, environment)
    return _distinct_specs(one for item in references for one in environment.named_specs(item))


def considered_specs(spec: Spec, environment: Environment) -> list[Spec]:
    """The same, and those that it has to choose from."""
    references = references_of(spec, environment)
    return _distinct_specs(one for item in references for one in environment.referenced_specs(item))


def _distinct_specs(specs: Iterable[Spec]) -> list[Spec]:
    return list({spec.identity: spec for spec in specs}.values())


def require_kind(name: str) -> Kind:
    found = kind_called(name)
    if found is None:
        raise ValueError(f"there is no kind {name!r}")
    return found
