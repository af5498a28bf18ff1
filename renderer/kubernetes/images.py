"""Names of images: their parts, and what a node can fetch."""

from typing import NamedTuple

from renderer.text.expressions import expression

#: No name is longer, with its registry, tag and digest.
_LONGEST = 512
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_REGISTRY = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Fa-f:]+\])(?::[0-9]+)?"
_PART = r"[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*"
_TAG = r"\w[\w.-]{0,127}"
_DIGEST = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}"
_IMAGE = expression(rf"(?a:(?:{_REGISTRY}/)?{_PART}(?:/{_PART})*(?::{_TAG})?(?:@{_DIGEST})?)")


class ImageName(NamedTuple):
    """The name of an image in parts: where it is, its tag, its digest."""

    repository: str
    tag: str = ""
    digest: str = ""

    @classmethod
    def of(cls, name: str) -> "ImageName":
        rest, _, digest = name.partition("@")
        head, colon, tag = rest.rpartition(":")
        if not colon or "/" in tag:  # the colon is that of a registry's port
            return cls(rest, "", digest)
        return cls(head, tag, digest)


def is_moving(tag: str) -> bool:
    """Whether tomorrow another image may be behind a tag."""
    return tag in ("", "latest") or tag.startswith(("nightly", "latest-"))


def is_image(name: str) -> bool:
    """Whether it is `[REGISTRY[:PORT]/]PATH[:TAG][@DIGEST]`, as nodes read it."""
    return len(name) <= _LONGEST and _IMAGE.fullmatch(name) is not None


def is_tag(tag: str) -> bool:
    """Whether an image can have this behind its colon."""
    return is_image(f"a:{tag}")
