"""Every rule there is, and whether the codes in settings are those of rules."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache

from renderer.backends import BACKENDS
from renderer.backends.base import Backend
from renderer.backends.kinds import retired_codes
from renderer.compose import environment_rules, spec_rules
from renderer.kubernetes.pod_rules import pod_rules, policy
from renderer.manifests import rules as manifests
from renderer.policies import rules as own_rules
from renderer.rules import impacts, metadata, references, secrets
from renderer.rules.policy import may_be_changed
from renderer.schema import crds
from renderer.schema import rules as shapes
from renderer.text import rules as problems
from renderer.text.expressions import expression
from renderer.values.diagnostics import OWN_CODE, Diagnostic, Origin, Rule
from renderer.values.model import Environment, Settings
from renderer.values.tree import Node

_FORM = expression(r"[A-Z]{3}[0-9]{3}")
#: The family of most rules on pods, which few commands need to know.
_POD_FAMILY = "MAN"
#: The family of rules on engines, which only few commands need either.
_ENGINE_FAMILY = "ENG"


@cache
def is_code(code: str) -> bool:
    """Whether there is such a rule, or was; only backends that have its family are loaded."""
    if code in retired_codes() or any(rule.code == code for some in _ROOMS for rule in some):
        return True
    if code.startswith(_POD_FAMILY):
        return any(rule.code == code for rule in pod_rules())
    if code.startswith(_ENGINE_FAMILY) and any(rule.code == code for rule in _engine_rules()):
        return True
    own = [item for item in BACKENDS if code[:3] in {known[:3] for known in item.codes}]
    return any(rule.code == code for item in own or BACKENDS for rule in rules_of(item))


def code_test(own: Collection[str]) -> Callable[[str], bool]:
    """Whether there is such a rule, the repository's own ones included."""
    return lambda code: code in own or is_code(code)


_ROOMS: tuple[tuple[Rule, ...], ...] = (
    problems.RULES,
    shapes.RULES,
    crds.RULES,
    spec_rules.RULES,
    environment_rules.RULES,
    metadata.RULES,
    references.RULES,
    secrets.RULES,
    manifests.RULES,
    impacts.RULES,
    own_rules.RULES,
    policy.RULES,
)


def _engine_rules() -> tuple[Rule, ...]:
    from renderer.engines.rules import engine_rules

    return engine_rules()


def every_rule() -> list[Rule]:
    """The rules of every room and of all backends, in order of their codes; some are shared."""
    rules = (*_ROOMS, pod_rules(), _engine_rules(), *(rules_of(backend) for backend in BACKENDS))
    by_code = {rule.code: rule for some in rules for rule in some}
    return [by_code[code] for code in sorted(by_code)]


def rules_of(backend: Backend) -> tuple[Rule, ...]:
    """The rules of a backend's kinds and environments; some are for several of them."""
    functions = backend.load()
    kinds = (*functions.kinds.values(), *filter(None, (functions.any_kind,)))
    by_kind = ((*item.rules(), *item.fleet_rules()) for item in kinds)
    selections = functions.selections.rules() if functions.selections else ()
    every = (*by_kind, functions.environment_rules(), selections)
    found = (rule for some in every for rule in some)
    return tuple({rule.code: rule for rule in found}.values())


def misnamed_rules(
    settings: Settings, environments: Iterable[Environment], own: Collection[str]
) -> Iterator[Diagnostic]:
    """Codes of no rule, and retired ones, in settings of the repository and its environments."""
    yield from _misnamed_codes(settings.tree, own)
    for environment in environments:
        for found in _misnamed_codes(environment.tree, own):
            yield found.about(environment.name, related=environment.files)


def _misnamed_codes(tree: Node | None, own: Collection[str]) -> Iterator[Diagnostic]:
    given = tree.get("rules") if tree else None
    for code, node in given.items.items() if given else ():
        where = node.key or node.origin
        yield from retired_code_at(where, code)
        is_form = _FORM.fullmatch(code) or OWN_CODE.fullmatch(code)  # the schema tells others
        if is_form and not code_test(own)(code):
            fix = "'servingctl rules' lists them all"
            yield spec_rules.UNKNOWN_RULE.at(where, f"there is no rule {code}", fix)


def retired_code_at(where: Origin, code: str) -> Iterator[Diagnostic]:
    """What to write today at a place that names a code which a rule had before."""
    if retired := retired_codes().get(code):
        can_be_named = may_be_changed(retired.now)
        fix = f"write {retired.now}" if can_be_named else "mend what it finds, and delete the code"
        yield environment_rules.RETIRED_CODE.at(where, f"{code} is {retired.now} today", fix)
