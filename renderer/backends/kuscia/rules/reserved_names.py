"""Variables of an AppImage beside those that Kuscia gives to the pods of a serving."""

from collections.abc import Iterator

from renderer.backends.fields import elements, members, text
from renderer.backends.kuscia.deploy_template import DeployTemplate, containers, ports
from renderer.backends.kuscia.derived_objects import AFFINITY_MODE, APP_TYPE, STATE
from renderer.backends.kuscia.pod_variables import (
    INPUT_CONFIG,
    OF_SERVINGS,
    is_overwritten,
    port_variable,
)
from renderer.backends.kuscia.rules.sources import CONTROLLER
from renderer.backends.kuscia.serving import FIELD, Party, Serving, input_config_text
from renderer.values.diagnostics import Finding, Path, Severity, rule, rules_with_source
from renderer.values.identity_cache import cached_by_identity
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_ROLLED = (
    f"Kuscia overwrites this {INPUT_CONFIG} with that of the serving when it looks at the "
    "Deployment again, and the pods are replaced right after they were made"
)
_REFUSED = (
    f"Kuscia writes the serving's {INPUT_CONFIG} beside this valueFrom, which Kubernetes refuses: "
    "no later change reaches the Deployment (inferred)"
)
_FIX = "delete it, or give it another name"
_SERVING = "serving"


class _Namesake(NamedTuple):
    """A variable of a deploy template that is named as one of Kuscia's is."""

    name: str
    path: Path
    node: Node


@rule("KUS612", Severity.WARNING, "Serving", reads=(FIELD,))
def kuscias_variables_are_its_own(serving: Serving) -> Iterator[Finding]:
    """An AppImage sets no variable that Kuscia gives to every container.

    The name then stands in the container twice, and the later one, Kuscia's, counts (observed).
    `INPUT_CONFIG` is even overwritten once the Deployment is there, which replaces the pods that
    were just made (observed).

    Fails:
        serving_input_config: {a: 1}
        parties: [{domain_id: alice, app_image: doubled}]
    Passes with: parties: [{domain_id: alice, app_image: scorer}]
    """
    seen: set[int] = set()
    for party in serving.parties:
        if party.image and party.template and id(party.template.node) not in seen:
            seen.add(id(party.template.node))
            for item in _namesakes(party.template):
                if item.name != "SERVING_ID" or _is_given_its_id(serving):
                    where = _place(party, item)
                    yield Finding(where, _message(item, serving), _FIX, tree=party.image.tree)


@cached_by_identity
def _namesakes(template: DeployTemplate) -> tuple[_Namesake, ...]:
    given = OF_SERVINGS.union(map(port_variable, ports(template.node)))
    return tuple(
        _Namesake(name, (*container.path, "env", index), node)
        for container in containers(template.node)
        for index, node in enumerate(elements(container.node, "env"))
        if (name := text(node, "name")) in given
    )


def _is_given_its_id(serving: Serving) -> bool:
    return (text(serving.tree, "labels", APP_TYPE) or "serving") == "serving"


def _place(party: Party, item: _Namesake) -> Path:
    templates = party.image.templates if party.image else ()
    index = next(number for number, found in enumerate(templates) if found is party.template)
    return ("deployTemplates", index, *item.path, "name")


def _message(item: _Namesake, serving: Serving) -> str:
    config = serving.tree.get(FIELD)
    stored = input_config_text(config) if config else ""
    if item.name == INPUT_CONFIG and text(item.node, "value") != stored:
        return _ROLLED if is_overwritten(item.node) else _REFUSED
    return f"Kuscia's own {item.name} counts in the container; this one has no effect"


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
    (state_is_kuscias, app_type_gives_the_serving_id, kuscias_variables_are_its_own), CONTROLLER
)
