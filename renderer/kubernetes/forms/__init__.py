"""What Kubernetes wants of each field of a pod, as tables: words, forms of names, ranges, keys."""
