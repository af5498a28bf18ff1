"""Kuscia's checks, by subject."""

from renderer.backends.kuscia.rules import (
    amounts,
    configfiles,
    configtemplates,
    configvariables,
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
    probes,
    resources,
    roles,
    servingimages,
    variables,
    versions,
)
from renderer.diagnostics import Rule, sourced

_KUSCIA = "secretflow/kuscia: pkg/"
_API = f"{_KUSCIA}kusciaapi/service/serving_service.go"
_CONTROLLER = f"{_KUSCIA}controllers/kusciadeployment/"
_RESOURCES = f"{_KUSCIA}utils/resources/"
_PARTNERS = f"{_KUSCIA}interconn/kuscia/deployment.go"
_AGENT = f"{_KUSCIA}agent/provider/pod/"
_CONFIG = f"{_KUSCIA}agent/middleware/plugins/hook/configrender/config_render.go"
_RELEASES = "secretflow/kuscia: the releases from 0.4.0b0 to 1.1.0b0"
_KUBERNETES = "kubernetes/kubernetes: pkg/apis/core/validation/validation.go"
_SERVING = "secretflow/serving: secretflow_serving/config/, server/kuscia/config_parser.cc"

RULES: tuple[Rule, ...] = (
    *sourced(parties.RULES, _CONTROLLER),
    *sourced(roles.RULES, _RESOURCES),
    *sourced(names.RULES, _RESOURCES),
    *sourced(destinations.RULES, _PARTNERS),
    *sourced(resources.RULES, _API),
    *sourced(amounts.RULES, _CONTROLLER),
    *sourced(overrides.RULES, _CONTROLLER),
    *sourced(metadata.RULES, _CONTROLLER),
    *sourced(ports.RULES, _CONTROLLER),
    *sourced(probes.RULES, f"{_CONTROLLER}; {_KUBERNETES}"),
    *sourced(variables.RULES, _KUBERNETES),
    *sourced(mounts.RULES, _AGENT),
    *sourced(images.RULES, _CONTROLLER),
    *sourced(servingimages.RULES, _SERVING),
    *sourced(inputconfig.RULES, _SERVING),
    *sourced(configtemplates.RULES, _CONFIG),
    *sourced(configvariables.RULES, _CONFIG),
    *sourced(configfiles.RULES, _CONFIG),
    *sourced(policy.RULES, _CONTROLLER),
    *sourced(versions.RULES, _RELEASES),
)
