"""What flows through the program: documents, specs, environments, manifests."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from renderer.values.diagnostics import Diagnostic, Origin, Path
from renderer.values.tree import Node, Plain

_DEPTH_OF_A_SPEC = 3


class Document(NamedTuple):
    """One file as it was read; without a tree where it could not be."""

    file: str
    source: str
    tree: Node | None


class TextFiles(NamedTuple):
    """Where a kind takes text from files: `{file: …}` at a path, looked up in a folder."""

    path: tuple[str, ...]
    folder: str

    def covers(self, path: Path) -> bool:
        """Whether a path is such a place."""
        return len(path) == len(self.path) and all(
            want in ("*", have) for want, have in zip(self.path, path, strict=True)
        )


class Kind(NamedTuple):
    """A kind of spec: its schema, the field that names it, and how it finds its destination.

    A prerequisite follows its users; a kind that routes itself may go nowhere; any other one goes
    to the destination that it names or to the only one of its platform. Below its `data_keys`, keys
    are the user's own data and say nothing of their values. Its `face` is all of a spec that is
    looked at to judge other specs: paths, with `*` for the items of a list.
    """

    name: str
    schema: str
    name_field: str = "name"
    prerequisite: bool = False
    routes_itself: bool = False
    data_keys: frozenset[str] = frozenset()
    text_files: tuple[TextFiles, ...] = ()
    face: tuple[tuple[str, ...], ...] = ()


class Option(NamedTuple):
    """An option that a platform adds to a command; it can be given several times."""

    name: str
    metavar: str
    help: str


class SpecKey(NamedTuple):
    """What tells specs apart."""

    environment: str
    kind: str
    stem: str


class Spec(NamedTuple):
    """A composed spec: known by kind and stem, with every value's origin.

    `holes` are the places, without numbers of items, of values that are missing or were taken out
    because they are not what they should be.
    """

    kind: Kind
    stem: str
    environment: str
    files: tuple[str, ...]
    tree: Node
    holes: frozenset[tuple[str, ...]] = frozenset()

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
        given = self.tree.get(self.kind.name_field)
        return str(given.value) if given else self.stem

    @property
    def identity(self) -> tuple[str, str]:
        return self.kind.name, self.stem

    @property
    def key(self) -> SpecKey:
        return SpecKey(self.environment, self.kind.name, self.stem)

    def tells(self, place: str) -> bool:
        """Whether everything at a place, as in `parties.domain_id`, can be relied on."""
        keys = tuple(place.split("."))
        return not any(keys[: len(hole)] == hole[: len(keys)] for hole in self.holes)

    def __str__(self) -> str:
        return f"{self.kind.name}/{self.stem}"


class Destination(NamedTuple):
    """A folder of output that one GitOps application applies.

    Two destinations of one cluster are the same place to what is applied.
    """

    name: str
    platform: str
    cluster: str
    tree: Node


class Environment(NamedTuple):
    """A folder of specs and the destinations they go to; without any it is only inherited.

    `unread` are the stems of files that are no specs because something is wrong with them.
    """

    name: str
    files: tuple[str, ...]
    tree: Node
    destinations: tuple[Destination, ...]
    specs: tuple[Spec, ...]
    by_name: Mapping[tuple[str, str], Spec]
    unread: frozenset[str] = frozenset()

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

    def may_have(self, kind: str, name: str) -> bool:
        """Whether there is such a spec, or a file that might be it if it could be read."""
        return (kind, name) in self.by_name or name in self.unread

    def names(self, kind: str) -> list[str]:
        return [name for of_kind, name in self.by_name if of_kind == kind]


def environment_of(file: str) -> str:
    """The environment in whose folder a file lies, `environments/<name>/…`; nothing if in none."""
    segments = file.split("/")
    return segments[1] if len(segments) >= _DEPTH_OF_A_SPEC else ""


class Part(NamedTuple):
    """A document that is known to be a spec: its kind, stem and environment."""

    kind: Kind
    stem: str
    environment: str
    file: str
    tree: Node
    texts: tuple[str, ...]


Uses: TypeAlias = Mapping[str, Mapping[str, Collection[str]]]
"""By environment, the stems of the specs that use each variable."""


class Settings(NamedTuple):
    """What `servingctl.yaml` says."""

    output: str = "rendered"
    ignore: tuple[str, ...] = ()
    rules: Mapping[str, str] = {}
    tree: Node | None = None


class Project(NamedTuple):
    """A repository as it was read: environments, overrides, and what reading found.

    `digests` tell the contents of all files apart that were read.
    """

    settings: Settings
    environments: tuple[Environment, ...]
    documents: Mapping[str, Document]
    templates: Mapping[str, str]
    crds: tuple[Document, ...]
    diagnostics: tuple[Diagnostic, ...]
    parts: tuple[Part, ...] = ()
    used: Uses = MappingProxyType({})
    digests: Mapping[str, bytes] = MappingProxyType({})


class Reference(NamedTuple):
    """A spec's mention of another one, by kind and name, for one of its units."""

    kind: str
    name: str
    path: Path
    unit: int = 0


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


class Stored(NamedTuple):
    """A kind of object that a platform stores, its schema, and the kind of spec it is made of."""

    group: str
    kind: str
    schema: str
    spec: str


class Manifest(NamedTuple):
    """A rendered object, each leaf with its origin, and its path below the output folder.

    Of one that an earlier run made, the SHA-256 of the text may be all that is known of it.
    """

    path: str
    environment: str
    destination: str
    spec: Spec
    schema: str
    tree: Node
    text: str
    identity: str
    digest: str = ""
