"""Which kinds of spec there are, whose they are, and what they must look like."""

from functools import cache

from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.model import Kind
from renderer.schemacheck.authoring import authoring
from renderer.schemacheck.sources import Schema, bundled, with_destinations

API_VERSION = "serving.gitops/v1"
ENVIRONMENT = Kind("Environment", "spec/environment.json")
OWNERS: dict[str, Backend] = {
    kind.name: backend for backend in BACKENDS.values() for kind in backend.KINDS
}
KINDS: dict[str, Kind] = {
    "Environment": ENVIRONMENT,
    **{kind.name: kind for backend in BACKENDS.values() for kind in backend.KINDS},
}


@cache
def strict_schema(kind: str) -> Schema:
    """What a composed spec of a kind must look like."""
    schema = bundled(KINDS[kind].schema)
    if kind != ENVIRONMENT.name:
        return schema
    return with_destinations(
        schema, [bundled(backend.DESTINATION_SCHEMA) for backend in BACKENDS.values()]
    )


@cache
def authoring_schema(kind: str) -> Schema:
    """What one file of a kind may say; this is what editors get."""
    return authoring(strict_schema(kind))
