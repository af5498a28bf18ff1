"""States of the past: the files of a Git revision, read without touching the work tree."""
