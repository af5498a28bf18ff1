"""The rules of KubeRay, loaded for the kinds that need them: a line for each module."""

from renderer.backends.kuberay.vocabulary import CLUSTER, CLUSTER_FIELD, JOB, MESSAGE, SERVICE
from renderer.values.diagnostics import Rule


def cluster_rules() -> tuple[Rule, ...]:
    """What is checked of clusters."""
    return _of_clusters(CLUSTER)


def job_rules() -> tuple[Rule, ...]:
    """What is checked of jobs."""
    return _of_clusters(JOB)


def service_rules() -> tuple[Rule, ...]:
    """What is checked of services."""
    return _of_clusters(SERVICE)


def template_rules() -> tuple[Rule, ...]:
    """What is checked of compute templates."""
    return ()


def environment_rules() -> tuple[Rule, ...]:
    """What is checked of environments, and of several specs together."""
    return ()


def _of_clusters(kind: str) -> tuple[Rule, ...]:
    """What is checked of a cluster, by itself or within a job or service."""
    from renderer.backends.kuberay.rules import (
        access,
        autoscaler,
        containers,
        fault_tolerance,
        features,
        groups,
        head_service,
        images,
        policy,
        replicas,
        sizes,
        start_parameters,
    )
    from renderer.kubernetes.pod_rules import pod_rules
    from renderer.kubernetes.scheduling import pods_are_always_restarted

    own = (
        *groups.RULES,
        *replicas.RULES,
        *start_parameters.RULES,
        *head_service.RULES,
        *sizes.RULES,
        *images.RULES,
        *containers.RULES,
        *autoscaler.RULES,
        *features.RULES,
        *fault_tolerance.RULES,
        *access.RULES,
        *policy.RULES,
    )
    of_deployments = pods_are_always_restarted.code
    shared = (rule for rule in pod_rules() if rule.code != of_deployments)
    return (*shared, *(_for_kind(rule, kind) for rule in own))


def _for_kind(rule: Rule, kind: str) -> Rule:
    """A rule about clusters for the clusters of a kind; it reads the message that is one, too."""
    start = "".join(f"{key}." for key in CLUSTER_FIELD[kind])
    reads = (MESSAGE, *(f"{start}{path}" for path in rule.reads))
    return rule._replace(kind=kind, reads=reads)
