"""How clusters, jobs and services of Ray fare, by what KubeRay writes of them."""
