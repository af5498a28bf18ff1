"""What flows through the program: trees that remember their origins, specs, manifests."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from renderer.diagnostics import Diagnostic, Origin, Path

Scalar: TypeAlias = str | int | float | bool | None
Plain: TypeAlias = "Scalar | dict[str, Plain] | list[Plain]"


_NOTHING: Mapping[str, "tuple[Step, ...]"] = {}


class Step(NamedTuple):
    """One word about a value: where it stands and what it said; nothing if it took it away."""

    origin: Origin
    node: "Node | None"


class Node(NamedTuple):
    """A value, where it was set, where its key stands, and its text if that says more.

    `trail` is all that was said about it, if more than one layer spoke; `gone` are the members
    that were taken away.
    """

    value: "Scalar | Mapping[str, Node] | tuple[Node, ...]"
    origin: Origin
    key: Origin | None = None
    text: str = ""
    trail: tuple[Step, ...] = ()
    gone: Mapping[str, tuple[Step, ...]] = _NOTHING

    @property
    def items(self) -> "Mapping[str, Node]":
        """The members of a mapping; nothing for any other value."""
        return self.value if isinstance(self.value, Mapping) else {}

    @property
    def elements(self) -> "tuple[Node, ...]":
        """The elements of a list; nothing for any other value."""
        return self.value if isinstance(self.value, tuple) else ()

    def step(self, segment: str | int) -> "Node | None":
        if isinstance(segment, int):
            return self.elements[segment] if segment < len(self.elements) else None
        return self.items.get(segment)

    def get(self, *path: str | int) -> "Node | None":
        node: Node | None = self
        for segment in path:
            node = node.step(segment) if node else None
        return node

    def with_value(self, value: "Scalar | Mapping[str, Node] | tuple[Node, ...]") -> "Node":
        """Another value that came from the same place."""
        return Node(value, self.origin, self.key, trail=self.trail)

    def plain(self) -> Plain:
        """The bare data."""
        value = self.value
        if isinstance(value, Mapping):
            return {key: child.plain() for key, child in value.items()}
        if isinstance(value, tuple):
            return [child.plain() for child in value]
        return value

    def locate(self, path: Path, *, at_key: bool = False) -> Origin:
        """The place of a path, or of its nearest existing ancestor."""
        node = self
        for segment in path:
            child = node.step(segment)
            if child is None:
                taken = node.gone.get(str(segment))
                return taken[-1].origin if taken else node.key or node.origin
            node = child
        return (node.key or node.origin) if at_key else node.origin


def derived(value: Plain, origin: Origin) -> Node:
    """A tree all of whose values have one origin."""
    if isinstance(value, dict):
        return Node({key: derived(child, origin) for key, child in value.items()}, origin)
    if isinstance(value, list):
        return Node(tuple(derived(child, origin) for child in value), origin)
    return Node(value, origin)


def constant(value: Plain, reason: str) -> Node:
    """A value that no file gave: servingctl sets it, for the stated reason."""
    return derived(value, Origin("", 0, 0, reason))


class Document(NamedTuple):
    """One file as it was read; without a tree where it could not be."""

    file: str
    source: str
    tree: Node | None


class TextFiles(NamedTuple):
    """Where a kind takes text from files: `{file: …}` at a path, looked up in a folder."""

    path: tuple[str, ...]
    folder: str


class Kind(NamedTuple):
    """A kind of spec: its schema, the field that names it, and how it finds its destination.

    A prerequisite follows its users; a kind that routes itself may go nowhere; any other one goes
    to the destination that it names or to the only one of its platform.
    """

    name: str
    schema: str
    name_field: str = "name"
    prerequisite: bool = False
    routes_itself: bool = False
    text_files: tuple[TextFiles, ...] = ()


@dataclass(frozen=True, slots=True)
class Spec:
    """A composed spec: known by kind and stem, with every value's origin."""

    kind: Kind
    stem: str
    environment: str
    files: tuple[str, ...]
    tree: Node

    @property
    def file(self) -> str:
        """The most specific of the files it is made of."""
        return self.files[0]

    @property
    def name_node(self) -> Node:
        """The name, which is the file's stem unless the spec says otherwise."""
        given = self.tree.get(self.kind.name_field)
        return given or Node(self.stem, Origin(self.file, 1, 1, "the name of the file"))

    @property
    def name(self) -> str:
        return str(self.name_node.value)

    @property
    def identity(self) -> tuple[str, str]:
        return self.kind.name, self.stem

    def __str__(self) -> str:
        return f"{self.kind.name}/{self.stem}"


