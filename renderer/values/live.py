"""Objects as an API server has them: which are asked for, and what came of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node


class Query(NamedTuple):
    """Objects of a kind in a namespace of a destination, all of them or those with a label.

    Of what is not `required`, a status can do without: it is made by a platform, and who may read
    the rest may not be allowed to read it. `reads` are paths, of one key or two, of all that is
    looked at in these objects beside who they are; without any, everything is. If
    `are_names_enough`, a client is asked for names alone. With a `name`, only objects
    called so are wanted.
    """

    destination: str
    api_version: str
    kind: str
    namespace: str
    selector: str = ""
    required: bool = True
    reads: tuple[tuple[str, ...], ...] = ()
    are_names_enough: bool = False
    name: str = ""

    @property
    def resource(self) -> str:
        """What a client calls the kind, with version and group: `deployment.v1.apps`.

        Without a version, a client takes the one that the cluster prefers.
        """
        group, _, version = self.api_version.rpartition("/")
        return ".".join(filter(None, (self.kind.lower(), group and version, group)))


class LiveObject(NamedTuple):
    """An object as it was read; anything may be missing in it."""

    tree: Node

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
    def is_being_deleted(self) -> bool:
        return bool(self.tree.text_at("metadata", "deletionTimestamp"))

    def label(self, name: str) -> str:
        return self.tree.text_at("metadata", "labels", name)

    def __str__(self) -> str:
        place = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {place}"


@dataclass(frozen=True)
class LiveObjects:
    """What is there at one destination, and the kinds that could not be read, each with why."""

    objects: tuple[LiveObject, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict)

    def find(self, kind: str, namespace: str, name: str, group: str = "") -> LiveObject | None:
        """The object that is known so."""
        return self._objects_by_name.get((group, kind, namespace, name))

    def objects_with_label(
        self, kind: str, namespace: str, label: str, value: str
    ) -> Iterator[LiveObject]:
        """The objects of a kind in a namespace that have a label with some value."""
        there = self._objects_by_place.get((kind, namespace), ())
        return (item for item in there if item.label(label) == value)

    @cached_property
    def _objects_by_name(self) -> dict[tuple[str, str, str, str], LiveObject]:
        return {(i.group, i.kind, i.namespace, i.name): i for i in reversed(self.objects)}

    @cached_property
    def _objects_by_place(self) -> dict[tuple[str, str], list[LiveObject]]:
        found: dict[tuple[str, str], list[LiveObject]] = {}
        for item in self.objects:
            found.setdefault((item.kind, item.namespace), []).append(item)
        return found


Live = Mapping[str, LiveObjects]
"""By the names of destinations."""
NOTHING_LIVE = LiveObjects()
