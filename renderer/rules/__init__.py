"""The rules that belong to no platform, in order of their codes."""

from renderer.diagnostics import Rule
from renderer.rules import environments, impacts, manifests, metadata, secrets, specs

RULES: tuple[Rule, ...] = (
    *specs.RULES,
    *metadata.RULES,
    *environments.RULES,
    *impacts.RULES,
    *manifests.RULES,
    *secrets.RULES,
)
