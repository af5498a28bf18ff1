"""The rules of the kind Engine, loaded for containers that run one."""

from renderer.values.diagnostics import Rule


def engine_rules() -> tuple[Rule, ...]:
    """What is checked of an engine's arguments, and of what it runs on."""
    from renderer.engines.rules import adapters, arguments, clients, hardware, memory, parallelism

    modules = (arguments, parallelism, memory, hardware, clients, adapters)
    return tuple(rule for module in modules for rule in module.RULES)
