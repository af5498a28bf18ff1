"""The rules of the kind Pod, loaded for the kinds that have pods."""

from renderer.values.diagnostics import Rule


def replica_rules() -> tuple[Rule, ...]:
    """What holds for a pod of which nothing is said but how many there are."""
    from renderer.kubernetes.pod_rules import policy

    return policy.REPLICA_RULES


def pod_rules() -> tuple[Rule, ...]:
    """What Kubernetes refuses in a pod, what cannot work, and what production does not allow."""
    from renderer.kubernetes.pod_rules import (
        affinity,
        commands,
        conflicts,
        container_uses,
        containers,
        field_forms,
        hosts,
        likely_mistakes,
        node_refusals,
        policy,
        probes,
        resources,
        restarts,
        scheduling,
        security,
        variables,
        volumes,
    )

    return (
        *variables.RULES,
        *probes.RULES,
        *resources.RULES,
        *security.RULES,
        *affinity.RULES,
        *volumes.RULES,
        *containers.RULES,
        *scheduling.RULES,
        *field_forms.RULES,
        *hosts.RULES,
        *restarts.RULES,
        *container_uses.RULES,
        *node_refusals.RULES,
        *commands.RULES,
        *likely_mistakes.RULES,
        *conflicts.RULES,
        *policy.RULES,
    )
