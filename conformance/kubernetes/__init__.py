"""The real API server of Kubernetes, and what it says to what we make."""
