"""What others wrote, on its way to specs: where it came from, what it becomes, and what is lost."""

from renderer.values.diagnostics import Origin
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

DROPPED, CHANGED, KEPT = "left out", "written otherwise", "kept as it is"


class Source(NamedTuple):
    """An object, the body of a request or an answer, without what a server adds to objects.

    `address` is the path of the request that it was sent with, if that is known. One that
    `is_listed` stood in a list of objects, one that `is_name` is known by its kind and name alone,
    and one that `is_rendered` was written by servingctl, and nobody changed it since.
    """

    tree: Node
    address: str = ""
    is_listed: bool = False
    is_name: bool = False
    is_rendered: bool = False

    @property
    def kind(self) -> str:
        return self._text("kind")

    @property
    def group(self) -> str:
        """The API group of an object; empty for the body of a request."""
        return self._text("apiVersion").rpartition("/")[0]

    @property
    def name(self) -> str:
        return self._text("metadata", "name")

    @property
    def namespace(self) -> str:
        return self._text("metadata", "namespace")

    def _text(self, *path: str) -> str:
        found = self.tree.get(*path)
        return found.value if found and isinstance(found.value, str) else ""


class Surroundings(NamedTuple):
    """What a source is seen beside: the environment it is for, and all sources of the import."""

    environment: Environment
    sources: tuple[Source, ...]


class Note(NamedTuple):
    """What a spec does not say as its source does: where, what became of it, and why."""

    path: str
    what: str
    why: str


class ImportedSpec(NamedTuple):
    """A spec of a source: its fields without header and name, in the order to write them in.

    Values keep the origins that they have in the source, as comments are found by them. One that
    `updates` says only what changes of a spec that is there, or comes with the same import.
    """

    kind: str
    name: str
    tree: Node
    namespace: str = ""
    notes: tuple[Note, ...] = ()
    updates: bool = False


class ListedObject(NamedTuple):
    """An object that a list says a cluster has: who it is, and the keys of its data if known.

    Of one that `is_name` the namespace is not known.
    """

    kind: str
    name: str
    namespace: str
    file: str
    keys: tuple[str, ...] | None = None
    is_name: bool = False


class SkippedSource(NamedTuple):
    """A source that becomes no spec, and why."""

    origin: Origin
    what: str
    why: str
