"""What pods of a Deployment ask for, and the most that a rolling update of them asks for."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

#: By resource, in its base unit.
Amounts = Mapping[str, Decimal]
_MAX_SURGE = "25%"
_DIGITS = 10  # those of the largest number that Kubernetes takes


class Pods(NamedTuple):
    """What runs alike: how many pods, what their containers ask for, and the surge."""

    replicas: int
    containers: Mapping[str, Mapping[str, Amounts]]
    surge: int

    def asked(self, number: int) -> Amounts:
        """What some of them request; where only a limit is given, Kubernetes requests that."""
        total: dict[str, Decimal] = {}
        for amounts in self.containers.values():
            for name, amount in {**amounts["limits"], **amounts["requests"]}.items():
                total[name] = total.get(name, Decimal(0)) + amount * number
        return total


NO_PODS = Pods(0, {}, 0)


def surge_of(strategy: str, given: str, replicas: int) -> int:
    """How many pods a rollout adds, at most as many as there are; a share is rounded up."""
    if strategy == "Recreate":
        return 0
    amount = given or _MAX_SURGE
    share = amount.removesuffix("%")
    if not (share.isascii() and share.isdecimal() and len(share) <= _DIGITS):
        return 0
    added = -(-int(share) * replicas // 100) if amount.endswith("%") else int(share)
    return min(added, replicas)


def rollout(before: Pods, after: Pods) -> Amounts:
    """The most at any moment of a rolling update, for each resource.

    A new number of pods is reached with old ones first, so there are at most as many old ones as
    the larger number. From the first new pod on there are never more than the new number and the
    surge together. Of all such mixes one of these asks for the most: old pods alone; all new ones
    and old ones as the surge; old ones and new ones as the surge.
    """
    return greatest(
        before.asked(max(before.replicas, after.replicas)),
        both(after.asked(after.replicas), before.asked(after.surge)),
        both(before.asked(after.replicas), after.asked(after.surge)),
    )


def both(one: Amounts, other: Amounts) -> Amounts:
    """The sum of two."""
    names = {*one, *other}
    return {name: one.get(name, Decimal(0)) + other.get(name, Decimal(0)) for name in names}


def greatest(*mixes: Amounts) -> Amounts:
    """Of each resource the most that any of them has."""
    names = sorted({name for mix in mixes for name in mix})
    return {name: max(mix.get(name, Decimal(0)) for mix in mixes) for name in names}
