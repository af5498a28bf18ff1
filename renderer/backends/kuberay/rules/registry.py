"""The rules of KubeRay, loaded for the kinds that need them: a line for each module."""

from collections.abc import Iterator

from renderer.backends.kuberay.serve_config.view import model_view, serve_view
from renderer.backends.kuberay.vocabulary import CLUSTER, CLUSTER_FIELD, JOB, MESSAGE, SERVICE
from renderer.backends.kuberay.workloads import PlacelessWorkload, Workload
from renderer.values.diagnostics import Finding, Rule


def cluster_rules() -> tuple[Rule, ...]:
    """What is checked of clusters."""
    return (*_spec_rules(CLUSTER), *_shared_cluster_rules(CLUSTER))


def job_rules() -> tuple[Rule, ...]:
    """What is checked of jobs."""
    from renderer.backends.kuberay.rules import (
        features,
        job_deletion,
        jobs,
        runtime_env,
        sizes,
        submission,
    )

    texts = (*submission.RULES, *runtime_env.SHARED, *runtime_env.RULES)
    own = (*jobs.RULES, *texts, *job_deletion.RULES, *sizes.JOB_RULES)
    return (*_spec_rules(JOB), *_shared_cluster_rules(JOB), *own, *features.JOB_RULES)


def service_rules() -> tuple[Rule, ...]:
    """What is checked of services."""
    from renderer.backends.kuberay.rules import (
        features,
        language_model_sizes,
        language_models,
        metadata,
        runtime_env,
        serve_applications,
        serve_config,
        serve_replicas,
        services,
        upgrades,
    )

    own = (*metadata.SERVICE_RULES, *services.RULES, *upgrades.RULES, *features.SERVICE_RULES)
    environments = (rule._replace(kind=SERVICE) for rule in runtime_env.SHARED)
    serving = (*serve_config.RULES, *serve_applications.RULES, *serve_replicas.RULES)
    models = (*language_models.RULES, *language_model_sizes.RULES)
    shared = (*_spec_rules(SERVICE), *_shared_cluster_rules(SERVICE))
    ours = (*map(_serve_rule, serving), *map(_model_rule, models))
    return (*shared, *own, *environments, *ours)


def _serve_rule(rule: Rule) -> Rule:
    """A rule about serve configs, given that of a service."""

    def check(workload: PlacelessWorkload) -> Iterator[Finding]:
        return rule.check(serve_view(workload)) if rule.check else iter(())

    return rule._replace(check=check)


def _model_rule(rule: Rule) -> Rule:
    """A rule about language models in serve configs, which looks at the environment too."""

    def check(workload: Workload) -> Iterator[Finding]:
        return rule.check(model_view(workload)) if rule.check else iter(())

    return rule._replace(check=check)


def template_rules() -> tuple[Rule, ...]:
    """What is checked of compute templates."""
    from renderer.backends.kuberay.rules import compute_templates

    return compute_templates.RULES


def environment_rules() -> tuple[Rule, ...]:
    """What is checked of environments, and of several specs together."""
    from renderer.backends.kuberay.rules import neighbours, settings

    return (*settings.RULES, *neighbours.RULES)


def _spec_rules(kind: str) -> tuple[Rule, ...]:
    """What is checked of how a spec is written, for one of the kinds that have a cluster."""
    from renderer.backends.kuberay.rules import (
        compute_templates,
        message_volumes,
        messages,
        metadata,
        vocabulary,
    )

    own = (
        *vocabulary.RULES,
        *compute_templates.REFERENCE_RULES,
        *messages.RULES,
        *message_volumes.RULES,
        *metadata.RULES,
    )
    return tuple(rule._replace(kind=kind) for rule in own)


def _shared_cluster_rules(kind: str) -> tuple[Rule, ...]:
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
        ray_files,
        replicas,
        sizes,
        start_parameters,
        start_values,
    )

    own = (
        *groups.RULES,
        *replicas.RULES,
        *start_parameters.RULES,
        *start_values.RULES,
        *head_service.RULES,
        *sizes.RULES,
        *images.RULES,
        *containers.RULES,
        *ray_files.RULES,
        *autoscaler.RULES,
        *features.RULES,
        *fault_tolerance.RULES,
        *access.RULES,
    )
    return tuple(_cluster_rule(rule, kind) for rule in own)


def _cluster_rule(rule: Rule, kind: str) -> Rule:
    """A rule about clusters for the clusters of a kind; it reads the message that is one, too."""
    start = "".join(f"{key}." for key in CLUSTER_FIELD[kind])
    reads = (MESSAGE, *(f"{start}{path}" for path in rule.reads))
    return rule._replace(kind=kind, reads=reads)
