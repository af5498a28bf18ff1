"""Values of messages as JSON may have them: numbers as text, enumerations by name or number."""

from renderer.values.tree import Node

ENVIRONMENTS = ("DEV", "TESTING", "STAGING", "PRODUCTION")
VOLUME_TYPES = (
    "PERSISTENT_VOLUME_CLAIM", "HOST_PATH", "EPHEMERAL", "CONFIGMAP", "SECRET", "EMPTY_DIR",
)  # fmt: skip
HOST_PATH_TYPES = ("DIRECTORY", "FILE")
MOUNT_PROPAGATIONS = ("NONE", "HOSTTOCONTAINER", "BIDIRECTIONAL")
ACCESS_MODES = ("RWO", "ROX", "RWX")
SOURCES = ("CONFIGMAP", "SECRET", "RESOURCEFIELD", "FIELD")


def name_of(node: Node | None, names: tuple[str, ...]) -> str:
    """The name that a value means; the first one, as in every message, where nothing is said."""
    value = node.value if node else 0
    if isinstance(value, int) and not isinstance(value, bool):
        return names[value] if 0 <= value < len(names) else ""
    return value if isinstance(value, str) and value in names else ""


def whole(node: Node | None) -> Node | None:
    """A whole number, which may be written as text."""
    if node is None or not isinstance(node.value, str) or not node.value.isdecimal():
        return node
    return node.with_value(int(node.value))
