"""What can go wrong with a template, and a value as part of a text."""

from collections.abc import Mapping

from renderer.values.tree import Node


class TemplateFault(Exception):
    """A template cannot be used; `line` is the template's own."""

    def __init__(self, line: int, message: str, fix: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.fix = fix


def as_text(node: Node, line: int = 1) -> str:
    value = node.value
    if isinstance(value, Mapping | tuple):
        raise TemplateFault(line, "a mapping or list stands inside a text", "place it by itself")
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
