"""Where the bundled templates and schemas are."""

import os


def _bundled(name: str) -> str:
    """A wheel carries the folder inside the package; a checkout has it beside."""
    package = os.path.dirname(os.path.realpath(__file__))
    inside = f"{package}/{name}"
    return inside if os.path.isdir(inside) else f"{os.path.dirname(package)}/{name}"


TEMPLATES = _bundled("templates")
SCHEMAS = _bundled("schemas")
