"""How KubeRay follows edits of clusters, jobs and services: rows, and the words for them."""
