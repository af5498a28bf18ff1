"""What is made of specs: where it goes, what it is made with, and the object itself."""

from collections.abc import Mapping

from renderer.values.diagnostics import Diagnostic
from renderer.values.kinds import Stage
from renderer.values.model import Destination, Environment, Spec
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class Placement(NamedTuple):
    """Where a spec's own object goes, and where what it refers to must be present."""

    own: tuple[Destination, ...]
    prerequisites: tuple[Destination, ...]


class Scene(NamedTuple):
    """What a spec is planned for: a destination, and the prerequisites that were made there.

    Without a destination it is planned for none in particular. `names` are the rendered names of
    specs that are named by their content. `namespace` is that of the users of a prerequisite.
    """

    environment: Environment
    destination: Destination | None
    names: Mapping[tuple[str, str], str]
    made: Mapping[tuple[str, str], Node]
    namespace: str = ""

    def name_of(self, kind: str, name: str) -> str:
        return self.names.get((kind, name), name)


class Render(NamedTuple):
    """One object to make: the template, the values it places, and how the object is known.

    `keeps` are paths in the object, through every item of a list, that no template may change: what
    the rules have judged in the spec. An object that `is_kept` stays in the cluster when it leaves
    the tree. One whose name ends in a digest of its content and that `has_generations` stays in the
    tree until the one that took its place is superseded as well.
    """

    template: str
    values: Mapping[str, Node]
    schema: str
    plural: str
    name: str
    keeps: tuple[tuple[str, ...], ...] = ()
    is_kept: bool = False
    has_generations: bool = False


class StoredKind(NamedTuple):
    """A kind of object that a platform stores, its schema, and the kind of spec it is made of.

    `health` is a path below the bundled templates, of a script for Argo CD (`.lua`) and expressions
    for Flux (`.cel.yaml`) that judge such an object. `ignored_differences` are jq expressions of
    fields that a platform writes although Git may set them. One that `ends` runs once, for however
    long, and is then over.
    """

    group: str
    kind: str
    schema: str
    spec: str
    version: str = "v1"
    is_namespaced: bool = True
    health: str = ""
    ignored_differences: tuple[str, ...] = ()
    ends: bool = False


class ObjectType(NamedTuple):
    """A kind of objects in its group."""

    group: str
    kind: str


class PermittedKinds(NamedTuple):
    """Kinds of objects that people may add: those of a namespace, and those of the whole cluster.

    If all of a namespace are permitted, `refused` are the exceptions, and `namespaced` is empty.
    """

    namespaced: frozenset[ObjectType] = frozenset()
    cluster_wide: frozenset[ObjectType] = frozenset()
    refused: frozenset[ObjectType] | None = None

    def joined(self, other: "PermittedKinds") -> "PermittedKinds":
        """What one of both permits."""
        namespaced = self.namespaced | other.namespaced
        cluster_wide = self.cluster_wide | other.cluster_wide
        given = [item.refused for item in (self, other) if item.refused is not None]
        if not given:
            return PermittedKinds(namespaced, cluster_wide)
        return PermittedKinds(
            cluster_wide=cluster_wide, refused=frozenset.intersection(*given) - namespaced
        )


class Manifest(NamedTuple):
    """A rendered object, each leaf with its origin, and its path below the output folder.

    Of one that an earlier run made, the SHA-256 of the text may be all that is known of it. Of one
    that `has_generations`, the former one stays in the tree.
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
    stage: Stage = Stage.MAIN
    has_generations: bool = False

    @property
    def folder(self) -> str:
        """That of its destination, below the output folder."""
        return f"{self.environment}/{self.destination}"


class Output(NamedTuple):
    """The objects of a rendered tree, and what is wrong with its files.

    `edited` are the files, as they are shown, that are not as they were rendered, or not there.
    """

    manifests: tuple[Manifest, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    edited: frozenset[str] = frozenset()


class OutputFile(NamedTuple):
    """A rendered file; its path is env/destination/… below the output folder.

    If it is as an earlier run made it, a digest may stand for its text. One that `is_former` was
    made of content that another file has taken the place of.
    """

    path: str
    text: str | None
    identity: str = ""
    source: str = ""
    digest: str = ""
    stage: Stage = Stage.MAIN
    has_generations: bool = False
    is_former: bool = False

    @property
    def data(self) -> bytes:
        return (self.text or "").encode()
