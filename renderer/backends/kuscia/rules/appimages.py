"""What is checked of AppImages alone, by subject."""

from renderer.backends.kuscia.rules import (
    configfiles,
    configtemplates,
    configvariables,
    images,
    mounts,
    ports,
    probes,
    variables,
)
from renderer.backends.kuscia.rules.sources import AGENT, CONFIG, CONTROLLER, KUBERNETES
from renderer.values.diagnostics import Rule, sourced

RULES: tuple[Rule, ...] = (
    *sourced(ports.RULES, CONTROLLER),
    *sourced(probes.RULES, f"{CONTROLLER}; {KUBERNETES}"),
    *sourced(variables.RULES, KUBERNETES),
    *sourced(mounts.RULES, AGENT),
    *sourced(images.RULES, CONTROLLER),
    *sourced(configtemplates.RULES, CONFIG),
    *sourced(configvariables.RULES, CONFIG),
    *sourced(configfiles.RULES, CONFIG),
)
