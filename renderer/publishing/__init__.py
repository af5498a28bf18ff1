"""Rendered files on disk: all of them or none, an inventory of what is ours, safe pruning."""
