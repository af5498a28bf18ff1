"""The schemas that `servingctl schema` writes for editors and plain validators."""

from renderer.backends.kind_schemas import authoring_schema
from renderer.backends.kinds import ENVIRONMENT
from renderer.schema.bundle import Schema
from renderer.schema.editor_schemas import editor_schema
from renderer.schema.file_schemas import describe_versions

_OF_COMPANIONS: Schema = {
    "description": "Defaults of companions of a kind, named by its Kind or Kind.group.",
    "type": ["object", "null"],
}


def schema_for_editors(kind: str) -> Schema:
    """What one file of a kind may say, in the form that editors make most of."""
    schema = authoring_schema(kind)
    if kind == ENVIRONMENT.name:
        defaults = _open(schema["properties"]["defaults"])
        schema = {**schema, "properties": {**schema["properties"], "defaults": defaults}}
    found: Schema = describe_versions(editor_schema(schema))
    return found


def _open(defaults: Schema) -> Schema:
    """The defaults with those of companions, whose kinds no schema names."""
    mapping, *others = defaults["anyOf"]
    return {**defaults, "anyOf": [{**mapping, "additionalProperties": _OF_COMPANIONS}, *others]}
