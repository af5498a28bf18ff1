"""What others wrote for KubeRay becomes specs: objects, requests to its API server, and answers."""
