"""What rules found of a spec that its platform stops at, as problems of what is derived of it.

The platform takes the object and fails at it whenever it looks. What has errors is not rendered at
all, so these are warnings, unless a comment or a setting says that the cluster allows it.
"""

from collections.abc import Iterable
from functools import cache

from renderer.backends.kinds import functions_of
from renderer.evaluate.result import Result
from renderer.values.derivations import Problem
from renderer.values.diagnostics import Diagnostic, Path
from renderer.values.model import SpecKey
from renderer.values.tree import Node, walk


def find_obstacles(results: Iterable[Result]) -> dict[SpecKey, tuple[Diagnostic, ...]]:
    """By spec, the findings of rules that say that the platform stops."""
    found: dict[SpecKey, tuple[Diagnostic, ...]] = {}
    for item in (one for result in results for one in result.results if one.diagnostics):
        codes = _stopping_codes(item.summary.kind)
        if stopping := tuple(one for one in item.diagnostics if one.code in codes):
            found[item.summary.key] = stopping
    return found


@cache
def _stopping_codes(kind: str) -> frozenset[str]:
    return frozenset(rule.code for rule in functions_of(kind).rules() if rule.stops_platform)


def obstacle_problems(found: Iterable[Diagnostic], tree: Node) -> tuple[Problem, ...]:
    """The findings as problems, each where the object has the value that its rule is about."""
    return tuple(Problem(item.message, _place(item, tree), item.fix) for item in found)


def _place(finding: Diagnostic, tree: Node) -> Path:
    nodes = walk(tree)
    same = (path for path, node in nodes if finding.place in (_key(node), node.origin.place))
    return next(same, ())


def _key(node: Node) -> tuple[str, int, int] | None:
    return node.key.place if node.key else None
