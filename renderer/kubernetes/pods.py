"""A pod as it stands in a spec: the values of its fields, and where each of them is."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from renderer.kubernetes.versions import NEWEST, Version
from renderer.values.diagnostics import Finding, Path
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

#: The kind of the rules that are given a pod.
POD = "Pod"
PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
#: The objects that make pods; others are made by an operator itself.
DEPLOYMENT, JOB, OPERATOR = "Deployment", "Job", "an operator"
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


class Pod(NamedTuple):
    """A pod's spec, and whether its Kubernetes takes nearly any name of a variable.

    `others` are containers of the pod that stand elsewhere in the spec. `volumes` are those that it
    gets from elsewhere, by their names; nothing if they are not known. `tree` is the one that paths
    lead through, if the pod was made of what the spec says in other words. `versions` are those of
    Kubernetes that it goes to, `maker` the kind of object that makes it. `ports` are those that its
    containers get from elsewhere, by names and numbers; nothing if they are not known. `metadata`
    is that of its template, where it is not checked elsewhere. `keyed_lists` are those whose items
    have keys of their own for the object that the pod is part of; `bare_claims` are those that have
    no labels and annotations there. `variables` are those that its containers get from elsewhere;
    `joined` is the container whose words an operator joins to a line of a shell.
    """

    spec: Field
    relaxed_variables: bool = True
    others: tuple[Field, ...] = ()
    volumes: frozenset[str] | None = frozenset()
    tree: Node | None = None
    versions: tuple[Version, ...] = (NEWEST,)
    maker: str = DEPLOYMENT
    ports: frozenset[str | int] | None = frozenset()
    metadata: Field | None = None
    keyed_lists: frozenset[str] = frozenset()
    bare_claims: bool = False
    variables: frozenset[str] = frozenset()
    joined: Path = ()

    def containers(self) -> tuple[Field, ...]:
        return _containers(self)

    def container_items(self, key: str) -> Iterator[Field]:
        """The items of a list that every container may have."""
        for container in self.containers():
            yield from container.each(key)


@cached_by_identity  # as most rules ask for them
def _containers(pod: Pod) -> tuple[Field, ...]:
    return (*pod.spec.each("containers"), *pod.others, *pod.spec.each("initContainers"))
