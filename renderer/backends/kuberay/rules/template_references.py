"""Compute templates that groups name, in either vocabulary."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.vocabulary import CLUSTER, TEMPLATE, is_placeholder
from renderer.backends.kuberay.workloads import Workload, references
from renderer.text.wording import suggest
from renderer.values.diagnostics import Finding, Severity, rule


@rule("RAY106", Severity.ERROR, CLUSTER)
def template_is_there(workload: Workload) -> Iterator[Finding]:
    """The compute template that a group names is one of the environment.

    It says what the group's pods ask for. The API server refuses a name that it does not know; the
    custom resource has no such field at all, and templates are put in when rendering.

    Fails: clusterSpec: {headGroupSpec: {computeTemplate: smal}}
    Passes: clusterSpec: {headGroupSpec: {computeTemplate: small}}
    """
    environment = workload.environment
    for reference in references(workload.spec, environment):
        name = reference.name
        if not environment.may_have(TEMPLATE, name) and not is_placeholder(name):
            known = environment.names(TEMPLATE)
            fix = suggest(name, known, "" if known else "add a ComputeTemplate of that name")
            yield Finding(reference.path, f"there is no compute template {name!r}", fix)


@rule("RAY107", Severity.ERROR, CLUSTER, reads=("namespace",))
def template_is_of_the_namespace(workload: Workload) -> Iterator[Finding]:
    """A group and the compute template that it names are of one namespace.

    The API server looks for templates in the namespace of the cluster alone. A template that says
    no namespace is there wherever it is used.
    """
    for reference in references(workload.spec, workload.environment):
        template = workload.environment.spec_named(TEMPLATE, reference.name)
        there = text(template.tree, "namespace") if template else ""
        if there and workload.namespace and there != workload.namespace:
            message = f"the compute template {reference.name!r} is of the namespace {there!r}"
            fix = f"use one of {workload.namespace!r}, or delete namespace in the template"
            yield Finding(reference.path, message, fix)


RULES = (template_is_there, template_is_of_the_namespace)
