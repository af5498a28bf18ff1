"""The bundled templates and schemas: where they are, and what a template or a recording holds."""

import os


def _bundled(name: str) -> str:
    """A wheel carries the folder inside the package; a checkout has it beside."""
    package = os.path.dirname(os.path.realpath(__file__))
    inside = f"{package}/{name}"
    return inside if os.path.isdir(inside) else f"{os.path.dirname(package)}/{name}"


TEMPLATES = _bundled("templates")
SCHEMAS = _bundled("schemas")


def _template_path(name: str) -> str:
    """Below `templates/`, unless a backend of somewhere else gives a whole path."""
    return os.path.join(TEMPLATES, name)


def has_template(name: str) -> bool:
    """Whether there is a file of this path below `templates/`."""
    return os.path.isfile(_template_path(name))


def read_template(name: str) -> bytes:
    """A bundled file below `templates/`, whatever a repository has in its own `templates/`."""
    with open(_template_path(name), "rb") as stream:
        return stream.read()


def read_recordings(platform: str) -> bytes:
    """What was seen on a platform: a file below `schemas/observed/`, or a whole path."""
    with open(os.path.join(SCHEMAS, "observed", f"{platform}.json"), "rb") as stream:
        return stream.read()


def read_engine_table(engine: str) -> bytes:
    """The arguments of an engine by version: a file below `schemas/engines/`."""
    with open(os.path.join(SCHEMAS, "engines", f"{engine}.json"), "rb") as stream:
        return stream.read()


def read_data(name: str) -> bytes:
    """Facts of a platform: a file below `schemas/` that is no schema."""
    with open(os.path.join(SCHEMAS, name), "rb") as stream:
        return stream.read()
