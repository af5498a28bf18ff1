"""Arguments of model servers: read from what is published, and asked of their own parsers."""
