"""How many pods a component has."""

from renderer.backends.kserve.dialect import KNATIVE
from renderer.text.wording import counted

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


def bounds_text(bounds: Bounds, noun: str) -> str:
    """The same in words."""
    least, most = bounds
    if most is None:
        return f"{least} or more {noun}s"
    return counted(least, noun) if least == most else f"{least} to {most} {noun}s"
