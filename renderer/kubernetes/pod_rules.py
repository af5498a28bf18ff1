"""What Kubernetes refuses in a pod: the rules, loaded for the kinds that have pods."""

from renderer.values.diagnostics import Rule


def pod_rules() -> tuple[Rule, ...]:
    from renderer.kubernetes import affinity, probes, resources, security, variables

    return (
        *variables.RULES,
        *probes.RULES,
        *resources.RULES,
        *security.RULES,
        *affinity.RULES,
    )
