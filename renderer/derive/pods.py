"""How many pods a unit has, what they ask for, and the most that a rollout of them asks for."""

from collections.abc import Iterable, Mapping
from decimal import Decimal

from renderer.kubernetes.data import Data, mapping
from renderer.kubernetes.quantities import value
from renderer.text.wording import counted
from renderer.values.derivations import DerivedUnit, Pods
from renderer.values.identity_cache import cached_by_identity
from renderer.values.tree import Node

#: By resource, in its base unit.
Amounts = Mapping[str, Decimal]
Bounds = tuple[int, int | None]
_MAX_SURGE = "25%"
_DIGITS = 10  # those of the largest number that Kubernetes takes
_KINDS = ("limits", "requests")  # where only a limit is given, Kubernetes requests that


def unit_bounds(unit: DerivedUnit | None) -> Bounds:
    """From how many to how many pods a unit has, of all sorts together."""
    sorts = unit.pods if unit else ()
    most = [pods.most for pods in sorts]
    top = None if None in most else sum(number or 0 for number in most)
    return sum(pods.least for pods in sorts), top


def bounds_text(bounds: Bounds, noun: str = "pod") -> str:
    """The same in words."""
    least, most = bounds
    if most is None:
        return f"{least} or more {noun}s"
    return counted(least, noun) if least == most else f"{least} to {most} {noun}s"


def top(pods: Pods) -> int:
    """The most pods that are counted with; where nothing bounds them, the least, but one."""
    return max(pods.least, 1) if pods.most is None else pods.most


def asked(pods: Pods, number: int) -> Amounts:
    """What some of the pods request."""
    return {name: amount * number for name, amount in pod_amounts(pods.spec).items()}


def asked_at_least(sorts: Iterable[Pods]) -> Amounts:
    """What as many pods request as there are at least."""
    return total(asked(pods, pods.least) for pods in sorts)


def asked_at_most(sorts: Iterable[Pods]) -> Amounts:
    return total(asked(pods, top(pods)) for pods in sorts)


@cached_by_identity
def pod_amounts(spec: Node) -> Amounts:
    """What one pod requests: the sum of its containers."""
    listing = spec.get("containers")
    return total(_container_amounts(item) for item in (listing.elements if listing else ()))


def _container_amounts(container: Node) -> Amounts:
    found: dict[str, Decimal] = {}
    for kind in _KINDS:
        given = container.get("resources", kind)
        for name, node in (given.items if given else {}).items():
            amount = value(str(node.value))
            if amount is not None:
                found[name] = amount
    return found


def surge_of(pods: Pods, number: int) -> int:
    """How many pods a rollout adds, at most as many as there are; a share is rounded up."""
    if pods.stop_first:
        return 0
    amount = pods.surge or _MAX_SURGE
    share = amount.removesuffix("%")
    if not (share.isascii() and share.isdecimal() and len(share) <= _DIGITS):
        return 0
    added = -(-int(share) * number // 100) if amount.endswith("%") else int(share)
    return min(added, number)


def rollout(before: Pods, after: Pods) -> Amounts:
    """The most at any moment of a rolling update, for each resource.

    A new number of pods is reached with old ones first, so there are at most as many old ones as
    the larger number. From the first new pod on there are never more than the new number and the
    surge together. Of all such mixes one of these asks for the most: old pods alone; all new ones
    and old ones as the surge; old ones and new ones as the surge.
    """
    old, new = top(before), top(after)
    surge = surge_of(after, new)
    return greatest(
        asked(before, max(old, new)),
        total((asked(after, new), asked(before, surge))),
        total((asked(before, new), asked(after, surge))),
    )


def total(parts: Iterable[Amounts]) -> Amounts:
    """The sum of all, by resource."""
    found: dict[str, Decimal] = {}
    for part in parts:
        for name, amount in part.items():
            found[name] = found.get(name, Decimal(0)) + amount
    return found


def greatest(*mixes: Amounts) -> Amounts:
    """Of each resource the most that any of them has."""
    names = sorted({name for mix in mixes for name in mix})
    return {name: max(mix.get(name, Decimal(0)) for mix in mixes) for name in names}


def amounts_text(resources: Data) -> str:
    """The requests and limits of a container in words."""
    limits, requests = mapping(resources, "limits"), mapping(resources, "requests")
    names = dict.fromkeys([*requests, *limits])
    found = (f"{name} {requests.get(name, 'any')} to {limits.get(name, 'any')}" for name in names)
    return ", ".join(found) or "no amounts"
