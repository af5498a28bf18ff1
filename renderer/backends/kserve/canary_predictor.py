"""The predictor of a canary: what it says, and what the stable predictor says besides."""

from renderer.values.tree import Node


def merge_canary(stable: Node, canary: Node) -> Node:
    """Mappings join, all else replaces; what is empty, zero or false takes no other's place."""
    done = dict(stable.items)
    for key, node in canary.items.items():
        old, value = done.get(key), node.value
        if old is not None and isinstance(old.value, dict) and isinstance(value, dict):
            done[key] = merge_canary(old, node)
        elif value or (isinstance(value, int) and key not in done):
            done[key] = node
    return canary.with_members(done)
