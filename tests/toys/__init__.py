"""Two backends that nobody needs, to see that the core knows none: `python -m tests.toys`."""
