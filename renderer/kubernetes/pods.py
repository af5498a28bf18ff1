"""A pod as it stands in a spec: the values of its fields, and where each of them is."""

from collections.abc import Iterable, Iterator, Mapping

from renderer.kubernetes.versions import NEWEST, Version
from renderer.values.diagnostics import Finding, Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: The kind of the rules that are given a pod.
POD = "Pod"
PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
#: The objects that make pods; others are made by an operator itself.
DEPLOYMENT, JOB, OPERATOR = "Deployment", "Job", "an operator"
STATEFUL_SET = "StatefulSet"
#: Those that take only pods whose containers are always restarted.
SERVING_MAKERS = (DEPLOYMENT, STATEFUL_SET, "DaemonSet", "ReplicaSet", "ReplicationController")
SOURCE = "kubernetes/kubernetes: pkg/apis/core/validation/validation.go"


class Field(NamedTuple):
    """A field of a pod, and its path in the spec."""

    path: Path
    node: Node

    @property
    def name(self) -> str:
        return str(self.path[-1])

    @property
    def text(self) -> str:
        """Its text; empty if it is none."""
        return self.node.value if isinstance(self.node.value, str) else ""

    def get(self, *keys: str) -> "Field | None":
        """A field below; nothing if it is not there."""
        node = self.node.get(*keys)
        return Field((*self.path, *keys), node) if node else None

    def each(self, *keys: str) -> "Iterator[Field]":
        """The elements of a list below."""
        node = self.node.get(*keys)
        for number, element in enumerate(node.elements if node else ()):
            yield Field((*self.path, *keys, number), element)

    def members(self, *keys: str) -> "dict[str, Field]":
        """The members of a mapping below."""
        node, path = self.node.get(*keys), (*self.path, *keys)
        items = node.items.items() if node else ()
        return {key: Field((*path, key), child) for key, child in items}

    def present(self, keys: Iterable[str]) -> "list[Field]":
        """Those of some members that are there."""
        return [found for key in keys if (found := self.get(key))]

    def wrong(self, message: str, fix: str) -> Finding:
        return Finding(self.path, message, fix)

    def wrong_key(self, message: str, fix: str) -> Finding:
        """What is wrong is that it is there, or what it lacks."""
        return Finding(self.path, message, fix, at_key=True)


class Replicas(NamedTuple):
    """How many of a pod there are at least: `owner` is who has them, `path` where to say more.

    If it `serves_others`, a restart interrupts others than its owner, in every environment.
    """

    owner: str
    least: int
    path: Path
    serves_others: bool = False


class Pod(NamedTuple):
    """A pod as a spec describes it, with what its platform adds and where it goes."""

    spec: Field
    #: Whether its Kubernetes takes nearly any name of a variable.
    relaxed_variables: bool = True
    #: Containers of the pod that stand elsewhere in the spec.
    others: tuple[Field, ...] = ()
    #: Names of the volumes that it gets from elsewhere; nothing if they are not known.
    volumes: frozenset[str] | None = frozenset()
    #: The tree that paths lead through, if the pod was made of what the spec says in other words.
    tree: Node | None = None
    #: The versions of Kubernetes that it goes to, which the core fills in.
    versions: tuple[Version, ...] = (NEWEST,)
    #: The kind of object that makes it.
    maker: str = DEPLOYMENT
    #: Whether it is applied as it stands: no platform adds what it leaves out.
    is_applied: bool = False
    #: Names and numbers of ports that its containers get from elsewhere; nothing if not known.
    ports: frozenset[str | int] | None = frozenset()
    #: The metadata of its template, where no other rule checks it.
    metadata: Field | None = None
    #: Lists whose items have keys of their own for the object that the pod is part of.
    keyed_lists: frozenset[str] = frozenset()
    #: Whether claims have no labels and annotations in that object.
    bare_claims: bool = False
    #: Names of variables that its containers get from elsewhere.
    variables: frozenset[str] = frozenset()
    #: The container whose words an operator joins to a line of a shell.
    joined: Path = ()
    #: Tags that the platform puts behind names of images. One that stands beside an `image` counts
    #: instead of the tag there.
    tags: tuple[Field, ...] = ()
    #: How many there are; nothing where that is not known, or one is all that there can be.
    replicas: Replicas | None = None
    #: Whether its containers run with the amounts that it says: no other spec may replace them.
    has_final_amounts: bool = True
    #: The version of servingctl since which a rule holds for such pods, by code, where that is
    #: another one than the rule's own; "" stands for all rules that do not say it themselves.
    since: Mapping[str, str] = {}
    #: The files of the spec, the most specific one first, which the core fills in.
    files: tuple[str, ...] = ()
    #: Whether real users depend on it, which the core fills in.
    in_production: bool = False

    def containers(self) -> tuple[Field, ...]:
        return _containers(self)

    def container_items(self, key: str) -> Iterator[Field]:
        """The items of a list that every container may have."""
        for container in self.containers():
            yield from container.each(key)


@cached_by_identity  # as most rules ask for them
def _containers(pod: Pod) -> tuple[Field, ...]:
    return (*pod.spec.each("containers"), *pod.others, *pod.spec.each("initContainers"))
