"""The rules of the kind Engine, loaded for containers that run one."""

from typing import TYPE_CHECKING

from renderer.values.diagnostics import Rule

if TYPE_CHECKING:
    from renderer.engines.runs import EngineRun


def engine_rules() -> tuple[Rule, ...]:
    """What is checked of an engine's arguments, and of what it runs on."""
    from renderer.engines.rules import adapters, arguments, clients, hardware, memory, parallelism

    modules = (arguments, parallelism, memory, hardware, clients, adapters)
    return tuple(rule for module in modules for rule in module.RULES)


def rules_for(run: "EngineRun") -> tuple[Rule, ...]:
    """Those that hold for an engine; of one that a platform starts by settings, without words."""
    if not run.is_configured:
        return engine_rules()
    from renderer.engines.rules import adapters, arguments, clients, hardware, memory, parallelism

    of_models = (parallelism.heads_can_be_divided, clients.models_bring_no_code)
    of_adapters = (adapters.more_adapters_wait_than_run, adapters.adapters_are_given)
    own = (arguments.settings_are_likely, *of_models, *of_adapters)
    return (*own, *memory.RULES, *hardware.RULES)
