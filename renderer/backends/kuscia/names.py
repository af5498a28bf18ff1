"""The names that Kuscia derives from a serving, exactly as its controller makes them."""

from renderer.text.digests import sha256

LONGEST = 63
_ROOM = 41
_HASH = 16


def deployment_name(serving: str, role: str) -> str:
    return f"{serving}-{role}" if role else serving


def config_map_name(deployment: str) -> str:
    return f"{deployment}-configtemplate"


def service_name(deployment: str, port: str, prefix: str = "") -> str:
    """The Service of a port; hashed where it would be too long, unless a prefix is given."""
    port = port.strip("-").replace("_", "-").replace(".", "-")
    if prefix:
        return f"{prefix}-{port}"
    base = deployment.strip("-")
    name = f"{base}-{port}"
    if name[0].isdigit():
        name = f"svc-{name}"
    return hashed_service_name(base, port) if len(name) > LONGEST else name


def hashed_service_name(base: str, port: str) -> str:
    digest = sha256(base.encode()).hexdigest()[:_HASH]
    return f"svc-{base[: _ROOM - len(port)]}-{digest}-{port}"
