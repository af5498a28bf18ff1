"""What KubeRay's operator makes of clusters, jobs and services."""
