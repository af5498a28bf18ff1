"""What Kubernetes itself has and refuses, whichever platform runs on it."""
