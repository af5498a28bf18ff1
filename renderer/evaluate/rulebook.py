"""Every rule there is, and whether the codes in settings are those of rules."""

from collections.abc import Iterable, Iterator
from functools import cache

from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.compose import environment_rules, ineffective_rules, spec_rules
from renderer.manifests import rules as manifests
from renderer.rules import impacts, metadata, secrets
from renderer.schema import crds
from renderer.schema import rules as shapes
from renderer.text import rules as problems
from renderer.text.expressions import expression
from renderer.values.diagnostics import Diagnostic, Rule
from renderer.values.model import Environment, Settings
from renderer.values.tree import Node

_FORM = expression(r"[A-Z]{3}[0-9]{3}")


@cache
def is_code(code: str) -> bool:
    """Whether there is such a rule; of backends, only those that have its family are loaded."""
    if any(rule.code == code for some in _ROOMS for rule in some):
        return True
    own = [item for item in BACKENDS if code[:3] in {known[:3] for known in item.codes}]
    return any(rule.code == code for item in own or BACKENDS for rule in rules_of(item))


_ROOMS: tuple[tuple[Rule, ...], ...] = (
    problems.RULES,
    shapes.RULES,
    crds.RULES,
    spec_rules.RULES,
    environment_rules.RULES,
    ineffective_rules.RULES,
    metadata.RULES,
    secrets.RULES,
    manifests.RULES,
    impacts.RULES,
)


def every_rule() -> list[Rule]:
    """The rules of every room and of all backends, in order of their codes; some are shared."""
    rules = (*_ROOMS, *(rules_of(backend) for backend in BACKENDS))
    by_code = {rule.code: rule for some in rules for rule in some}
    return [by_code[code] for code in sorted(by_code)]


def rules_of(backend: Backend) -> tuple[Rule, ...]:
    """The rules of a backend's kinds and environments; some are for several of them."""
    functions = backend.load()
    by_kind = (item.rules() for item in functions.kinds.values())
    found = (rule for some in (*by_kind, functions.environment_rules()) for rule in some)
    return tuple({rule.code: rule for rule in found}.values())


def unknown_rules(settings: Settings, environments: Iterable[Environment]) -> Iterator[Diagnostic]:
    """Codes of no rule, in the settings of the repository and of its environments."""
    yield from _unknown(settings.tree)
    for environment in environments:
        for found in _unknown(environment.tree):
            yield found.about(environment.name, related=environment.files)


def _unknown(tree: Node | None) -> Iterator[Diagnostic]:
    given = tree.get("rules") if tree else None
    for code, node in given.items.items() if given else ():
        if not is_code(code) and _FORM.fullmatch(code):  # the schema tells other forms
            fix = "'servingctl rules' lists them all"
            where = node.key or node.origin
            yield spec_rules.UNKNOWN_RULE.at(where, f"there is no rule {code}", fix)
