"""What flows through the program: documents, specs, environments, summaries."""

from collections.abc import Collection, Mapping
from typing import Protocol

from renderer.values.diagnostics import Origin, Path
from renderer.values.kinds import WITH, Kind, Stage
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class Document(NamedTuple):
    """One file as it was read; without a tree where it could not be."""

    file: str
    source: str
    tree: Node | None


def environment_of(file: str) -> str:
    """The environment whose folder a file is in; nothing for one outside of all."""
    segments = file.split("/")
    inside = len(segments) > 2 and segments[0] == "environments"  # noqa: PLR2004
    return segments[1] if inside else ""


def stem_of(file: str) -> str:
    """What a spec is known by: the name of its file without the ending."""
    return file.rsplit("/", 1)[1].rsplit(".", 1)[0]


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

    `unreliable` are the paths, without numbers of items, of values that are missing or were taken
    out because they are not what they should be. One whose file is copied as it is has the text of
    that file as its `source`.
    """

    kind: Kind
    stem: str
    environment: str
    files: tuple[str, ...]
    tree: Node
    unreliable: frozenset[tuple[str, ...]] = frozenset()
    source: str = ""

    @property
    def file(self) -> str:
        """The most specific of the files it is made of."""
        return self.files[0]

    @property
    def name_node(self) -> Node:
        """The name, which is the file's stem unless the spec says otherwise."""
        given = self.tree.get(*self.kind.name_path)
        return given or Node(self.stem, Origin(self.file, 1, 1, "the name of the file"))

    @property
    def name(self) -> str:
        given = self.tree.get(*self.kind.name_path)
        return str(given.value) if given else self.stem

    @property
    def identity(self) -> tuple[str, str]:
        return self.kind.name, self.stem

    @property
    def key(self) -> SpecKey:
        return SpecKey(self.environment, self.kind.name, self.stem)

    @property
    def stage(self) -> Stage:
        """When its objects are applied: after those specs that it goes with, if it names some."""
        return Stage.LAST if WITH in self.tree.items else self.kind.stage

    def is_reliable(self, path: str) -> bool:
        """Whether everything at a path, as in `parts.name`, is what it should be; "" is all."""
        keys = tuple(path.split(".")) if path else ()
        return not any(keys[: len(bad)] == bad[: len(keys)] for bad in self.unreliable)

    def __str__(self) -> str:
        return f"{self.kind.name}/{self.stem}"


class Placeless(Protocol):
    """What is the same of a spec in all environments in which equal things are said of it.

    Rules that are given it, and so read no more, are asked once for all of them.
    """


class PlacelessSpec(Protocol):
    """What is the same of a spec in all environments that say nothing else of it."""

    @property
    def kind(self) -> Kind: ...
    @property
    def stem(self) -> str: ...
    @property
    def files(self) -> tuple[str, ...]: ...
    @property
    def tree(self) -> Node: ...
    @property
    def unreliable(self) -> frozenset[tuple[str, ...]]: ...
    @property
    def name(self) -> str: ...
    @property
    def name_node(self) -> Node: ...
    def is_reliable(self, path: str) -> bool: ...


class Destination(NamedTuple):
    """A folder of output that one GitOps application applies.

    Two destinations of one cluster are the same place to what is applied.
    """

    name: str
    platform: str
    cluster: str
    tree: Node

    @property
    def namespace(self) -> str:
        """Where objects go that name none; empty if the platform has none."""
        return self.tree.text_at("namespace")

    @property
    def cluster_name(self) -> str:
        """What the cluster is called where others know it: as it is named, else as this is."""
        return self.tree.text_at("cluster") or self.name


