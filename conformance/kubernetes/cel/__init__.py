"""The API server's own CEL: expressions, and rules of schemas over objects."""
