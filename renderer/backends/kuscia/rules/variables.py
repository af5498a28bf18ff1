"""Variables of an AppImage beside those that Kuscia gives to the pods of a serving."""

from collections.abc import Iterator
from typing import NamedTuple

from renderer.backends.fields import elements, text
from renderer.backends.kuscia.deploy_template import DeployTemplate, containers, ports
from renderer.backends.kuscia.labels import APP_TYPE
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
from renderer.values.tree import Node

_ROLLED = (
    f"Kuscia overwrites this {INPUT_CONFIG} with that of the serving when it looks at the "
    "Deployment again, and the pods are replaced right after they were made (observed)"
)
_REFUSED = (
    f"Kuscia writes the serving's {INPUT_CONFIG} beside this valueFrom, which Kubernetes refuses: "
    "no later change reaches the Deployment (inferred)"
)
_FIX = "delete it, or give it another name"


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


RULES = rules_with_source((kuscias_variables_are_its_own,), CONTROLLER)
