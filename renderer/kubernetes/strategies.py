"""How a Deployment replaces its pods: what Kubernetes refuses of its strategy."""

from collections.abc import Iterator

from renderer.kubernetes.pods import Field
from renderer.values.diagnostics import Finding

_NONE = ("0", "0%")


def strategy_fits(strategy: Field) -> Iterator[Finding]:
    """Whether a strategy is one of the two, and lets pods be replaced."""
    kind, rolling = strategy.get("type"), strategy.get("rollingUpdate")
    if rolling is None:
        return
    if kind and kind.text == "Recreate":
        message = "a Deployment of the type Recreate has no rollingUpdate"
        yield rolling.wrong_key(message, "delete it, or write type: RollingUpdate")
        return
    amounts = rolling.present(("maxSurge", "maxUnavailable"))
    if len(amounts) > 1 and all(str(item.node.value) in _NONE for item in amounts):
        message = "with no pod more and no pod less than wanted, none could be replaced"
        yield amounts[1].wrong(message, "write 1 or more for one of the two")
