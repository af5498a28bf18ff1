"""The names of resources: what is known of an amount by what it is an amount of."""

from functools import lru_cache

from renderer.kubernetes.names import is_label_key

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
