"""Every rule there is, in order of its code."""

from functools import cache

from renderer.backends import BACKENDS
from renderer.diagnostics import Rule
from renderer.documents import problems
from renderer.rules import RULES
from renderer.schemacheck import rules as shapes


@cache
def codes() -> frozenset[str]:
    """The codes of all rules."""
    return frozenset(rule.code for rule in every_rule())


def every_rule() -> list[Rule]:
    """The rules of reading, of shapes, of the core and of all platforms."""
    platforms = (rule for backend in BACKENDS.values() for rule in backend.rules())
    return sorted((*problems.RULES, *shapes.RULES, *RULES, *platforms), key=lambda r: r.code)
