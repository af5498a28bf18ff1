"""What is checked of LLM services and of their configurations: a line for each module."""

from types import ModuleType

from renderer.backends.kserve.llm.service import LLM_CONFIG
from renderer.values.diagnostics import Rule


def service_rules() -> tuple[Rule, ...]:
    """What is checked of LLM services."""
    from renderer.backends.kserve.llm.rules import merged, merged_choices, merged_containers

    modules = (*_modules(), merged, merged_choices, merged_containers)
    return tuple(rule for module in modules for rule in module.RULES)


def config_rules() -> tuple[Rule, ...]:
    """What is checked of configurations: what is wrong in whatever service it ends up."""
    shared = (rule for module in _modules() for rule in module.CONFIG_RULES)
    return tuple(rule._replace(kind=LLM_CONFIG) for rule in shared)


def _modules() -> tuple[ModuleType, ...]:
    from renderer.backends.kserve.llm.rules import (
        adapters,
        arguments,
        gateway_filters,
        gateway_routes,
        kv_cache,
        metadata,
        models,
        names,
        routes,
        scheduler,
        servers,
        templates,
        workloads,
    )

    return (
        workloads, routes, gateway_filters, gateway_routes, models, adapters, kv_cache, scheduler,
        arguments, servers, metadata, templates, names,
    )  # fmt: skip
