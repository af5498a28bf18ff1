"""The settings of environments that are KServe's, each read in one place."""

from renderer.backends.fields import elements, text
from renderer.backends.kserve.catalogue import installed, shipped
from renderer.backends.kserve.dialect import KNATIVE, Dialect, parse_mode
from renderer.backends.kserve.runtimes import Runtime
from renderer.values.identity_cache import cached_by_identity
from renderer.values.model import Environment
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

PLATFORM = "kubernetes"
#: The value for clusters that have the runtimes that KServe ships.
BUILTIN = "builtin"


class KServeSettings(NamedTuple):
    """The settings of an environment for KServe, with their defaults.

    `runtimes` are the cluster-wide ones that are not in the repository, `tree` is what it says.
    """

    dialect: Dialect = Dialect()
    default_mode: str = KNATIVE
    runtimes: tuple[Runtime, ...] = installed(Dialect().version)
    tree: Node | None = None

    @classmethod
    @cached_by_identity
    def of(cls, environment: Environment) -> "KServeSettings":
        given = environment.tree.get("kserve")
        return cls._read(given) if given else cls._unset()

    @classmethod
    @cached_by_identity
    def _unset(cls) -> "KServeSettings":
        return cls()

    @classmethod
    @cached_by_identity
    def _read(cls, given: Node) -> "KServeSettings":
        """What environments say that inherit the same."""
        dialect = Dialect.of(text(given, "version"))
        mode = parse_mode(text(given, "default_mode")) or KNATIVE
        return cls(dialect, mode, tuple(_runtimes(given, dialect)), given)


def llm_settings(environment: Environment, destination: Node) -> tuple[Node | None, Node | None]:
    """Which presets a cluster has, and its configuration: a destination's come first."""
    given: dict[str, Node] = {}
    for tree in (environment.tree, destination):
        settings = tree.get("kserve")
        given |= settings.items if settings else {}
    return given.get("llm_configs"), given.get("config")


def _runtimes(given: Node, dialect: Dialect) -> "list[Runtime] | tuple[Runtime, ...]":
    """All that KServe ships, or those of a list; a name that it does not ship is left out."""
    if text(given, "runtimes") == BUILTIN or given.get("runtimes") is None:
        return installed(dialect.version)
    known = shipped(dialect.version)
    found = []
    for item in elements(given, "runtimes"):
        if isinstance(item.value, dict):
            found.append(Runtime.read(item, text(item, "name")))
        elif str(item.value) in known:
            found.append(known[str(item.value)])
    return found
