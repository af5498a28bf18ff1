"""What a version of Kuscia and its runtime mean; the only place where versions are compared."""

from collections.abc import Iterable
from functools import lru_cache

from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

#: KusciaDeployment and AppImage have had their present form since then.
OLDEST = "0.14.0b0"
#: The newest whose behaviour is known here.
NEWEST = "1.1.0b0"
#: The annotation that turns the default anti-affinity off.
AFFINITY_MODE_SINCE = "1.1.0b0"
_DEFAULT_AFFINITY_SINCE = "1.0.0b0"
_RELAXED_VARIABLES_SINCE = "1.1.0b0"
_LEADING = expression(r"v?([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6})[-.+_a-zA-Z0-9]*")
_PLAIN = expression(r"[0-9]+\.[0-9]+\.[0-9]+(?:(?:a|b|rc|\.dev)[0-9]*)?")


class Version(NamedTuple):
    """A version of Kuscia or of an application, as it was written and where."""

    numbers: tuple[int, int, int]
    text: str
    source: str

    def knows(self, since: str) -> bool:
        """Whether it is the version that brought something, or a later one, by three numbers."""
        first = parse_version(since)
        return first is None or self.numbers >= first.numbers


@lru_cache(maxsize=1024)
def parse_version(text: str, source: str = "") -> Version | None:
    """The version at the beginning of a tag; nothing if it begins otherwise."""
    found = _LEADING.fullmatch(text)
    if not found:
        return None
    short = _PLAIN.match(text.removeprefix("v"))
    numbers = (int(found[1]), int(found[2]), int(found[3]))
    return Version(numbers, short[0] if short else text, source)


def oldest(versions: Iterable[Version | None]) -> Version | None:
    """The oldest of those that are known."""
    return min((version for version in versions if version), default=None)


class Dialect(NamedTuple):
    """What the Kuscia of an environment understands; without a version, the newest one does.

    `spreads_pods` says that it has the default anti-affinity, `spreads_pods_anyway` that it does
    not know the mode `none` either; `relaxed_variables` that the Kubernetes inside takes nearly any
    name of a variable, as 1.32 and newer do. `takes_affinity_mode` says it of the API; objects may
    always have one.
    """

    version: str = ""
    is_supported: bool = True
    spreads_pods_anyway: bool = False
    relaxed_variables: bool = True
    runtime: str = "runc"
    takes_affinity_mode: bool = True
    spreads_pods: bool = True

    @classmethod
    def of(cls, version: str, runtime: str) -> "Dialect":
        known = parse_version(version)
        if known is None:
            return cls(runtime=runtime)
        takes_mode = known.knows(AFFINITY_MODE_SINCE)
        spreads = known.knows(_DEFAULT_AFFINITY_SINCE)
        relaxed = known.knows(_RELAXED_VARIABLES_SINCE)
        is_known, anyway = known.knows(OLDEST), spreads and not takes_mode
        return cls(known.text, is_known, anyway, relaxed, runtime, takes_mode, spreads)

    @property
    def uses_host_cluster(self) -> bool:
        """Whether pods run on the cluster that hosts Kuscia, which fills all files by pod."""
        return self.runtime == "runk"

    @property
    def compares_image_ids(self) -> bool:
        """Whether nodes stop pods whose image is not the one of their annotation."""
        return self.runtime != "runk"

    @property
    def shares_ports(self) -> bool:
        """Whether pods are processes that share their node's address and port numbers."""
        return self.runtime == "runp"
