"""Specs as requests to the KubeRay API server."""
