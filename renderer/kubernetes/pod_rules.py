"""What Kubernetes refuses in a pod: the rules, loaded for the kinds that have pods."""

from renderer.values.diagnostics import Rule


def pod_rules() -> tuple[Rule, ...]:
    from renderer.kubernetes import (
        affinity,
        conflicts,
        containers,
        hosts,
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
    )
