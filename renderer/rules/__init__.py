"""The rules that belong to no platform, in order of their codes."""

from renderer.diagnostics import Rule
from renderer.rules import environments, manifests, specs

RULES: tuple[Rule, ...] = (
    *specs.RULES,
    *environments.RULES,
    *manifests.RULES,
)
