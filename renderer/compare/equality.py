"""When two values are the same to whoever reads them."""

from collections.abc import Mapping

from renderer.compose.shapes import Shape
from renderer.kubernetes import quantities
from renderer.values.tree import Node


def same(before: Node, after: Node, shape: Shape) -> bool:
    """Equal data; quantities by what they amount to, the order of keys means nothing."""
    old, new = before.value, after.value
    if isinstance(old, Mapping):
        return (
            isinstance(new, Mapping)
            and old.keys() == new.keys()
            and all(same(node, new[key], shape.member(key)) for key, node in old.items())
        )
    if isinstance(old, tuple):
        return (
            isinstance(new, tuple)
            and len(old) == len(new)
            and all(same(*pair, shape.item()) for pair in zip(old, new, strict=True))
        )
    return _same_scalar(old, new) or (shape.is_quantity and _same_amount(old, new))


def _same_scalar(old: object, new: object) -> bool:
    """Unlike in Python, a truth value is no number and 1 is not 1.0."""
    return type(old) is type(new) and repr(old) == repr(new)


def _same_amount(old: object, new: object) -> bool:
    amounts = [quantities.value(str(item)) for item in (old, new)]
    return None not in amounts and amounts[0] == amounts[1]
