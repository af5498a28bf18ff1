"""Models apart from the services that serve them: on shared servers, and on nodes."""