@dataclass(frozen=True, slots=True)
class Destination:
    """A folder of output that one GitOps application applies.

    Two destinations of one cluster are the same place to what is applied.
    """

    name: str
    platform: str
    cluster: str
    tree: Node


@dataclass(frozen=True, slots=True)
class Environment:
    """A folder of specs and the destinations they go to; without any it is only inherited."""

    name: str
    files: tuple[str, ...]
    tree: Node
    destinations: tuple[Destination, ...]
    specs: tuple[Spec, ...]
    by_name: Mapping[tuple[str, str], Spec]

    @property
    def file(self) -> str:
        """The file that describes it, itself and not its ancestors."""
        return self.files[0]

    def setting(self, *path: str) -> Plain:
        """A setting's bare value, or nothing."""
        node = self.tree.get(*path)
        return node.plain() if node else None

    def of_platform(self, platform: str) -> tuple[Destination, ...]:
        return tuple(item for item in self.destinations if item.platform == platform)

    def named(self, kind: str, name: str) -> Spec | None:
        return self.by_name.get((kind, name))

    def names(self, kind: str) -> list[str]:
        return [name for of_kind, name in self.by_name if of_kind == kind]


class Part(NamedTuple):
    """A document that is known to be a spec: its kind, stem and environment."""

    kind: Kind
    stem: str
    environment: str
    file: str
    tree: Node
    texts: tuple[str, ...]


class Settings(NamedTuple):
    """What `servingctl.yaml` says."""

    output: str = "rendered"
    ignore: tuple[str, ...] = ()
    rules: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Project:
    """A repository as it was read: environments, overrides, and what reading found."""

    settings: Settings
    environments: tuple[Environment, ...]
    documents: Mapping[str, Document]
    templates: Mapping[str, str]
    crds: tuple[Document, ...]
    diagnostics: tuple[Diagnostic, ...]
    parts: tuple[Part, ...] = ()


class Reference(NamedTuple):
    """A spec's mention of another one, by kind and name."""

    kind: str
    name: str
    path: Path


class Unit(NamedTuple):
    """The part of a spec that a platform runs on its own, and where the spec describes it."""

    name: str
    path: Path


class Placement(NamedTuple):
    """Where a spec's own object goes, and where what it refers to must be present."""

    own: tuple[Destination, ...]
    prerequisites: tuple[Destination, ...]


class Scene(NamedTuple):
    """What a spec is planned for: a destination, and the prerequisites that were made there.

    Without a destination it is planned for none in particular. `names` are the rendered names of
    specs that are named by their content.
    """

    environment: Environment
    destination: Destination | None
    names: Mapping[tuple[str, str], str]
    made: Mapping[tuple[str, str], Node]

    def name_of(self, kind: str, name: str) -> str:
        return self.names.get((kind, name), name)


class Render(NamedTuple):
    """One object to make: the template, the values it places, and how the object is known."""

    template: str
    values: Mapping[str, Node]
    schema: str
    plural: str
    name: str


class Manifest(NamedTuple):
    """A rendered object, each leaf with its origin, and its path below the output folder."""

    path: str
    environment: str
    destination: str
    spec: Spec
    schema: str
    tree: Node
    text: str
    identity: str


class OutputFile(NamedTuple):
    """A rendered file; its path is env/destination/… below the output folder."""

    path: str
    data: bytes
    identity: str = ""
    source: str = ""


def walk(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Every node of a tree with its path, parents first."""
    yield path, node
    for key, child in node.items.items():
        yield from walk(child, (*path, key))
    for index, child in enumerate(node.elements):
        yield from walk(child, (*path, index))
