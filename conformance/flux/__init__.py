"""What Flux makes of the rendered tree: its real kustomize-controller on a real API server."""
