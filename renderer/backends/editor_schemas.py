"""The schemas that `servingctl schema` writes for editors and plain validators."""

from renderer.backends.kind_schemas import authoring_schema
from renderer.backends.kinds import ENVIRONMENT, KINDS, kind_named
from renderer.schema.bundle import Schema, bundled_schema
from renderer.schema.editor_schemas import editor_schema
from renderer.schema.file_schemas import describe_versions

_OF_COMPANIONS: Schema = {
    "description": "Defaults of companions of a kind, named by its Kind or Kind.group.",
    "type": ["object", "null"],
}


#: A file of a repository that is no spec.
RULE = "Rule"
KINDS_OF_FILES = (*KINDS, RULE)


def kind_of_files(word: str) -> str:
    """The kind that a user means, in whichever case."""
    return RULE if word.lower() == RULE.lower() else kind_named(word).name


def schema_for_editors(kind: str) -> Schema:
    """What one file of a kind may say, in the form that editors make most of."""
    if kind == RULE:
        rule: Schema = editor_schema(bundled_schema("spec/rule.json"))
        return rule
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