class Environment(NamedTuple):
    """A folder of specs and the destinations they go to; without any it is only inherited.

    Rules and plans see the prerequisites among its specs, other commands see all of them. `unread`
    are the stems of files that are no specs because something is wrong with them, `other_names`
    the kinds and names of specs that are there but not at hand. `made` are the objects that are
    there because of specs of open kinds, by kind and name: one name may be in several namespaces.
    It is nothing if there are no such specs.
    """

    name: str
    files: tuple[str, ...]
    tree: Node
    destinations: tuple[Destination, ...]
    specs: tuple[Spec, ...]
    by_name: Mapping[tuple[str, str], Spec]
    unread: frozenset[str] = frozenset()
    other_names: tuple[tuple[str, str], ...] = ()
    made: Mapping[tuple[str, str], tuple[Spec, ...]] | None = None

    @property
    def file(self) -> str:
        """The file that describes it, itself and not its ancestors."""
        return self.files[0]

    @property
    def is_production(self) -> bool:
        """Whether real users depend on it."""
        node = self.tree.get("production")
        return bool(node and node.value is True)

    @property
    def variables(self) -> "dict[str, Node]":
        """The values that specs refer to as `${vars.NAME}`."""
        node = self.tree.get("vars")
        return node.items if node else {}

    @property
    def severities(self) -> "dict[str, Node]":
        """The severities of rules that it sets, by code."""
        node = self.tree.get("rules")
        return node.items if node else {}

    def platform_destinations(self, platform: str) -> tuple[Destination, ...]:
        return tuple(item for item in self.destinations if item.platform == platform)

    def routed_destinations(self, platform: str, spec: Spec) -> tuple[Destination, ...]:
        """The destination of a platform that a spec names, else the only one there is."""
        return self.destinations_by_fields(platform, spec.tree)

    def destinations_by_fields(self, platform: str, fields: "Node") -> tuple[Destination, ...]:
        """The same for the fields of a spec, or those of its summary."""
        known = self.platform_destinations(platform)
        given = fields.get("destination")
        if given is not None:
            return tuple(item for item in known if item.name == given.value)
        return known if len(known) == 1 else ()

    def spec_named(self, kind: str, name: str) -> Spec | None:
        return self.by_name.get((kind, name))

    def referenced_specs(self, reference: "Reference") -> list[Spec]:
        """The specs that a reference may mean."""
        if reference.name == ANY:
            return [spec for spec in self.specs if spec.kind.name == reference.kind]
        return self.named_specs(reference)

    def named_specs(self, reference: "Reference") -> list[Spec]:
        """The same without those that it only has to choose from."""
        name = reference.kind, reference.name
        found = self.by_name.get(name)
        return [found] if found else [*self.made.get(name, ())] if self.made else []

    def may_have(self, kind: str, name: str) -> bool:
        """Whether there is such a spec, or a file that might be it if it could be read."""
        return (kind, name) in self.by_name or name in self.unread

    def names(self, kind: str) -> list[str]:
        return [name for of_kind, name in (*self.by_name, *self.other_names) if of_kind == kind]

    def limited_to(self, specs: "Collection[Spec]") -> "Environment":
        """The environment with some of its specs; of the others, the names are still known."""
        kept = {spec.identity for spec in specs}
        names = {name: s for name, s in self.by_name.items() if s.identity in kept}
        others = tuple(name for name in self.by_name if name not in names)
        made = self.made and {
            name: some
            for name, every in self.made.items()
            if (some := tuple(spec for spec in every if spec.identity in kept))
        }
        return self._replace(specs=tuple(specs), by_name=names, other_names=others, made=made)


class SpecPart(NamedTuple):
    """A document that is known to be a spec: its kind, stem and environment.

    Only one that is copied as it is has its text.
    """

    kind: Kind
    stem: str
    environment: str
    file: str
    tree: Node
    texts: tuple[str, ...]
    source: str = ""


class Settings(NamedTuple):
    """What `servingctl.yaml` says.

    `keep` are paths that environments may differ in; without the setting, those that backends
    name. What only versions of servingctl after `rules_as_of` find is a warning at most.
    `policies` are the folders with the repository's own rules.
    """

    output: str = "rendered"
    ignore: tuple[str, ...] = ()
    rules: Mapping[str, str] = {}
    tree: Node | None = None
    keep: tuple[str, ...] = ()
    rules_as_of: str = ""
    policies: tuple[str, ...] = ("policies",)


#: What an environment says of objects that specs refer to.
REFERENCES = "references"
#: Instead of the name of a spec: any of its kind may be the one that is meant.
ANY = "*"


class Reference(NamedTuple):
    """A spec's mention of another one, by kind and name, for one of its units.

    Where a platform chooses by what specs say, a mention of `ANY` stands beside the one of the
    choice: a spec that is not there yet may be chosen one day.

    One that names an object of the cluster may say its namespace, and the keys that it needs of
    it; what is optional may be missing. `origin` is where its name was set and `key_origins` where
    its keys were; `via` is where the name is used, if a variable of another file sets it.
    """

    kind: str
    name: str
    path: Path
    unit: int = 0
    namespace: str = ""
    keys: tuple[str, ...] = ()
    is_optional: bool = False
    origin: Origin | None = None
    via: Origin | None = None
    key_origins: tuple[Origin, ...] = ()

    @property
    def content(self) -> "Reference":
        """All that it says, without the places where that stands."""
        return self._replace(origin=None, via=None, key_origins=())


class Summary(NamedTuple):
    """What other specs and the rules over several specs may see of one spec.

    `fields` has only what its kind declares. `needs` are the destinations where the specs that it
    refers to must be present, `own` those it goes to itself.
    """

    kind: str
    stem: str
    environment: str
    files: tuple[str, ...]
    name: Node
    fields: Node
    references: tuple[Reference, ...] = ()
    own: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()

    @property
    def key(self) -> SpecKey:
        return SpecKey(self.environment, self.kind, self.stem)

    @property
    def file(self) -> str:
        return self.files[0]

    def __str__(self) -> str:
        return f"{self.kind}/{self.stem}"


class Fleet(NamedTuple):
    """All environments with output, and the summaries of their specs: what conclusions see."""

    environments: tuple[Environment, ...]
    summaries: Mapping[str, tuple[Summary, ...]]

    def summaries_of(self, environment: Environment) -> tuple[Summary, ...]:
        return self.summaries.get(environment.name, ())
