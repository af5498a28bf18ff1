"""IP addresses, as older and newer API servers take them."""

from functools import lru_cache


@lru_cache(maxsize=256)
def is_address(text: str) -> bool:
    """An address in a form that every program reads alike."""
    import ipaddress

    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text and not (found.version == 6 and found.ipv4_mapped)  # noqa: PLR2004


def is_loose_address(text: str) -> bool:
    """One that may have leading zeros, which older API servers take for nothing."""
    head, dot, _ = text.partition(".")
    if dot and ":" not in head:
        parts = text.split(".")
        bare = (part.lstrip("0") or "0" if part.isdigit() else part for part in parts)
        return is_address(".".join(bare))
    import ipaddress

    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return "%" not in text
