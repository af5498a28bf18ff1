"""The rules of KubeRay, a module for each subject."""
