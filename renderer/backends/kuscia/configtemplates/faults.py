"""What stops a config template: at parsing, or when a container is to start."""

_LONGEST = 200


class TemplateFault(Exception):
    """Kuscia would refuse the template: what is wrong, where in its text, how to mend it."""

    def __init__(self, message: str, offset: int, fix: str = "") -> None:
        super().__init__(clipped(message))
        self.message = clipped(message)
        self.offset = offset
        self.fix = clipped(fix)


class NotPreviewed(Exception):
    """Kuscia may well manage it, but a preview would have to guess."""


def clipped(text: str) -> str:
    """A message that a name of a million letters does not fill."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
