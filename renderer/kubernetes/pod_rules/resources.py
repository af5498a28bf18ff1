"""The requests and limits of containers."""

from collections.abc import Iterator

from renderer.kubernetes.names import (
    HUGE_PAGES,
    can_be_overcommitted,
    is_extended,
    is_of_containers,
)
from renderer.kubernetes.pods import POD, SOURCE, Field, Pod
from renderer.kubernetes.quantities import billionths, whole_billionths
from renderer.kubernetes.versions import POD_RESOURCES
from renderer.text.wording import visible
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source

_KINDS = ("requests", "limits")
_MILLION, _BILLION = 10**6, 10**9


@rule("MAN121", Severity.ERROR, POD)
def resources_are_of_containers(pod: Pod) -> Iterator[Finding]:
    """A container asks for resources that a container can have.

    These are cpu, memory, ephemeral-storage, hugepages of a size, and what devices add, with a
    prefix such as in nvidia.com/gpu. Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, resources: {limits: {requests.example.com/gpu: 1}}}]
    Passes: containers: [{name: a, resources: {limits: {example.com/gpu: 1}}}]
    """
    for amount in _amounts(pod):
        if not is_of_containers(amount.name):
            message = f"a container cannot have {visible(amount.name)!r}"
            fix = "write cpu, memory, ephemeral-storage, hugepages-SIZE or a name with a prefix"
            yield amount.wrong_key(message, fix)


