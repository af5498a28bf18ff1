"""The rules of KServe, loaded for the kinds that need them: a line for each module."""

from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME
from renderer.values.diagnostics import Rule


def service_rules() -> tuple[Rule, ...]:
    """What is checked of inference services."""
    from renderer.backends.kserve.rules import (
        addresses,
        agents,
        autoscaling,
        canary,
        containers,
        images,
        implementation,
        knative,
        knative_containers,
        knative_values,
        merged_pods,
        metadata,
        metadata_keys,
        metric_targets,
        names,
        pins,
        runtime_choice,
        scaling,
        server_options,
        storage,
        storage_lists,
        taken_names,
        versions,
        without_effect,
        workers,
    )

    modules = (
        implementation, runtime_choice, images, names, storage, storage_lists, addresses, scaling,
        autoscaling, metric_targets, without_effect, agents, canary, versions, knative,
        knative_values, knative_containers, containers, server_options, merged_pods, pins, metadata,
        metadata_keys, workers, taken_names,
    )  # fmt: skip
    return tuple(rule for module in modules for rule in module.RULES)


def runtime_rules() -> tuple[Rule, ...]:
    """What is checked of runtimes: rules of the kind ServingRuntime are for both kinds."""
    from renderer.backends.kserve.rules import images, metadata_keys, names, runtimes, versions

    others = (images, metadata_keys, names, versions)
    own = (*runtimes.RULES, *(rule for module in others for rule in module.RUNTIME_RULES))
    return (*own, *(rule._replace(kind=CLUSTER_RUNTIME) for rule in own))


def llm_rules() -> tuple[Rule, ...]:
    """What is checked of LLM services."""
    from renderer.backends.kserve.llm.rules import service_rules

    return service_rules()


def llm_fleet_rules() -> tuple[Rule, ...]:
    """What is checked of LLM services beside each other."""
    from renderer.backends.kserve.llm.rules import neighbours

    return neighbours.RULES


def llm_config_rules() -> tuple[Rule, ...]:
    """What is checked of configurations for LLM services."""
    from renderer.backends.kserve.llm.rules import config_rules

    return config_rules()


def graph_rules() -> tuple[Rule, ...]:
    """What is checked of graphs of services."""
    from renderer.backends.kserve.graphs import mode_rules, rules

    return (*rules.RULES, *mode_rules.RULES)


def trained_model_rules() -> tuple[Rule, ...]:
    """What is checked of models on shared servers."""
    from renderer.backends.kserve.model_storage import trained_models

    return trained_models.RULES


def storage_container_rules() -> tuple[Rule, ...]:
    """What is checked of ways to fetch models."""
    from renderer.backends.kserve.model_storage import storage_containers

    return storage_containers.RULES


def cache_rules() -> tuple[Rule, ...]:
    """What is checked of models that nodes keep."""
    from renderer.backends.kserve.model_storage import caches

    return caches.RULES


def node_group_rules() -> tuple[Rule, ...]:
    """What is checked of nodes that keep models."""
    from renderer.backends.kserve.model_storage import node_groups

    return node_groups.RULES


def graph_fleet_rules() -> tuple[Rule, ...]:
    """What is checked of graphs beside services."""
    from renderer.backends.kserve.rules import neighbours

    return neighbours.GRAPH_RULES


def trained_model_fleet_rules() -> tuple[Rule, ...]:
    """What is checked of trained models beside their servers."""
    from renderer.backends.kserve.rules import neighbours

    return neighbours.MODEL_RULES


def cache_fleet_rules() -> tuple[Rule, ...]:
    """What is checked of caches beside each other."""
    from renderer.backends.kserve.rules import neighbours

    return neighbours.CACHE_RULES


def environment_rules() -> tuple[Rule, ...]:
    """What is checked of environments."""
    from renderer.backends.kserve.rules import settings

    return settings.RULES
