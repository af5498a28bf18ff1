"""What a party's own strategy and replicas come to, laid over its AppImage."""

from collections.abc import Iterator

from renderer.backends.kuscia.serving import Serving, text
from renderer.values.diagnostics import Finding, Severity, rule

_ALL = 100


@rule("KUS307", Severity.ERROR, "Serving")
def strategy_can_move(serving: Serving) -> Iterator[Finding]:
    """A rolling update may add a pod or take one away, and takes away at most all of them.

    Kubernetes refuses a Deployment whose surge and unavailability are both zero, or whose
    unavailability is above 100% (CreateDeploymentFailed).

    Fails:

        parties:
          - domain_id: alice
            app_image: scorer
            update_strategy: {type: RollingUpdate, max_surge: "0", max_unavailable: "0"}

    Passes:

        parties:
          - domain_id: alice
            app_image: scorer
            update_strategy: {type: RollingUpdate, max_surge: "1", max_unavailable: "0"}
    """
    for index, party in enumerate(serving.parties):
        where = ("parties", index, "update_strategy")
        if text(party.node, "update_strategy", "type") != "RollingUpdate":
            continue
        surge = text(party.node, "update_strategy", "max_surge")
        away = text(party.node, "update_strategy", "max_unavailable")
        if _is_zero(surge) and _is_zero(away):
            message = "max_surge and max_unavailable are both 0, so no pod can ever be replaced"
            yield Finding(where, message, "raise one of them", at_key=True)
        if away.endswith("%") and int(away[:-1]) > _ALL:
            message = f"max_unavailable is {away}, more than all pods"
            yield Finding((*where, "max_unavailable"), message, "write at most 100%")


@rule("KUS308", Severity.WARNING, "Serving")
def replicas_above_zero(serving: Serving) -> Iterator[Finding]:
    """A party that gives a number of replicas has at least one.

    A party without pods stays Progressing for ever, and so does the serving.

    Fails:

        parties:
          - {domain_id: alice, app_image: scorer, replicas: 0}

    Passes:

        parties:
          - {domain_id: alice, app_image: scorer, replicas: 1}
    """
    for index, party in enumerate(serving.parties):
        own = party.node.get("replicas")
        if own and own.value == 0:
            message = f"the party {party.domain!r} has no replicas"
            yield Finding(("parties", index, "replicas"), message, "set replicas to 1 or more")


def _is_zero(amount: str) -> bool:
    return bool(amount) and not amount.rstrip("%").strip("0")


RULES = (strategy_can_move, replicas_above_zero)
