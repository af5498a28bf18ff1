"""What KubeRay's operator makes of clusters, jobs and services.

Comments name the rows of `tests/observed/kuberay` that recorded what they say, as in (job-sidecar).
"""
