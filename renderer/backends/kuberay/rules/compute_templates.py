"""Compute templates: what pods ask for by naming one, and the groups that name them."""

from collections.abc import Iterator

from renderer.backends.fields import text
from renderer.backends.kuberay.compute_templates import (
    DEFAULT_UNIT,
    TemplateView,
    devices,
    is_device,
)
from renderer.backends.kuberay.rules import MESSAGES
from renderer.backends.kuberay.vocabulary import CLUSTER, TEMPLATE, is_placeholder
from renderer.backends.kuberay.workloads import Workload, references
from renderer.text.wording import listed, suggest, visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_AMOUNTS = ("cpu", "memory")
_ACCELERATOR = "gpuAccelerator"
_TEBIBYTE = 1024


@rule("RAY150", Severity.ERROR, TEMPLATE)
def devices_are_resources(view: TemplateView) -> Iterator[Finding]:
    """Devices of a template are called as resources of nodes are: domain, slash, name.

    `gpuAccelerator` is the name of a resource, `nvidia.com/gpu` if it is empty, and no name of a
    product. No node offers `Tesla-V100`, and Kubernetes refuses pods that ask for it. A product is
    chosen by a node selector in a pod template, or by `accelerator_type` in Ray.

    Fails:
        gpu: 1
        gpuAccelerator: Tesla-V100
    Passes with: gpuAccelerator: nvidia.com/gpu
    """
    for path, name, _ in devices(view.spec.tree):
        if is_device(name):
            continue
        message = f"{visible(name)!r} is no name of a resource, such as nvidia.com/gpu"
        if path[0] == _ACCELERATOR:
            fix = "delete it for nvidia.com/gpu; choose the product by accelerator_type in Ray, or"
            yield Finding(path, message, f"{fix} by a nodeSelector in a pod template")
        else:
            yield Finding(path, message, "write a domain before it: DOMAIN/NAME", at_key=True)


@rule("RAY151", Severity.WARNING, TEMPLATE, reads=("gpu",))
def accelerators_are_counted(view: TemplateView) -> Iterator[Finding]:
    """A template with `gpuAccelerator` says how many, in `gpu`.

    Without a number, or with 0, pods ask for none.

    Fails: gpuAccelerator: amd.com/gpu
    Passes with: gpu: 1
    """
    tree = view.spec.tree
    counted = any(path[0] == _ACCELERATOR for path, _, _ in devices(tree))
    given = tree.get(_ACCELERATOR)
    if given and given.value and not counted:
        message = (
            f"no {given.value} is asked for, as gpu is {'0' if tree.get('gpu') else 'missing'}"
        )
        yield Finding((_ACCELERATOR,), message, "write gpu: 1 or more, or delete it", at_key=True)


@rule("RAY152", Severity.ERROR, TEMPLATE, reads=_AMOUNTS)
def amounts_are_given(view: TemplateView) -> Iterator[Finding]:
    """A template says how many cores and how much memory a pod gets.

    KubeRay's API server refuses one without: "Cpu amount is zero", "Memory amount is zero".

    Fails: memory: null
    Passes: memory: 4
    """
    missing = [key for key in _AMOUNTS if key not in view.spec.tree.items]
    if missing:
        message = f"the template has no {listed(missing, 'or')}"
        yield Finding((), message, f"add {listed(missing)}")


@rule("RAY153", Severity.ERROR, TEMPLATE)
def devices_are_given_once(view: TemplateView) -> Iterator[Finding]:
    """A template says once how many of a device a pod gets.

    What `gpu` counts is not among `extendedResources` too: of two numbers, one would be lost.

    Fails:
        gpu: 1
        extendedResources: {nvidia.com/gpu: 2}
    Passes:
        gpu: 1
        extendedResources: {vpc.amazonaws.com/efa: 2}
    """
    seen: set[str] = set()
    for path, name, _ in devices(view.spec.tree):
        if name in seen:
            message = f"gpu already sets the number of {name}"
            yield Finding(path, message, "delete one of them", at_key=True)
        seen.add(name)


@rule("RAY287", Severity.WARNING, TEMPLATE, since="0.2.0")
def units_are_given_for_large_numbers(view: TemplateView) -> Iterator[Finding]:
    """A template with a large number as `memory` says its unit.

    Without `memoryUnit` it is Gi: 4096 is four tebibytes, and no node has room for the pods.

    Fails: memory: 4096
    Passes with: memoryUnit: Mi
    """
    given, unit = view.spec.tree.get("memory"), view.spec.tree.get("memoryUnit")
    if given and unit is None and isinstance(given.value, int) and given.value >= _TEBIBYTE:
        message = (
            f"memory is {given.value}{DEFAULT_UNIT}: without memoryUnit the unit is {DEFAULT_UNIT}"
        )
        yield Finding(("memory",), message, "add memoryUnit: Mi, or memoryUnit: Gi if it is meant")


@rule("RAY106", Severity.ERROR, CLUSTER)
def template_is_there(workload: Workload) -> Iterator[Finding]:
    """The compute template that a group names is one of the environment.

    It says what the group's pods ask for. KubeRay's API server refuses a name that it does not
    know; the custom resource has no such field at all, and templates are put in when rendering.

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

    KubeRay's API server looks for templates in the namespace of the cluster alone. A template that
    says no namespace is there wherever it is used.
    """
    for reference in references(workload.spec, workload.environment):
        template = workload.environment.spec_named(TEMPLATE, reference.name)
        there = text(template.tree, "namespace") if template else ""
        if there and workload.namespace and there != workload.namespace:
            message = f"the compute template {reference.name!r} is of the namespace {there!r}"
            fix = f"use one of {workload.namespace!r}, or delete namespace in the template"
            yield Finding(reference.path, message, fix)


RULES = rules_with_source(
    (
        devices_are_resources,
        accelerators_are_counted,
        amounts_are_given,
        devices_are_given_once,
        units_are_given_for_large_numbers,
    ),
    MESSAGES,
)
REFERENCE_RULES = (template_is_there, template_is_of_the_namespace)
