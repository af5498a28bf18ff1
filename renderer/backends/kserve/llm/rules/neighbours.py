"""LLM services of one namespace: what models they answer for, and the groups that share them."""

from collections.abc import Iterator

from renderer.backends.fields import elements, text
from renderer.backends.kserve.llm.rules.sources import ROUTER
from renderer.backends.kserve.llm.service import LLM_SERVICE
from renderer.backends.kserve.settings import PLATFORM
from renderer.values.diagnostics import Finding, Severity, rule, rules_with_source
from renderer.values.model import Environment, Fleet, Summary
from renderer.values.named_tuple import NamedTuple
from renderer.values.tree import Node

_SINCE = "0.3.0"
_ROUTE = ("router", "route")
_GROUP = (*_ROUTE, "group")


class _Place(NamedTuple):
    """Where a service goes: a Kubernetes cluster and a namespace in it."""

    cluster: str
    namespace: str


@rule("KSV565", Severity.WARNING, "Fleet", since=_SINCE)
def models_have_names_of_their_own(fleet: Fleet) -> Iterator[Finding]:
    """Two services of a namespace answer for different models and adapters, or are of one group.

    Paths and headers of a route have the namespace and the model's name, and not the service's: of
    two routes of one model, the gateway follows one (ModelNameCollision; inferred). Services that
    should share the requests have one `router.route.group`.
    """
    first: dict[tuple[_Place, str], Summary] = {}
    for place, summary in _routed_services(fleet):
        for name, node in _models(summary).items():
            known = first.setdefault((place, name), summary)
            group = text(summary.fields, *_GROUP)
            is_shared = group and group == text(known.fields, *_GROUP)
            if known.name.value == summary.name.value or is_shared:
                continue
            yield Finding(
                (),
                f"{known} answers for the model {name!r} in {place.namespace!r} too",
                "give one of both another name, or both one router.route.group",
                origin=node.origin,
                environments=(known.environment, summary.environment),
                related=(*known.files, *summary.files),
            )


@rule("KSV566", Severity.WARNING, "Fleet", since=_SINCE)
def groups_share_the_same_models(fleet: Fleet) -> Iterator[Finding]:
    """All services of a group answer for the same models and adapters.

    Only those that have the same names share requests: others of the group get none
    (GroupDegraded; inferred).
    """
    first: dict[tuple[_Place, str], Summary] = {}
    for place, summary in _routed_services(fleet):
        group = summary.fields.get(*_GROUP)
        if group is None:
            continue
        known = first.setdefault((place, str(group.value)), summary)
        if _models(known).keys() == _models(summary).keys():
            continue
        yield Finding(
            (),
            f"{known} is of the group {group.value!r} too, and answers for other models",
            "give both the same model.name and the same adapters, or different groups",
            origin=group.origin,
            environments=(known.environment, summary.environment),
            related=(*known.files, *summary.files),
        )


def _routed_services(fleet: Fleet) -> Iterator[tuple[_Place, Summary]]:
    """The services that KServe may make a route for, and where each of them goes."""
    for environment in fleet.environments:
        for summary in fleet.summaries_of(environment):
            if summary.kind == LLM_SERVICE and _may_have_route(summary.fields):
                for place in _places(summary, environment):
                    yield place, summary


def _may_have_route(fields: Node) -> bool:
    """A base configuration may say it, too."""
    if elements(fields, *_ROUTE, "http", "refs"):
        return False
    return fields.get(*_ROUTE) is not None or bool(elements(fields, "baseRefs"))


def _places(summary: Summary, environment: Environment) -> Iterator[_Place]:
    for item in environment.destinations_by_fields(PLATFORM, summary.fields):
        yield _Place(item.cluster, text(summary.fields, "namespace") or item.namespace)


def _models(summary: Summary) -> dict[str, Node]:
    """The names that requests ask for: of the model and of its adapters."""
    name = summary.fields.get("model", "name")
    model = name if name and name.value else summary.name
    adapters = elements(summary.fields, "model", "lora", "adapters")
    nodes = (model, *filter(None, (item.get("name") for item in adapters)))
    return {str(node.value): node for node in nodes}


RULES = rules_with_source((models_have_names_of_their_own, groups_share_the_same_models), ROUTER)
