"""Questions about one spec or environment: what becomes of it, where a value comes from."""
