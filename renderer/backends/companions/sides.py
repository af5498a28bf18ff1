"""Values of a companion before and after an edit."""

from decimal import Decimal

from renderer.backends.fields import text
from renderer.derive.behaviour import Situation
from renderer.kubernetes.quantities import value
from renderer.values.derivations import Applied
from renderer.values.tree import Value

STORAGE = ("spec", "resources", "requests", "storage")


def old_value(situation: Situation, *path: str | int) -> Value:
    return _value(situation.before, *path)


def new_value(situation: Situation, *path: str | int) -> Value:
    return _value(situation.after, *path)


def _value(side: Applied | None, *path: str | int) -> Value:
    node = side.tree.get(*path) if side else None
    return node.value if node else None


def storage(side: Applied | None) -> Decimal | None:
    """What a claim asks for, as a number; nothing if it does not say."""
    return value(text(side.tree, *STORAGE)) if side else None


def is_new(situation: Situation) -> bool:
    """Whether nothing was written there before."""
    return situation.change is not None and situation.change.before is None
