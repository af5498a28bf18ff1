"""Kuscia's checks, by subject."""

from renderer.backends.kuscia.rules import (
    configfiles,
    configtemplates,
    containers,
    destinations,
    images,
    inputconfig,
    metadata,
    names,
    overrides,
    parties,
    policy,
    resources,
    roles,
    servingimages,
)
from renderer.diagnostics import Rule

RULES: tuple[Rule, ...] = (
    *parties.RULES,
    *roles.RULES,
    *names.RULES,
    *destinations.RULES,
    *resources.RULES,
    *overrides.RULES,
    *metadata.RULES,
    *containers.RULES,
    *images.RULES,
    *servingimages.RULES,
    *inputconfig.RULES,
    *configtemplates.RULES,
    *configfiles.RULES,
    *policy.RULES,
)
