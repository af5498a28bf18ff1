"""The configuration of Ray Serve: read, checked, converted, written."""
