"""Every field of a pod, changed in many ways, and what API servers say to each change."""
