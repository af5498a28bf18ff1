"""JSON Schemas: where they come from, what editors get, and what a failure means in words."""
