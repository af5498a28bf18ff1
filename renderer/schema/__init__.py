"""Shapes: the quick validator, explanations by jsonschema, schemas of files, the user's CRDs."""
