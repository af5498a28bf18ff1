"""Argo CD's own packages, and what they say to what we make for it."""
