"""The errors that end a run; what is wrong with a spec is a Diagnostic instead."""


class RendererError(Exception):
    """The job cannot be done (exit 3); the text is one line for the user."""


class UsageError(RendererError):
    """The command was called in a way that cannot work (exit 2)."""
