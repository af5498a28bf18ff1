"""References to objects of the cluster: what environments say of them, and who makes what."""

from renderer.values.diagnostics import Origin
from renderer.values.model import REFERENCES, Environment, Reference
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: The objects that are there already, in what an environment says of references.
PROVIDED = "provided"


class ProvidedObject(NamedTuple):
    """An object that is there already; without a namespace or destination, wherever it is needed.

    Its `keys` are those that it has, nothing if these are not known.
    """

    kind: str
    name: str
    namespace: str
    destination: str
    keys: frozenset[str] | None
    node: Node

    def is_at(self, destination: str, namespace: str | None) -> bool:
        """Whether it is in a namespace; in any one of the destination, if none is given."""
        at = self.namespace in ("", namespace) or namespace is None
        return at and self.destination in ("", destination)

    @property
    def origin(self) -> Origin:
        """Where it is named: a finding on it stands there."""
        named = self.node.get("name")
        return named.origin if named else self.node.origin

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


class ReferenceSettings(NamedTuple):
    """Whether all references have to lead to something, and what is there already.

    `misread` are texts that are no kind and name.
    """

    is_closed: bool
    provided: tuple[ProvidedObject, ...]
    misread: tuple[Node, ...] = ()

    @classmethod
    def of(cls, environment: Environment) -> "ReferenceSettings":
        given = environment.tree.get(REFERENCES)
        closed, listing = (given.get(key) if given else None for key in ("closed", PROVIDED))
        items = [_provided(node) for node in (listing.elements if listing else ())]
        named = tuple(item for item in items if item.kind and item.name)
        misread = tuple(item.node for item in items if isinstance(item.node.value, str))
        return cls(closed is not None and closed.value is True, named, misread)


def _provided(node: Node) -> ProvidedObject:
    given = node.get("keys")
    keys = frozenset(str(key.value) for key in given.elements) if given else None
    where = node.text_at("namespace"), node.text_at("destination")
    return ProvidedObject(node.text_at("kind"), node.text_at("name"), *where, keys, node)


def written_out(description: Node) -> Node:
    """The description of an environment in which `Kind/name` is a mapping of kind and name."""
    listing = description.get(REFERENCES, PROVIDED)
    if listing is None or not any(isinstance(item.value, str) for item in listing.elements):
        return description
    given = description.items[REFERENCES]
    items = listing.with_members(tuple(map(_mapping, listing.elements)))
    settings = given.with_members({**given.items, PROVIDED: items})
    return description.with_members({**description.items, REFERENCES: settings})


def _mapping(item: Node) -> Node:
    kind, stroke, name = item.value.partition("/") if isinstance(item.value, str) else ("",) * 3
    if not stroke:
        return item
    parts = {"kind": kind, "name": name}
    return item.with_members({key: Node(text, item.origin) for key, text in parts.items()})


class Maker(NamedTuple):
    """Why an object is there: a spec of a file, an entry of an environment, or a platform.

    `keys` are those of a Secret or ConfigMap, nothing if they are not known.
    """

    name: str
    file: str = ""
    line: int = 0
    keys: frozenset[str] | None = None
    provided: ProvidedObject | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{self.name} ({place})" if place else self.name


class Need(NamedTuple):
    """A reference of a spec at one place, and what makes the object that it names.

    Without a maker, `elsewhere` are places that have one of the name, and `alike` the names of
    others of its kind right there. `owner` is the spec, `files` those that it is made of.
    """

    owner: str
    files: tuple[str, ...]
    use: Reference
    origin: Origin
    destination: str
    namespace: str
    maker: Maker | None
    elsewhere: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()

    @property
    def is_missing(self) -> bool:
        return self.maker is None and not self.use.is_optional

    @property
    def missing_keys(self) -> tuple[str, ...]:
        """The keys that the object is known not to have."""
        known = self.maker.keys if self.maker else None
        if known is None or self.use.is_optional:
            return ()
        return tuple(key for key in self.use.keys if key not in known)

    @property
    def place(self) -> str:
        """`namespace 'models' of east`."""
        inside = f"namespace {self.namespace!r} of " if self.namespace else ""
        return f"{inside}{self.destination}"
