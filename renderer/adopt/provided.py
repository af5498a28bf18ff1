"""What a cluster has already and specs refer to: entries of `references.provided`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from renderer.adopt.needs import users_text
from renderer.adopt.pages import text_at
from renderer.backends import BACKENDS
from renderer.backends.kinds import owner_of
from renderer.backends.object_places import named_by_file
from renderer.evaluate.project import Project, open_project
from renderer.inspect.needs import placed_needs
from renderer.text import json_editor, json_reader, yaml_editor, yaml_reader
from renderer.text.wording import listed
from renderer.values.files import EditedFiles
from renderer.values.imports import ListedObject, Source
from renderer.values.model import REFERENCES, Destination, Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.references import PROVIDED
from renderer.values.tree import Plain, constant

if TYPE_CHECKING:
    from renderer.values.references import Need

_REASON = "an import found it in the cluster"


class Ambiguity(Exception):
    """A list of which it is not clear what it is about; the text says what to do."""


class Provision(NamedTuple):
    """The description of an environment with what a cluster has, and what there is to say of it.

    `entries` are those that were added, `others` counts what nothing refers to, `missing` are
    objects that are still neither made here nor provided.
    """

    path: str
    text: str
    before: str
    entries: tuple[Plain, ...]
    others: int
    missing: tuple[str, ...]


def listed_objects(sources: Sequence[Source], environment: Environment) -> list[ListedObject]:
    """The objects of a list of what a cluster has; none if the sources are anything else.

    A list of companions alone, as they are live, is about these.
    """
    found: list[ListedObject] = []
    for source in sources:
        one = _listed(source)
        if one is None:
            return []
        found.append(one)
    own = {(spec.kind.name, spec.name) for spec in environment.specs}
    return [] if all((item.kind, item.name) in own for item in found) else found


def _listed(source: Source) -> ListedObject | None:
    importers = (backend.load().importer for backend in BACKENDS)
    asked = (importer.listed for importer in importers if importer and importer.listed)
    return next((found for ask in asked if (found := ask(source))), None)


def provide(
    objects: Sequence[ListedObject], project: Project, environment: Environment
) -> Provision:
    """Those of the objects that specs of an environment need and nothing makes, as entries."""
    path = environment.file
    before = text_at(project.files, path) or ""
    needs = [need for need in _needs(environment) if need.is_missing]
    found = _Finder(objects, environment)
    entries = list(_entries(needs, found))
    text = _add_entries(before, path, entries) if entries else before
    edited = open_project(EditedFiles(project.files, {path: text.encode()}))
    after = edited.environment(environment.name)
    missing = _missing(_needs(after)) if after else ()
    return Provision(path, text, before, tuple(entries), len(objects) - found.used, missing)


def _needs(environment: Environment) -> "Sequence[Need]":
    """Also of an environment that says nothing of references yet."""
    given = environment.tree
    asked = given.with_members({REFERENCES: constant({}, _REASON), **given.items})
    return placed_needs(environment._replace(tree=asked))[1]


class _Finder:
    """Finds what is needed among the objects of a cluster, and counts what was found."""

    def __init__(self, objects: Iterable[ListedObject], environment: Environment) -> None:
        self._by_name: dict[tuple[str, str], list[ListedObject]] = {}
        for item in objects:
            self._by_name.setdefault((item.kind, item.name), []).append(item)
        self._environment = environment
        self._places = {item.name: item for item in environment.destinations}
        self._found: set[ListedObject] = set()

    @property
    def used(self) -> int:
        return len(self._found)

    def find(self, need: "Need") -> ListedObject | None:
        for item in self._by_name.get((need.use.kind, need.use.name), ()):
            place = self._places[need.destination]
            namespace = place.namespace if item.is_name else item.namespace
            is_there = not need.namespace or namespace == need.namespace
            if is_there and self._is_of(item, place):
                self._found.add(item)
                return item
        return None

    def _is_of(self, item: ListedObject, place: Destination) -> bool:
        """Whether an object was read from the cluster of a destination."""
        platform = owner_of(item.kind).platform
        known = self._environment.platform_destinations(platform)
        if len({one.cluster for one in known}) == 1:
            return True
        named = named_by_file(known, item.file)
        if not named:
            names = listed([one.name for one in known], "or")
            example = f"{known[0].name}.json"
            raise Ambiguity(
                f"it is not clear which cluster {item.file} is about, {names}; give a file that is "
                f"called like the destination, such as {example}"
            )
        return place.cluster in {one.cluster for one in named}

    def entry(self, need: "Need", item: ListedObject) -> Plain:
        """An object as it is written: in short if there is nothing but its kind and name."""
        place = self._places[need.destination]
        clusters = {one.cluster for one in self._places.values() if one.platform == place.platform}
        parts: dict[str, Plain] = {"kind": item.kind, "name": item.name}
        parts |= {"keys": [*item.keys]} if item.keys else {}
        parts |= (
            {"namespace": need.namespace} if need.namespace not in ("", place.namespace) else {}
        )
        parts |= {"destination": place.name} if len(clusters) > 1 else {}
        return f"{item.kind}/{item.name}" if len(parts) == 2 else parts  # noqa: PLR2004


def _entries(needs: "Iterable[Need]", objects: _Finder) -> Iterator[Plain]:
    done: list[Plain] = []
    for need in sorted(needs, key=lambda one: (one.use.kind, one.use.name, one.place)):
        item = objects.find(need)
        entry = objects.entry(need, item) if item else None
        if entry is not None and entry not in done:
            done.append(entry)
            yield entry


def _add_entries(text: str, path: str, entries: Sequence[Plain]) -> str:
    """The description of an environment with more of what is provided, comments kept."""
    is_json = path.endswith(".json")
    reader = json_reader if is_json else yaml_reader
    tree = reader.read(text.encode(), path).document.tree or constant({}, _REASON)
    settings = tree.get(REFERENCES) or constant({}, _REASON)
    given = settings.get(PROVIDED) or constant([], _REASON)
    added = tuple(constant(entry, _REASON) for entry in entries)
    items = given.with_members((*given.elements, *added))
    wanted = settings.with_members({**settings.items, PROVIDED: items})
    whole = tree.with_members({**tree.items, REFERENCES: wanted})
    return json_editor.edit(text, whole) if is_json else yaml_editor.edit(text, whole)


def _missing(needs: "Iterable[Need]") -> tuple[str, ...]:
    """Names of objects that nothing makes, each with what refers to it."""
    users: dict[str, list[str]] = {}
    for need in needs:
        if need.is_missing:
            users.setdefault(f"{need.use.kind}/{need.use.name}", []).append(need.owner)
    return users_text(users)
