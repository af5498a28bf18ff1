"""The rules of KubeRay, loaded for the kinds that need them: a line for each module."""

from renderer.backends.kuberay.vocabulary import CLUSTER, JOB, SERVICE
from renderer.values.diagnostics import Rule


def cluster_rules() -> tuple[Rule, ...]:
    """What is checked of clusters."""
    return _of_specs(CLUSTER)


def job_rules() -> tuple[Rule, ...]:
    """What is checked of jobs."""
    from renderer.backends.kuberay.rules import job_deletion, job_texts, jobs, names

    own = (*names.RULES, *jobs.RULES, *job_texts.RULES, *job_deletion.RULES)
    return (*_of_specs(JOB), *own)


def service_rules() -> tuple[Rule, ...]:
    """What is checked of services."""
    from renderer.backends.kuberay.rules import metadata, services, upgrades

    return (*_of_specs(SERVICE), *metadata.SERVICE_RULES, *services.RULES, *upgrades.RULES)


def template_rules() -> tuple[Rule, ...]:
    """What is checked of compute templates."""
    from renderer.backends.kuberay.rules import compute_templates
    from renderer.kubernetes.scheduling import tolerations_fit

    return (tolerations_fit, *compute_templates.RULES)


def environment_rules() -> tuple[Rule, ...]:
    """What is checked of environments, and of several specs together."""
    from renderer.backends.kuberay.rules import neighbours, settings

    return (*settings.RULES, *neighbours.RULES)


def _of_specs(kind: str) -> tuple[Rule, ...]:
    """What is checked of all kinds that have a cluster, for one of them."""
    from renderer.backends.kuberay.rules import (
        message_groups,
        message_variables,
        message_volumes,
        metadata,
        placeholders,
        template_references,
        vocabulary,
    )
    from renderer.kubernetes.pod_rules import pod_rules

    own = (
        *vocabulary.RULES,
        *placeholders.RULES,
        *template_references.RULES,
        *message_groups.RULES,
        *message_volumes.RULES,
        *message_variables.RULES,
        *metadata.RULES,
    )
    return (*pod_rules(), *(rule._replace(kind=kind) for rule in own))
