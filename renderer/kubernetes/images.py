"""Names of images: what a node can fetch."""

from renderer.text.expressions import expression

#: No name is longer, with its registry, tag and digest.
_LONGEST = 512
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_REGISTRY = rf"(?:{_LABEL}(?:\.{_LABEL})*|\[[0-9A-Fa-f:]+\])(?::[0-9]+)?"
_PART = r"[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*"
_TAG = r"\w[\w.-]{0,127}"
_DIGEST = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}"
_IMAGE = expression(rf"(?a:(?:{_REGISTRY}/)?{_PART}(?:/{_PART})*(?::{_TAG})?(?:@{_DIGEST})?)")


def is_image(name: str) -> bool:
    """Whether it is `[REGISTRY[:PORT]/]PATH[:TAG][@DIGEST]`, as nodes read it."""
    return len(name) <= _LONGEST and _IMAGE.fullmatch(name) is not None


def is_tag(tag: str) -> bool:
    """Whether an image can have this behind its colon."""
    return is_image(f"a:{tag}")
