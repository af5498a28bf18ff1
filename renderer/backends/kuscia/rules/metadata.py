"""Labels and annotations that belong to Kuscia."""

from collections.abc import Iterator

from renderer.backends.kuscia.configtemplates.uses import files_with
from renderer.backends.kuscia.serving import Serving, text
from renderer.values.diagnostics import Finding, Path, Severity, rule

_PREFIX = "kuscia.secretflow/"
_TYPE = f"{_PREFIX}app-type"
_MODE = f"{_PREFIX}affinity-mode"
_SERVING = "serving"
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
            elif key == _MODE:
                message = f"{key} is set from affinity_mode"
                yield Finding((place, key), message, "use affinity_mode", at_key=True)
            elif key == _TYPE and place == "annotations":
                message = f"{key} is a label; as an annotation it has no effect"
                yield Finding((place, key), message, "delete it", at_key=True)


@rule("KUS402", Severity.ERROR, "Serving")
def app_type_gives_the_serving_id(serving: Serving) -> Iterator[Finding]:
    """A serving that reads SERVING_ID is of the app-type `serving`, which it is unless it says so.

    Kuscia sets the variable for that type only, and secretflow-serving does not start without it.
    Other applications may have a type of their own, as the broker of SCQL has.

    Fails:

        app: secretflow-serving
        labels: {kuscia.secretflow/app-type: scql}

    Passes:

        labels: {kuscia.secretflow/app-type: scql}
    """
    where: Path = ("labels", _TYPE)
    given = text(serving.tree, *where)
    if not given or given == _SERVING:
        return
    fix = f"delete it; every serving is of the type {_SERVING} unless it says otherwise"
    if serving.app == "secretflow-serving":
        message = "secretflow-serving does not start without SERVING_ID"
        yield Finding(where, f"{message}, which the type {given!r} does not have", fix)
    elif key := next(files_with("SERVING_ID", serving), ""):
        message = f"SERVING_ID is empty for the type {given!r}, and {key!r} inserts it"
        yield Finding(where, message, fix)


RULES = (state_is_kuscias, app_type_gives_the_serving_id)
