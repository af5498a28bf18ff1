"""What a platform makes of an applied object: units with their pods, objects, files, addresses."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar, overload

from renderer.values.diagnostics import Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.objects import Manifest
from renderer.values.tree import Node, Plain

if TYPE_CHECKING:  # `diff` looks at no file and no address
    from renderer.values.unit_details import Address, File, RuntimePort

Item_co = TypeVar("Item_co", covariant=True)
Options = Mapping[str, tuple[str, ...]]
"""What a user gives to a preview beside the spec, by the name of the option."""
ObjectName = tuple[str, str, str]
"""The kind of a spec, and the namespace and name of the object that it is rendered to."""
ObjectIdentity = tuple[str, str, str, str]
"""The group, kind, namespace and name of an object in a cluster."""


class Reading(StrEnum):
    """How something reads content that it names."""

    VARIABLES = "variables"
    FILES = "files"
    PART_OF_VOLUME = "part of a volume"
    CONTROLLER = "controller"
    DERIVED = "part of what it is made of"


class Reader(NamedTuple):
    """A spec that reads an object, for some of its units; no keys if it reads all of them."""

    spec: str
    units: tuple[str, ...]
    reading: Reading
    keys: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.spec} ({', '.join(self.units)})" if self.units else self.spec


def no_readers() -> tuple[Reader, ...]:
    """Of an object of which nobody asks who reads it."""
    return ()


class Applied(NamedTuple):
    """An object as it is applied, and the objects that it may refer to, cluster by cluster.

    Nothing but the object, those around it and the environment says what becomes of it: rendered
    files that are compared have no specs, and an environment that nobody described has neither
    settings nor destinations. `obstacles` are what rules found that the platform stops at, as far
    as it looks at the object at all. Who reads an object of an open kind is looked for when a row
    asks.
    """

    spec: Spec
    environment: Environment
    tree: Node
    needed: Mapping[str, Mapping[ObjectName, Node]] = {}
    destination: str = ""
    options: Mapping[str, tuple[str, ...]] = {}
    obstacles: tuple["Problem", ...] = ()
    find_readers: Callable[[], tuple[Reader, ...]] = no_readers

    @property
    def name(self) -> str:
        return self.tree.text_at("metadata", "name")

    @property
    def namespace(self) -> str:
        return self.tree.text_at("metadata", "namespace")

    @property
    def cluster(self) -> str:
        """The cluster of the destination that it is applied to."""
        named = {item.name: item.cluster for item in self.environment.destinations}
        return named.get(self.destination, self.destination)

    def annotation(self, key: str) -> str:
        return self.tree.text_at("metadata", "annotations", key)


def object_name(manifest: Manifest) -> ObjectName:
    """What an object that others refer to is known by."""
    return manifest.spec.kind.name, _metadata(manifest, "namespace"), _metadata(manifest, "name")


def _metadata(manifest: Manifest, key: str) -> str:
    node = manifest.tree.get("metadata", key)
    return str(node.value) if node else ""


def needed_objects(
    manifests: Iterable[Manifest], environment: Environment
) -> dict[str, dict[ObjectName, Node]]:
    """The objects of an environment that others may refer to, by the clusters they are in."""
    clusters = {item.name: item.cluster for item in environment.destinations}
    found: dict[str, dict[ObjectName, Node]] = {}
    for item in prerequisites(manifests):
        place = clusters.get(item.destination, item.destination)
        found.setdefault(place, {})[object_name(item)] = item.tree
    return found


def prerequisites(manifests: Iterable[Manifest]) -> Iterator[Manifest]:
    """The objects that others may refer to."""
    return (item for item in manifests if item.spec.kind.prerequisite)


class Pods(NamedTuple):
    """Pods that are made alike: how many, of which spec, and how they are exchanged.

    There are `start` of them at first, then from `least` to `most`; nothing bounds them if `most`
    is None. A rollout adds `surge` (a number or a share, as a Deployment has it) unless all stop
    before new ones start. If they share requests with those that they replace, as revisions of
    Knative do, only one of both has more than it must.
    """

    least: int
    most: int | None
    start: int
    spec: Node
    surge: str = ""
    stop_first: bool = False
    shares_requests: bool = False


class DerivedObject(NamedTuple):
    """An object that a platform makes, as it is stored, and what people want to know of it first.

    Values that were copied from the applied object have its origins.
    """

    tree: Node
    summary: Sequence[tuple[str, str]] = ()

    @property
    def kind(self) -> str:
        return self.tree.text_at("kind")

    @property
    def group(self) -> str:
        return self.tree.text_at("apiVersion").rpartition("/")[0]

    @property
    def namespace(self) -> str:
        return self.tree.text_at("metadata", "namespace")

    @property
    def name(self) -> str:
        return self.tree.text_at("metadata", "name")

    @property
    @cached_by_identity
    def identity(self) -> ObjectIdentity:
        return self.group, self.kind, self.namespace, self.name

    @property
    def content(self) -> dict[str, Plain]:
        """Its bare data."""
        found = self.tree.plain()
        return found if isinstance(found, dict) else {}


class Later(Sequence[Item_co]):
    """The items that a function makes, made once, when they are first asked for.

    What a platform makes in full takes far longer to work out than how many pods there are; most
    questions are about the latter.
    """

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[], Iterable[Item_co]]) -> None:
        self._make = make
        self._items: tuple[Item_co, ...] | None = None

    def _made(self) -> tuple[Item_co, ...]:
        if self._items is None:
            self._items = tuple(self._make())
        return self._items

    @overload
    def __getitem__(self, index: int) -> Item_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item_co, ...]: ...
    def __getitem__(self, index: int | slice) -> Item_co | tuple[Item_co, ...]:
        return self._made()[index]

    def __iter__(self) -> Iterator[Item_co]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())


def no_files() -> "tuple[File, ...]":
    """Of a unit whose containers read none that are known here."""
    return ()


def no_notes() -> tuple[str, ...]:
    """Of a unit whose files ask for nothing."""
    return ()


class DerivedUnit(NamedTuple):
    """What becomes of one unit at one destination; with a problem, nothing.

    `path` is where the applied object describes the unit; `needs` are objects that must be there
    and that the platform does not make. Files, and what is noted of them, are worked out when they
    are asked for: to fill their templates takes longer than everything else. Where objects are
    worked out later as well, `workload` is the first of them, which runs the unit.
    """

    destination: str
    unit: str
    pods: tuple[Pods, ...] = ()
    objects: Sequence[DerivedObject] = ()
    addresses: Sequence["Address"] = ()
    notes: Sequence[str] = ()
    runtime_ports: Sequence["RuntimePort"] = ()
    problem: str = ""
    path: Path = ()
    needs: tuple[ObjectName, ...] = ()
    read_files: Callable[[], tuple["File", ...]] = no_files
    read_file_notes: Callable[[], tuple[str, ...]] = no_notes
    workload: ObjectIdentity | None = None

    @property
    def identities(self) -> tuple[ObjectIdentity, ...]:
        """What its objects are known by; the workload alone, if the others are not made yet."""
        return (self.workload,) if self.workload else tuple(item.identity for item in self.objects)

    @property
    def files(self) -> "tuple[File, ...]":
        return self.read_files()

    def marked(self, text: str) -> str:
        """A text with markers for what is drawn at run time."""
        markers = {str(item.stand_in): item.marker for item in self.runtime_ports}
        if not markers:
            return text
        return re.sub("|".join(markers), lambda match: markers[match[0]], text)

    def marked_data(self, data: Plain) -> Plain:
        """Data with markers, which are texts where the platform has numbers."""
        if isinstance(data, dict):
            return {key: self.marked_data(value) for key, value in data.items()}
        if isinstance(data, list):
            return [self.marked_data(value) for value in data]
        if isinstance(data, str):
            return self.marked(data)
        markers = {item.stand_in: item.marker for item in self.runtime_ports}
        return markers.get(data, data) if type(data) is int else data


class Problem(NamedTuple):
    """Why a platform does not follow an applied object, and where the object has the cause.

    What is `refused` is not stored at all; of anything else the controller fails when it looks. It
    is about all units, or about some by their destinations and names. The cause is at `path` in
    the spec's own object, or at `source_path` in another one; `kind` is the kind of change that
    says so, with its words.
    """

    reason: str
    path: Path = ()
    remedy: str = ""
    refused: bool = False
    kind: str = ""
    words: tuple[tuple[str, str], ...] = ()
    units: tuple[tuple[str, str], ...] = ()
    source: ObjectName | None = None
    source_path: Path = ()


class Derivation(NamedTuple):
    """What a platform makes of an object, unit by unit, and why it does not, if it does not.

    With a gap, only a part of what it makes is known, for the reason that the gap states. `source`
    is what it was derived from.
    """

    units: tuple[DerivedUnit, ...] = ()
    problems: Sequence[Problem] = ()
    gap: str = ""
    source: Applied | None = None
