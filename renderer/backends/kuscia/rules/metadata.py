"""Labels and annotations that belong to Kuscia."""

from collections.abc import Iterator

from renderer.backends.fields import members, text
from renderer.backends.kuscia.labels import AFFINITY_MODE, APP_TYPE, STATE
from renderer.backends.kuscia.rules.sources import CONTROLLER
from renderer.backends.kuscia.serving import Serving
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source

_SERVING = "serving"


@rule("KUS401", Severity.ERROR, "Serving")
def state_is_kuscias(serving: Serving) -> Iterator[Finding]:
    """Labels and annotations in which Kuscia keeps its state are not set by a spec.

    Kuscia reads them back. Where they are lost it draws and records new ports while pods keep the
    old ones (observed), and in a peer-to-peer setup partners delete their deployment (inferred).

    Fails: annotations: {kuscia.secretflow/allocated-ports: "[]"}
    Passes: annotations: {example.com/owner: risk-team}
    """
    for place in ("labels", "annotations"):
        for key in members(serving.tree, place):
            if key in STATE:
                message = f"{key} is state that Kuscia writes itself"
                yield Finding((place, key), message, "delete it", at_key=True)
            elif key == AFFINITY_MODE:
                message = f"{key} is set from affinity_mode"
                yield Finding((place, key), message, "use affinity_mode", at_key=True)
            elif key == APP_TYPE and place == "annotations":
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
    Passes: labels: {kuscia.secretflow/app-type: scql}
    """
    where: Path = ("labels", APP_TYPE)
    given = text(serving.tree, *where)
    if not given or given == _SERVING:
        return
    from renderer.backends.kuscia.config_templates.config_files import files_with

    fix = f"delete it; every serving is of the type {_SERVING} unless it says otherwise"
    if serving.app == "secretflow-serving":
        message = "secretflow-serving does not start without SERVING_ID"
        yield Finding(where, f"{message}, which the type {given!r} does not have", fix)
    elif key := next(files_with("SERVING_ID", serving), ""):
        message = f"SERVING_ID is empty for the type {given!r}, and {key!r} inserts it"
        yield Finding(where, message, fix)


RULES = rules_with_source(
    (state_is_kuscias, app_type_gives_the_serving_id),
    CONTROLLER,
)
