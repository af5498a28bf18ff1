"""What others wrote for Kuscia becomes specs: objects, requests to its API, and its answers."""
