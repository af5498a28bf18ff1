"""How many pods a component has."""

from collections.abc import Iterable

from renderer.backends.kserve.dialect import KNATIVE

#: What the class of the autoscaler may be.
HPA, KEDA, EXTERNAL, NONE = "hpa", "keda", "external", "none"
Bounds = tuple[int, int | None]


def replica_bounds(least: int | None, most: int | None, mode: str, autoscaler: str) -> Bounds:
    """From how many to how many, by minReplicas and maxReplicas; without an end if none is set.

    Of Deployments only KEDA's have none at times. Where somebody else scales them they begin with
    one, and where nobody does they have as many as they are to have at least.
    """
    given, top = 1 if least is None else least, most or 0
    if mode == KNATIVE:
        return given, max(given, top) if top else None
    if autoscaler == EXTERNAL:
        return 1, 1
    if autoscaler == NONE:
        return given, given
    given = given if autoscaler == KEDA else max(given, 1)
    return given, max(given, top)


def canary_replicas(own: int | None, stable: int | None, percent: int) -> int:
    """As many as a canary says, else its share of the predictor's, rounded up."""
    return own if own is not None else -(-(1 if stable is None else stable) * percent // 100)


def stable_replicas(least: int | None, canaries: Iterable[int]) -> int | None:
    """The predictor's replicas without those of its canaries, but one, if it says how many."""
    taken = list(canaries)
    return least if least is None or not taken else max(least - sum(taken), 1)
