"""The edge: files of the work tree and of Git revisions, and what earlier runs left behind."""
