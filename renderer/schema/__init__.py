"""Shapes: the quick validator, explanations by jsonschema, authoring schemas, the user's CRDs."""
