"""Kuscia's checks, by subject."""

from renderer.backends.kuscia.rules import (
    configfiles,
    configtemplates,
    destinations,
    images,
    inputconfig,
    metadata,
    mounts,
    names,
    overrides,
    parties,
    policy,
    ports,
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
    *ports.RULES,
    *mounts.RULES,
    *images.RULES,
    *servingimages.RULES,
    *inputconfig.RULES,
    *configtemplates.RULES,
    *configfiles.RULES,
    *policy.RULES,
)
