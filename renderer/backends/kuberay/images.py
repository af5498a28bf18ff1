"""Images of Ray: what their tags say of the versions inside."""

from typing import NamedTuple

from renderer.backends.kuberay.dialect import Version, version_of
from renderer.kubernetes.images import ImageName
from renderer.text.expressions import expression

_PYTHON = expression(r"py([0-9]+)")
_NAMES = ("ray", "ray-ml", "ray-llm")


class Image(NamedTuple):
    """The name of an image in parts: where it is, its tag, its digest."""

    repository: str
    tag: str = ""
    digest: str = ""

    @classmethod
    def of(cls, name: str) -> "Image":
        return cls(*ImageName.of(name))

    @property
    def is_of_ray(self) -> bool:
        """Whether it is called as those that Ray publishes: its tag is that of a Ray."""
        return self.repository.rpartition("/")[2] in _NAMES

    @property
    def ray_version(self) -> Version | None:
        """The version of Ray that the tag begins with; those below 1 are RayLLM's own."""
        first = self.tag.partition("-")[0]
        version = version_of(first) if first.count(".") == 2 else None  # noqa: PLR2004
        return version if version and version[0] else None

    @property
    def python(self) -> str:
        """The version of Python in the tag, as in `py310`; empty if it says none."""
        parts = (part for part in self.tag.split("-") if _PYTHON.fullmatch(part))
        return next(parts, "")
