"""Labels and annotations that belong to Kuscia."""

from collections.abc import Iterator

from renderer.backends.kuscia.serving import Serving
from renderer.diagnostics import Finding, Severity, rule

_PREFIX = "kuscia.secretflow/"
_STATE = frozenset(
    _PREFIX + name
    for name in (
        "allocated-ports",
        "initiator",
        "initiator-master-domain",
        "interconn-kuscia-parties",
        "interconn-self-parties",
        "party-master-domain",
        "self-cluster-as-initiator",
    )
)


@rule("KUS401", Severity.ERROR, "Serving")
def state_is_kuscias(serving: Serving) -> Iterator[Finding]:
    """Labels and annotations in which Kuscia keeps its state are not set by a spec.

    Kuscia reads them back: a wrong value moves ports under running pods, and in a peer-to-peer
    setup makes partners delete their deployment (inferred from its source, not observed).

    Fails:

        annotations:
          kuscia.secretflow/allocated-ports: "[]"

    Passes:

        annotations:
          example.com/owner: risk-team
    """
    for place in ("labels", "annotations"):
        node = serving.tree.get(place)
        for key in node.items if node else ():
            if key in _STATE:
                message = f"{key} is state that Kuscia writes itself"
                yield Finding((place, key), message, "delete it", at_key=True)
            elif key == f"{_PREFIX}app-type":
                message = f"{key} is set for every serving; without it there is no SERVING_ID"
                yield Finding((place, key), message, "delete it", at_key=True)
            elif key == f"{_PREFIX}affinity-mode":
                message = f"{key} is set from affinity_mode"
                yield Finding((place, key), message, "use affinity_mode", at_key=True)


RULES = (state_is_kuscias,)
