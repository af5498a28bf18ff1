"""What a service says together with the configurations of the repository that it builds on."""

from collections.abc import Iterator

from renderer.backends.kserve.llm.cluster import Cluster, cluster_of
from renderer.backends.kserve.llm.service import LLM_CONFIG, LlmView, base_names
from renderer.backends.kserve.settings import PLATFORM
from renderer.kubernetes.pods import Field
from renderer.values.tree import Node

ROUTE_RULES = ("router", "route", "http", "spec", "rules")


def root(view: LlmView) -> Field:
    """The whole spec."""
    return Field((), view.tree)


def layers(view: LlmView) -> list[Node]:
    """The service, then its base configurations that are in the repository, the last one first."""
    found = [view.environment.spec_named(LLM_CONFIG, name) for _, name in base_names(view.tree)]
    return [view.tree, *(spec.tree for spec in reversed(found) if spec)]


def layered(view: LlmView, *path: str) -> Node | None:
    """What holds at a path, without what KServe ships: the service's word comes first."""
    return next((node for tree in layers(view) if (node := tree.get(*path))), None)


def is_known_whole(view: LlmView) -> bool:
    """Whether all configurations that it names are in the repository."""
    names = [name for _, name in base_names(view.tree)]
    return all(view.environment.spec_named(LLM_CONFIG, name) for name in names)


def is_elsewhere(view: LlmView, *path: str) -> bool:
    """Whether a path is set by the service or a base configuration, or may be by an unknown one.

    What stands in a configuration itself always may be completed by others.
    """
    is_config = view.spec.kind.name == LLM_CONFIG
    return is_config or not is_known_whole(view) or layered(view, *path) is not None


def cluster(view: LlmView) -> Cluster | None:
    """The cluster that it goes to; nothing where that is not said, or is several."""
    found = view.environment.routed_destinations(PLATFORM, view.spec)
    return cluster_of(view.environment, found[0].name) if len(found) == 1 else None


def route_rules(view: LlmView) -> Iterator[Field]:
    """The rules of a route that is said in full."""
    yield from root(view).each(*ROUTE_RULES)
