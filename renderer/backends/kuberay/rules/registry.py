"""The rules of KubeRay, loaded for the kinds that need them: a line for each module."""

from collections.abc import Iterator

from renderer.backends.kuberay.services import serve_view
from renderer.backends.kuberay.workloads import Workload
from renderer.values.diagnostics import Finding, Rule


def cluster_rules() -> tuple[Rule, ...]:
    """What is checked of clusters."""
    return ()


def job_rules() -> tuple[Rule, ...]:
    """What is checked of jobs."""
    return ()


def service_rules() -> tuple[Rule, ...]:
    """What is checked of services."""
    from renderer.backends.kuberay.rules import serve_applications, serve_capacity, serve_config

    serving = (*serve_config.RULES, *serve_applications.RULES, *serve_capacity.RULES)
    return tuple(map(_of_its_serve_config, serving))


def _of_its_serve_config(rule: Rule) -> Rule:
    """A rule about serve configs, given that of a service."""

    def check(workload: Workload) -> Iterator[Finding]:
        return rule.check(serve_view(workload)) if rule.check else iter(())

    return rule._replace(check=check)


def template_rules() -> tuple[Rule, ...]:
    """What is checked of compute templates."""
    return ()


def environment_rules() -> tuple[Rule, ...]:
    """What is checked of environments, and of several specs together."""
    return ()
