"""Values of messages as JSON may have them: numbers as text, enumerations by name or number."""

from functools import cache

from renderer.backends.api_messages import MessageShape
from renderer.backends.kuberay.vocabulary import MESSAGE_SCHEMA
from renderer.values.tree import Node

#: The messages that have enumerations, by the names of these fields.
_OWNERS = {"environment": "RayMessageCluster", "source": "RayMessageEnvironmentSource"}
_VOLUME = "RayMessageVolume"


@cache
def names_of(field: str) -> tuple[str, ...]:
    """The names of an enumeration, in the order of their numbers."""
    return MessageShape.of(MESSAGE_SCHEMA, _OWNERS.get(field, _VOLUME)).member(field).names


def name_of(node: Node | None, field: str) -> str:
    """The name that a value of an enumeration means; the first one where nothing is said."""
    names, value = names_of(field), node.value if node else 0
    if isinstance(value, int) and not isinstance(value, bool):
        return names[value] if 0 <= value < len(names) else ""
    return value if isinstance(value, str) and value in names else ""


def whole(node: Node | None) -> Node | None:
    """A whole number, which may be written as text."""
    if node is None or not isinstance(node.value, str) or not node.value.isdecimal():
        return node
    return node.with_value(int(node.value))
