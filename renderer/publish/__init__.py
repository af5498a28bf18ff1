"""The output tree: exchanged at once, with an inventory of what is ours."""
