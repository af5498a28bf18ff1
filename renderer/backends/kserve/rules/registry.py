"""The rules of KServe, loaded for the kinds that need them: a line for each module."""

from collections.abc import Iterator

from renderer.backends.kserve.runtimes import CLUSTER_RUNTIME
from renderer.values.diagnostics import Rule

#: What other words are found for here: KSV257 and KSV372.
_TOLD_OTHERWISE = frozenset(("MAN213",))
#: The rule of pods that KSV197 stands for in services.
_OTHERWISE = "MAN204"


def service_rules() -> tuple[Rule, ...]:
    """What is checked of inference services."""
    from renderer.backends.kserve.rules import (
        addresses,
        agents,
        arguments,
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

    return (
        *(rule for rule in _pod_rules() if rule.code != _OTHERWISE),
        *implementation.RULES,
        *runtime_choice.RULES,
        *empty_texts.RULES,
        *images.RULES,
        *names.RULES,
        *storage.RULES,
        *storage_lists.RULES,
        *addresses.RULES,
        *impossible_addresses.RULES,
        *confidential.RULES,
        *scaling.RULES,
        *metrics.RULES,
        *without_effect.RULES,
        *unfollowed.RULES,
        *agents.RULES,
        *bounds_together.RULES,
        *canary.RULES,
        *versions.RULES,
        *knative.RULES,
        *containers.RULES,
        *arguments.RULES,
        *server_options.RULES,
        *serving_names.RULES,
        *merged_pods.RULES,
        *pins.RULES,
        *metadata.RULES,
        *metadata_values.RULES,
        *metadata_places.RULES,
        *workers.RULES,
    )


def runtime_rules() -> tuple[Rule, ...]:
    """What is checked of runtimes: rules of the kind ServingRuntime are for both kinds."""
    from renderer.backends.kserve.rules import (
        arguments,
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
        *arguments.RUNTIME_RULES,
        *versions.RUNTIME_RULES,
    )
    return (*_pod_rules(), *own, *(rule._replace(kind=CLUSTER_RUNTIME) for rule in own))


def environment_rules() -> tuple[Rule, ...]:
    """What is checked of environments, and of several specs together."""
    from renderer.backends.kserve.rules import settings

    return settings.RULES


def _pod_rules() -> Iterator[Rule]:
    from renderer.kubernetes.pod_rules import pod_rules

    return (rule for rule in pod_rules() if rule.code not in _TOLD_OTHERWISE)
