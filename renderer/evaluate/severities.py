"""Severities that a repository sets: for rules that exist."""

from collections.abc import Iterable, Iterator

from renderer.compose.spec_rules import UNKNOWN_RULE
from renderer.evaluate.rulebook import codes
from renderer.text.expressions import expression
from renderer.values.diagnostics import Diagnostic
from renderer.values.model import Environment, Settings
from renderer.values.tree import Node

_FORM = expression(r"[A-Z]{3}[0-9]{3}")


def unknown_rules(settings: Settings, environments: Iterable[Environment]) -> Iterator[Diagnostic]:
    """Codes of no rule, in the settings of the repository and of its environments."""
    yield from _unknown(settings.tree)
    for environment in environments:
        for found in _unknown(environment.tree):
            yield found.about(environment.name, related=environment.files)


def _unknown(tree: Node | None) -> Iterator[Diagnostic]:
    given = tree.get("rules") if tree else None
    for code, node in given.items.items() if given else ():
        if code not in codes() and _FORM.fullmatch(code):  # the schema tells other forms
            fix = "'servingctl rules' lists them all"
            yield UNKNOWN_RULE.at(node.key or node.origin, f"there is no rule {code}", fix)
