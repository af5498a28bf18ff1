"""Fields of specs and objects: read without asking whether they are there, written as stored."""

from collections.abc import Mapping

from renderer.values.tree import Node, Plain, constant

ABSENT = constant(None, "not set")
_NO_MEMBERS: Mapping[str, Node] = {}
text = Node.text_at


def elements(node: Node | None, *path: str | int) -> tuple[Node, ...]:
    """The elements of the list at a path; none where there is no list."""
    found = node.get(*path) if node else None
    return found.elements if found else ()


def members(node: Node | None, *path: str | int) -> Mapping[str, Node]:
    """The members of the mapping at a path; none where there is no mapping."""
    found = node.get(*path) if node else None
    return found.items if found else _NO_MEMBERS


def plain(node: Node | None, *path: str | int) -> Plain:
    """The bare data at a path; nothing where there is none."""
    found = node.get(*path) if node else None
    return found.plain() if found else None


def is_true(node: Node | None, *path: str | int) -> bool:
    """Whether the value at a path is true; not where there is none."""
    found = node.get(*path) if node else None
    return found is not None and found.value is True


def whole_number(node: Node | None, *path: str | int) -> int | None:
    """The whole number at a path; nothing where there is none."""
    found = node.get(*path) if node else None
    value = found.value if found else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def unless_empty(node: Node | None) -> Node:
    return node if node and node.value else ABSENT


def made(where: Node, members: Mapping[str, Node | None]) -> Node:
    """A mapping of those members that are there, which stands where another value does."""
    kept = {key: node for key, node in members.items() if node is not None}
    return Node(kept, where.origin, where.key)
