"""Kuscia's checks, in order of their codes."""

from renderer.backends.kuscia.rules import destinations, metadata, parties, resources
from renderer.diagnostics import Rule

RULES: tuple[Rule, ...] = (
    *parties.RULES,
    *destinations.RULES,
    *resources.RULES,
    *metadata.RULES,
)
