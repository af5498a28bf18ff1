"""What is checked of servings, environments and projects, by subject; some of it of images too."""

from renderer.backends.kuscia.rules import (
    amounts,
    destinations,
    inputconfig,
    metadata,
    names,
    overrides,
    parties,
    policy,
    resources,
    roles,
    servingimages,
    versions,
)
from renderer.backends.kuscia.rules.sources import (
    API,
    CONTROLLER,
    PARTNERS,
    RELEASES,
    RESOURCES,
    SERVING,
)
from renderer.values.diagnostics import Rule, sourced

RULES: tuple[Rule, ...] = (
    *sourced(parties.RULES, CONTROLLER),
    *sourced(roles.RULES, RESOURCES),
    *sourced(names.RULES, RESOURCES),
    *sourced(destinations.RULES, PARTNERS),
    *sourced(resources.RULES, API),
    *sourced(amounts.RULES, CONTROLLER),
    *sourced(overrides.RULES, CONTROLLER),
    *sourced(metadata.RULES, CONTROLLER),
    *sourced(servingimages.RULES, SERVING),
    *sourced(inputconfig.RULES, SERVING),
    *sourced(policy.RULES, CONTROLLER),
    *sourced(versions.RULES, RELEASES),
)
