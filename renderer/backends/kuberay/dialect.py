"""What versions of KubeRay and of Ray know, and what the tags of images say of them."""

from functools import lru_cache

from renderer.kubernetes.names import ImageName
from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

Version = tuple[int, int, int]

#: The newest whose behaviour is known here.
NEWEST = (1, 7, 0)
#: Those that were observed; the first is taken for an environment's own where that names none. What
#: is known of others was read in their source.
OBSERVED, _OBSERVED_TOO = (1, 6, 1), (1, 6, 2)
SERVE_PORT = "serve"
#: Since then, ports may also be called `serve-` and more, such as serve-grpc.
_SEVERAL_SERVE_PORTS = (1, 6, 0)
_NUMBERS = expression(r"v?([0-9]{1,6})\.([0-9]{1,6})(?:\.([0-9]{1,6}))?(?:[-.+]?[0-9A-Za-z.-]+)?")
_PYTHON = expression(r"py([0-9]+)")
_NAMES = ("ray", "ray-ml", "ray-llm")


def version_text(version: Version) -> str:
    return ".".join(map(str, version))


@lru_cache(maxsize=64)
def parse_version(text: str) -> Version | None:
    """The numbers that a version begins with; nothing if it does not begin with numbers."""
    found = _NUMBERS.fullmatch(text)
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


class Dialect(NamedTuple):
    """What the KubeRay of an environment understands; without a version, the observed one does."""

    version: Version = OBSERVED

    @classmethod
    def of(cls, text: str) -> "Dialect":
        return cls(parse_version(text) or OBSERVED)

    def __str__(self) -> str:
        return version_text(self.version)

    def knows(self, since: tuple[int, ...]) -> bool:
        """Whether it is the version that brought something, or a later one."""
        return self.version >= since

    def is_serve_port(self, name: str) -> bool:
        """Whether requests may go to a port of this name."""
        return name == SERVE_PORT or (
            self.knows(_SEVERAL_SERVE_PORTS) and name.startswith(f"{SERVE_PORT}-")
        )

    @property
    def is_observed(self) -> bool:
        """Whether what it does was seen, and not only read in its source."""
        return self.version in (OBSERVED, _OBSERVED_TOO)


class RayImage(NamedTuple):
    """The name of an image in parts: where it is, its tag, its digest."""

    repository: str
    tag: str = ""
    digest: str = ""

    @classmethod
    def of(cls, name: str) -> "RayImage":
        return cls(*ImageName.of(name))

    @property
    def is_of_ray(self) -> bool:
        """Whether it is called as those that Ray publishes: its tag is that of a Ray."""
        return self.repository.rpartition("/")[2] in _NAMES

    @property
    def ray_version(self) -> Version | None:
        """The version of Ray that the tag begins with; those below 1 are RayLLM's own."""
        first = self.tag.partition("-")[0]
        version = parse_version(first) if first.count(".") == 2 else None  # noqa: PLR2004
        return version if version and version[0] else None

    @property
    def python(self) -> str:
        """The version of Python in the tag, as in `py310`; empty if it says none."""
        parts = (part for part in self.tag.split("-") if _PYTHON.fullmatch(part))
        return next(parts, "")
