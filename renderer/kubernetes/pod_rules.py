"""The rules of the kind Pod, loaded for the kinds that have pods."""

from renderer.values.diagnostics import Rule


def replica_rules() -> tuple[Rule, ...]:
    """What holds for a pod of which nothing is said but how many there are."""
    from renderer.kubernetes import policy

    return policy.REPLICA_RULES


def pod_rules() -> tuple[Rule, ...]:
    """What Kubernetes refuses in a pod, what cannot work, and what production does not allow."""
    from renderer.kubernetes import (
        affinity,
        conflicts,
        containers,
        hosts,
        policy,
        probes,
        resources,
        restarts,
        scheduling,
        security,
        shape_rules,
        slips,
        starts,
        uses,
        variables,
        volumes,
        words,
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
        *shape_rules.RULES,
        *hosts.RULES,
        *restarts.RULES,
        *uses.RULES,
        *starts.RULES,
        *words.RULES,
        *slips.RULES,
        *conflicts.RULES,
        *policy.RULES,
    )
