"""The rules of KServe, loaded for the kinds that need them: a line for each module."""

from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME
from renderer.values.diagnostics import Rule


def service_rules() -> tuple[Rule, ...]:
    """What is checked of inference services."""
    from renderer.backends.kserve.rules import (
        addresses,
        agents,
        bounds_together,
        canary,
        confidential,
        containers,
        empty_texts,
        images,
        implementation,
        impossible_addresses,
        knative,
        merged_pods,
        metadata,
        metadata_places,
        metadata_values,
        metrics,
        names,
        pins,
        runtime_choice,
        scaling,
        server_options,
        serving_names,
        storage,
        storage_lists,
        unfollowed,
        versions,
        without_effect,
        workers,
    )

    modules = (
        implementation, runtime_choice, empty_texts, images, names, storage, storage_lists,
        addresses, impossible_addresses, confidential, scaling, metrics, without_effect,
        unfollowed, agents, bounds_together, canary, versions, knative, containers,
        server_options, serving_names, merged_pods, pins, metadata,
        metadata_values, metadata_places, workers,
    )  # fmt: skip
    return tuple(rule for module in modules for rule in module.RULES)


def runtime_rules() -> tuple[Rule, ...]:
    """What is checked of runtimes: rules of the kind ServingRuntime are for both kinds."""
    from renderer.backends.kserve.rules import (
        images,
        metadata_values,
        priorities,
        runtimes,
        serving_names,
        versions,
    )

    own = (
        *priorities.RULES,
        *runtimes.RULES,
        *images.RUNTIME_RULES,
        *metadata_values.RUNTIME_RULES,
        *serving_names.RUNTIME_RULES,
        *versions.RUNTIME_RULES,
    )
    return (*own, *(rule._replace(kind=CLUSTER_RUNTIME) for rule in own))


def environment_rules() -> tuple[Rule, ...]:
    """What is checked of environments, and of several specs together."""
    from renderer.backends.kserve.rules import settings

    return settings.RULES
