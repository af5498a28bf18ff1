"""KubeRay itself, asked about manifests and edits on loopback."""
