"""The forms of names: which texts are names of objects, labels, resources and images."""

from functools import lru_cache

from renderer.text.expressions import expression
from renderer.values.named_tuple import NamedTuple

_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_DNS_LABEL = expression(_LABEL)
_DNS_NAME = expression(rf"{_LABEL}(?:\.{_LABEL})*")
_QUALIFIED = expression(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")
_CONFIG_KEY = expression(r"[-._a-zA-Z0-9]+")
_HEADER = expression(r"[-A-Za-z0-9]+")
_VARIABLE = expression(r"[-._a-zA-Z][-._a-zA-Z0-9]*")
_RELAXED_VARIABLE = expression(r"[ -<>-~]+")
_PORT_NAME = expression(r"(?=[-0-9]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_PORT = 15
_LONGEST_LABEL, _LONGEST_NAME = 63, 253

DNS_NAME = "lower-case letters, digits, '-' and '.', a letter or digit around every dot"
DNS_LABEL = "lower-case letters, digits and '-', a letter or digit at both ends"
LABEL_VALUE = "at most 63 letters, digits, '-', '_' and '.', a letter or digit at both ends"
LABEL_KEY = f"an optional DNS name and '/', then {LABEL_VALUE}"
PORT_NAME = "at most 15 small letters, digits and single '-', a letter among them"
CONFIG_KEY = "letters, digits, '-', '_' and '.'"


def is_dns_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and bool(_DNS_LABEL.fullmatch(text))


def is_dns_name(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and bool(_DNS_NAME.fullmatch(text))


def is_dns_prefix(text: str) -> bool:
    """What a name may begin with: the dash at its end is not the last character then."""
    return is_dns_name(f"{text[:-2]}a" if text[1:].endswith("-") else text)


def is_label_key(text: str) -> bool:
    """Also of an annotation, and of whatever else has a name with a prefix."""
    prefix, slash, name = text.rpartition("/")
    return bool(_QUALIFIED.fullmatch(name)) and (not slash or is_dns_name(prefix))


def is_label_value(text: str) -> bool:
    return not text or bool(_QUALIFIED.fullmatch(text))


def is_port_name(text: str) -> bool:
    return len(text) <= _LONGEST_PORT and bool(_PORT_NAME.fullmatch(text))


def is_config_key(text: str) -> bool:
    """Of a ConfigMap or a Secret."""
    fits = len(text) <= _LONGEST_NAME and bool(_CONFIG_KEY.fullmatch(text))
    return fits and text != "." and not text.startswith("..")


def is_header_name(text: str) -> bool:
    return bool(_HEADER.fullmatch(text))


def is_plain_variable(text: str) -> bool:
    """The name of a variable that every version of Kubernetes takes."""
    fits = bool(_VARIABLE.fullmatch(text))
    return fits and text != "." and not text.startswith("..")


def is_variable(text: str, *, relaxed: bool) -> bool:
    """The name of a variable; since 1.32 Kubernetes is relaxed about them."""
    return bool(_RELAXED_VARIABLE.fullmatch(text)) if relaxed else is_plain_variable(text)


HUGE_PAGES = "hugepages-"
STANDARD = ("cpu", "memory", "ephemeral-storage")
_QUOTA_PREFIX = "requests."


def is_native(name: str) -> bool:
    """Whether Kubernetes itself knows the resource; others are extended ones."""
    return "/" not in name or "kubernetes.io/" in name


@lru_cache(maxsize=1024)
def is_extended(name: str) -> bool:
    quota = f"{_QUOTA_PREFIX}{name}"
    return not is_native(name) and not name.startswith(_QUOTA_PREFIX) and is_label_key(quota)


@lru_cache(maxsize=1024)
def is_of_containers(name: str) -> bool:
    """Whether a container can ask for it."""
    if "/" not in name:
        return name in STANDARD or (name.startswith(HUGE_PAGES) and is_label_key(name))
    return is_label_key(name) and (is_native(name) or is_extended(name))


def can_be_overcommitted(name: str) -> bool:
    """Whether a container may be granted more than it requests."""
    return is_native(name) and not name.startswith(HUGE_PAGES)


#: No name is longer, with its registry, tag and digest.
_LONGEST_IMAGE = 512
_HOST_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_REGISTRY = rf"(?:{_HOST_LABEL}(?:\.{_HOST_LABEL})*|\[[0-9A-Fa-f:]+\])(?::[0-9]+)?"
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
    return len(name) <= _LONGEST_IMAGE and _IMAGE.fullmatch(name) is not None


def is_tag(tag: str) -> bool:
    """Whether an image can have this behind its colon."""
    return is_image(f"a:{tag}")
