"""Kinds of specs: what they are called, how they are written, when their objects are applied."""

from enum import IntEnum

from renderer.values.diagnostics import Path
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

#: Takes a spec out of an environment, whatever fields its kind has.
DROP = "$disabled"
#: Where a spec goes whose own fields are those of its object, which specs it goes with, and whether
#: its name changes with its content. None of them is rendered.
DESTINATION, WITH, NAMING = "$destination", "$with", "$naming"
STEERING = (DROP, DESTINATION, WITH, NAMING)
#: What a destination says of who decrypts what is copied there.
DECRYPTION = "decryption"


class TextFiles(NamedTuple):
    """Where a kind takes text from files: `{file: …}` at a path, looked up in a folder.

    A text of a file is taken as it is. So is one that stands there itself, unless it
    `has_variables`.
    """

    path: tuple[str, ...]
    folder: str
    has_variables: bool = False

    def covers(self, path: Path) -> bool:
        """Whether a path is such a place."""
        return len(path) == len(self.path) and all(
            want in ("*", have) for want, have in zip(self.path, path, strict=True)
        )


class CopiedFiles(NamedTuple):
    """Which files of a kind are copied as they are: those with a mapping `mark` at the top.

    They are encrypted, and any change would show. What steers such a spec stands in its
    environment, at `steered_at`, by kind and stem.
    """

    mark: str
    steered_at: tuple[str, ...]

    def is_one(self, tree: Node) -> bool:
        """Whether a file is copied."""
        return bool((found := tree.get(self.mark)) and isinstance(found.value, dict))


class Verb(NamedTuple):
    """What can be asked of a platform's API about a spec: by name, for several at once or not.

    One that `compares` sends what differs from an earlier state.
    """

    name: str
    takes_several: bool = False
    compares: bool = False


class Stage(IntEnum):
    """When objects are applied: the numbers are the sync waves of Argo CD."""

    FIRST = -10
    MAIN = 0
    LAST = 10


ListKeys = tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


class Kind(NamedTuple):
    """A kind of spec: its schema, the field that names it, and how it finds its destination.

    A prerequisite follows its users; one that is `cluster_wide` is there once for all namespaces.
    One that `takes_snake_case` has keys in camelCase, and takes them as its API does in snake_case.
    Below its `data_keys`, keys are the user's own data and say nothing of their values. `metadata`
    leads to the object's labels and annotations, where these names have another meaning at the top;
    `drops` are the fields that take a spec out of an environment. Its `summary` is all of a spec
    that rules over several specs may see: paths, with `*` for the items of a list. `verbs` are the
    requests that its platform's API takes for it.

    One that `is_open` stands in no registry: a file may hold any object of the cluster, and is its
    spec as it is. `name_in` leads to the mapping that has its name; `list_keys` are the fields that
    tell the items of its lists apart, by the paths of the lists with `*` for items. Of one that
    is not described, neither these nor its scope are known. `copied` says which of its files are
    copied as they are. Those whose names begin with its `implied_names` are used without being
    named.
    """

    name: str
    schema: str
    name_field: str = "name"
    prerequisite: bool = False
    cluster_wide: bool = False
    metadata: tuple[str, ...] = ()
    drops: tuple[str, ...] = ("disabled", DROP)
    takes_snake_case: bool = False
    data_keys: frozenset[str] = frozenset()
    text_files: tuple[TextFiles, ...] = ()
    summary: tuple[tuple[str, ...], ...] = ()
    verbs: tuple[Verb, ...] = ()
    is_open: bool = False
    name_in: tuple[str, ...] = ()
    list_keys: ListKeys = ()
    is_described: bool = True
    given_stage: Stage | None = None
    copied: CopiedFiles | None = None
    implied_names: str = ""

    def __hash__(self) -> int:
        """Of its name: shapes are looked up by kinds, and the whole of one takes long to hash."""
        return hash(self.name)

    @property
    def name_path(self) -> tuple[str, ...]:
        """Where a spec says its name."""
        return (*self.name_in, self.name_field)

    @property
    def follows_users(self) -> bool:
        """Whether its specs go where others refer to them."""
        return self.prerequisite

    @property
    def stage(self) -> Stage:
        """When its objects are applied: those that others refer to come first, unless it says."""
        usual = Stage.FIRST if self.prerequisite else Stage.MAIN
        return usual if self.given_stage is None else self.given_stage

    @property
    def is_namespaced(self) -> bool:
        """Whether its specs say their namespace, so that one name may be in several."""
        return ("namespace",) in self.summary