@rule("MAN122", Severity.ERROR, POD)
def devices_are_whole(pod: Pod) -> Iterator[Finding]:
    """An amount of an extended resource, such as nvidia.com/gpu, is a whole number.

    Kubernetes does not divide devices, and refuses the pod otherwise.

    Fails: containers: [{name: a, resources: {limits: {nvidia.com/gpu: 500m}}}]
    Passes: containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]
    """
    for amount in _amounts(pod):
        if is_extended(amount.name):
            number = whole_billionths(str(amount.node.value))
            if number is None:
                message = f"there cannot be so many of {amount.name}"
                yield amount.wrong(message, "write a whole number")._replace(since="0.2.0")
            elif -(-number // _MILLION) % 1000:  # nothing is less than a thousandth
                message = f"{amount.node.value} of {amount.name} is no whole number"
                yield amount.wrong(message, "write a whole number")


@rule("MAN123", Severity.ERROR, POD, reads=("containers.resources",))
def devices_are_limited_to_requests(pod: Pod) -> Iterator[Finding]:
    """Extended resources and hugepages are requested with a limit, and no less than the limit.

    They cannot be promised twice. Kubernetes refuses the pod otherwise; a limit without a request
    will do.

    Fails: containers: [{name: a, resources: {requests: {nvidia.com/gpu: 1}}}]
    Passes: containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]
    """
    for container in pod.containers():
        limits = container.members("resources", "limits")
        for name, amount in container.members("resources", "requests").items():
            if can_be_overcommitted(name) or not is_of_containers(name):
                continue
            least = str(amount.node.value)
            if name not in limits:
                message = f"{name} is requested without a limit"
                yield amount.wrong_key(message, f"add {name}: {least} to limits")
            elif _differ(least, most := str(limits[name].node.value)):
                message = f"{least} of {name} is requested, and the limit is {most}"
                yield amount.wrong(message, "write the same amount")


def _differ(first: str, second: str) -> bool:
    return billionths(first) != billionths(second)


@rule("MAN124", Severity.ERROR, POD, reads=("containers.resources",))
def huge_pages_fit(pod: Pod) -> Iterator[Finding]:
    """An amount of hugepages is made of whole pages, and goes with cpu or memory.

    The size of a page is in the name: `hugepages-2Mi`. Kubernetes refuses the pod otherwise.

    Fails: containers: [{name: a, resources: {limits: {hugepages-2Mi: 3Mi, cpu: 1}}}]
    Passes: containers: [{name: a, resources: {limits: {hugepages-2Mi: 4Mi, cpu: 1}}}]
    """
    for container in pod.containers():
        found = [
            amount
            for kind in _KINDS
            for amount in container.members("resources", kind).values()
            if amount.name.startswith(HUGE_PAGES) and is_of_containers(amount.name)
        ]
        for amount in found:
            yield from _pages(amount)
        if found and not any(
            container.node.get("resources", kind, what)
            for kind in _KINDS
            for what in ("cpu", "memory")
        ):
            message = f"{found[0].name} goes with an amount of cpu or memory"
            yield found[0].wrong_key(message, "add cpu or memory")


@rule("MAN204", Severity.ERROR, POD, reads=("",), since="0.2.0")
def amounts_are_within_limits(pod: Pod) -> Iterator[Finding]:
    """No container requests more than its limit, also where the limit is not its own.

    A platform may give limits to a container that says none. Kubernetes refuses the pod otherwise
    (observed).

    Fails: containers: [{name: a, resources: {requests: {cpu: 2}, limits: {cpu: 1}}}]
    Passes with: containers: [{name: a, resources: {requests: {cpu: 1}}}]
    """
    for container in pod.containers() if pod.has_final_amounts else ():
        for request, limit in requests_above_limits(container):
            low, high, name = request.node.value, limit.node.value, request.name
            message = f"{low} of {name} are requested, and the limit is {high}"
            fix = f"write {high} or less, or set resources.limits.{name} to {low} or more"
            yield _finding_at_limit(request, limit, pod) or request.wrong(message, fix)


def _finding_at_limit(request: Field, limit: Field, pod: Pod) -> Finding | None:
    """The finding at a limit that a more specific file sets than the one of the request."""
    ranks = {file: rank for rank, file in enumerate(pod.files)}
    low, high = (ranks.get(item.node.origin.file) for item in (request, limit))
    if low is None or high is None or high >= low:
        return None
    most, least, where = limit.node.value, request.node.value, request.node.origin
    message = f"the limit of {limit.name} is {most}, and {least} are requested"
    fix = f"write {least} or more, or set resources.requests.{limit.name} here as well"
    return limit.wrong(f"{message} in {where.file}:{where.line}", fix)


@rule("MAN198", Severity.ERROR, POD, since="0.2.0")
def amounts_of_pods_hold_their_containers(pod: Pod) -> Iterator[Finding]:
    """What a pod has as a whole is cpu, memory or hugepages, and enough for its containers.

    Requests of a pod are within its limits, and no limit of a container is above that of the pod.
    Kubernetes since 1.34 refuses the pod otherwise.

    Fails: resources: {limits: {nvidia.com/gpu: 1}}
    Passes: resources: {limits: {cpu: 4, memory: 8Gi}}
    """
    if pod.versions[-1] < POD_RESOURCES:
        return
    limits = pod.spec.members("resources", "limits")
    for kind in _KINDS:
        for name, amount in pod.spec.members("resources", kind).items():
            if name not in ("cpu", "memory") and not name.startswith(HUGE_PAGES):
                message = f"a pod as a whole has no {visible(name)!r}"
                yield amount.wrong_key(message, "write cpu or memory, or move it to a container")
    for request, limit in requests_above_limits(pod.spec):
        message = (
            f"{request.node.value} of {request.name} are requested, the limit is {limit.node.value}"
        )
        yield request.wrong(message, "write as much, or less")
    for container in pod.spec.each("containers"):
        for name, amount in container.members("resources", "limits").items():
            whole, own = limits.get(name), billionths(str(amount.node.value))
            most = billionths(str(whole.node.value)) if whole else None
            if whole and own is not None and most is not None and own > most:
                message = f"the limit is above the {whole.node.value} of the whole pod"
                yield amount.wrong(message, "write less, or raise the limit of the pod")


def _pages(amount: Field) -> Iterator[Finding]:
    """Whether an amount is made of whole pages."""
    size = amount.name.removeprefix(HUGE_PAGES)
    page = whole_billionths(size) or 0
    if page <= 0 or page % _BILLION:
        fix = "write hugepages-2Mi, or another size in bytes"
        yield amount.wrong_key(f"there are no pages of the size {visible(size)!r}", fix)
        return
    number = whole_billionths(str(amount.node.value)) or 0
    if -(-number // _BILLION) * _BILLION % page:
        message = f"{amount.node.value} of {amount.name} is no whole number of pages"
        yield amount.wrong(message, f"write a multiple of {size}")


def _amounts(pod: Pod) -> Iterator[Field]:
    for container in pod.containers():
        for kind in _KINDS:
            yield from container.members("resources", kind).values()


def requests_above_limits(container: Field) -> Iterator[tuple[Field, Field]]:
    """The requests of a container that are above its limits, each with the limit.

    Of devices another rule speaks.
    """
    limits = container.members("resources", "limits")
    for name, request in container.members("resources", "requests").items():
        limit = limits.get(name)
        if limit is None or "/" in name:
            continue
        least, most = billionths(str(request.node.value)), billionths(str(limit.node.value))
        if least is not None and most is not None and least > most:
            yield request, limit


RULES = rules_with_source(
    (
        resources_are_of_containers,
        devices_are_whole,
        devices_are_limited_to_requests,
        huge_pages_fit,
        amounts_of_pods_hold_their_containers,
        amounts_are_within_limits,
    ),
    SOURCE,
)
