"""Where the bundled templates and schemas are."""

from pathlib import Path


def _bundled(name: str) -> Path:
    """A wheel carries the folder inside the package; a checkout has it beside."""
    inside = Path(__file__).resolve().parent / name
    return inside if inside.is_dir() else inside.parent.parent / name


TEMPLATES = _bundled("templates")
SCHEMAS = _bundled("schemas")
