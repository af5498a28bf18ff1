"""Rules of a repository: read from its files, compiled, matched and evaluated."""
