"""What `make release` does: a package, and beside it files that say what is in it."""
