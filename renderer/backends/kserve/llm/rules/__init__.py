"""What is checked of LLM services and of their configurations: a line for each module."""

from renderer.values.diagnostics import Rule


def service_rules() -> tuple[Rule, ...]:
    """What is checked of LLM services."""
    from renderer.backends.kserve.llm.rules import workloads

    return tuple(rule for module in (workloads,) for rule in module.RULES)


def config_rules() -> tuple[Rule, ...]:
    """What is checked of configurations: no webhook looks at what is merged later."""
    return ()
