"""The rules of KubeRay, loaded for the kinds that need them: a line for each module."""

from renderer.values.diagnostics import Rule


def cluster_rules() -> tuple[Rule, ...]:
    """What is checked of clusters."""
    return ()


def job_rules() -> tuple[Rule, ...]:
    """What is checked of jobs."""
    return ()


def service_rules() -> tuple[Rule, ...]:
    """What is checked of services."""
    return ()


def template_rules() -> tuple[Rule, ...]:
    """What is checked of compute templates."""
    return ()


def environment_rules() -> tuple[Rule, ...]:
    """What is checked of environments, and of several specs together."""
    return ()
