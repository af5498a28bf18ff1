"""Every rule there is, in order of its code."""

from functools import cache

from renderer.backends import BACKENDS
from renderer.check import impacts, metadata, secrets
from renderer.compose import environment_rules, spec_rules
from renderer.render import rules as manifests
from renderer.schema import crds
from renderer.schema import rules as shapes
from renderer.text import rules as problems
from renderer.values.diagnostics import Rule


@cache
def codes() -> frozenset[str]:
    """The codes of all rules."""
    return frozenset(rule.code for rule in every_rule())


_ROOMS: tuple[tuple[Rule, ...], ...] = (
    problems.RULES,
    shapes.RULES,
    crds.RULES,
    spec_rules.RULES,
    environment_rules.RULES,
    metadata.RULES,
    secrets.RULES,
    manifests.RULES,
    impacts.RULES,
)


def every_rule() -> list[Rule]:
    """The rules of every room and of all backends, in order of their codes."""
    theirs = (backend.rules() for backend in BACKENDS.values())
    return sorted((rule for some in (*_ROOMS, *theirs) for rule in some), key=lambda r: r.code)
